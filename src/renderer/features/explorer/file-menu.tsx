import { Fragment } from 'react'
import { useStore } from 'zustand'
import { isRunnable, keysOf, runCommand, useCommands } from '../../commands/registry'
import { MenuAt, MenuGap, MenuItem } from '../../ui/overlays/menu'
import { menuGroups } from './file-commands'
import { focusTree, shownTree, treeState } from './tree-state'

/** The context menu of the selected lines, at the pointer or the cursor. */
export function FileMenu() {
  const place = useStore(treeState, (state) => state.menu)
  const commands = useCommands()
  const close = () => treeState.setState({ menu: null })
  return (
    <MenuAt
      place={place}
      label="Files"
      onClose={close}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        // A name field or dialog that the command opened keeps the focus.
        const { naming, deleting } = treeState.getState()
        if (!naming && deleting.length === 0) focusTree()
      }}
    >
      {menuGroups.map((ids, index) => (
        <Fragment key={ids[0]}>
          {index > 0 ? <MenuGap /> : null}
          {ids.map((id) => {
            const command = commands.find((other) => other.id === id)
            if (!command) return null
            return (
              <MenuItem
                key={id}
                keys={keysOf(command)[0]}
                disabled={!isRunnable(command, shownTree.element)}
                onSelect={() => void runCommand(id, shownTree.element)}
              >
                {command.title}
              </MenuItem>
            )
          })}
        </Fragment>
      ))}
    </MenuAt>
  )
}
