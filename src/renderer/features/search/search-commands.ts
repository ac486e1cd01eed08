import type { Disposable } from '../../../shared/lifetime'
import { registerCommands } from '../../commands/registry'
import { showSide } from '../../state/window/frame-layout'
import { searchForm } from '../../state/files/search-mirror'

/** A longer selection isn't taken as the search text. */
const longestSelection = 200

/** Registers the search's commands until disposed. */
export function registerSearchCommands(): Disposable {
  return registerCommands([
    {
      id: 'search.show',
      title: 'Search in folder',
      menu: ['edit', 3],
      keys: ['Mod+Shift+F'],
      fromTerminal: true,
      run: (target) => showSearch(target),
    },
    {
      id: 'search.replace',
      title: 'Replace in folder',
      menu: ['edit', 3],
      keys: ['Mod+Shift+H'],
      run: (target) => {
        searchForm.setState({ isReplacing: true })
        showSearch(target)
      },
    },
  ])
}

/** Shows the search, focuses its field and fills it with the editor's selection. */
function showSearch(target: Element | null): void {
  const selected = target?.closest('.cm-content') ? (getSelection()?.toString() ?? '') : ''
  const isWord = selected !== '' && selected.length <= longestSelection && !selected.includes('\n')
  showSide('search')
  searchForm.setState(({ wanted }) => ({ wanted: wanted + 1, ...(isWord ? { text: selected } : {}) }))
}
