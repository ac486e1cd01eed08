import { FolderOpen, TriangleAlert } from 'lucide-react'
import { runCommand } from '../../../commands/registry'
import { useToDecideWords } from '../../../state/reviews/change-groups-mirror'
import { useConnections } from '../../../state/agents/connections-mirror'
import { useGatedAgents } from '../../../state/agents/gate-mirror'
import { type EditorStatus, useEditorStatus } from '../../../state/tabs/editor-status'
import { useSetting } from '../../../state/settings/settings-mirror'
import { showPanel, showSide } from '../../../state/window/frame-layout'
import { useWindow } from '../../../state/window/window-mirror'
import { chooseFolder, openFolder } from '../../../state/window/window-actions'
import { AgentDot } from '../../../ui/labels/agent-dot'
import { Menu, MenuGap, MenuHeading, MenuItem } from '../../../ui/overlays/menu'
import { formatNumber } from '../../../ui/wording/number-format'
import { shorten } from '../../../ui/wording/home-path'
import { plainName } from '../../../ui/wording/plain-name'
import { EncodingMenu, IndentationMenu, LineEndMenu } from './format-menus'
import { AttentionOffer } from '../attention-offer'
import { BranchStatus } from './branch-status'
import { TrustStatus } from '../trust/trust-status'
import { SharingStatus } from './sharing-status'
import { gateWords } from './gate-words'

import './status-bar.css'

/** The line at the bottom: folder and branch, agents, the active file, what waits. */
export function StatusBar() {
  const status = useEditorStatus()
  return (
    <footer className="status-bar aside" data-pane="status" aria-label="Status">
      <FolderStatus />
      <TrustStatus />
      <BranchStatus />
      <AgentStatus />
      <SharingStatus />
      <span className="status-end">
        <AttentionOffer />
        {status ? <EditorFacts status={status} /> : null}
        <ReviewStatus />
      </span>
    </footer>
  )
}

function FolderStatus() {
  const facts = useWindow()
  if (!facts) return null
  const names = facts.folders.map((folder) => folder.name).join(', ')
  const recent = facts.recentFolders.filter((path) => !facts.folders.some((folder) => folder.path === path))
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className="status-item row status-folder">
          <FolderOpen aria-hidden="true" />
          <span className="name">{names === '' ? 'No folder' : plainName(names)}</span>
        </button>
      }
    >
      <MenuItem icon={<FolderOpen />} onSelect={() => void chooseFolder()}>
        Open a folder …
      </MenuItem>
      {recent.length === 0 ? null : (
        <>
          <MenuGap />
          <MenuHeading>Recent</MenuHeading>
          {recent.slice(0, 10).map((path) => (
            <MenuItem key={path} onSelect={() => void openFolder(path)}>
              <span className="name">{plainName(shorten(path, facts.homeDirectory))}</span>
            </MenuItem>
          ))}
        </>
      )}
    </Menu>
  )
}

function AgentStatus() {
  const state = useConnections()
  const gated = useGatedAgents()
  const mayWriteByRule = useSetting('reviewPathRules').some(({ answer }) => answer === 'write')
  if (!state) return null
  return state.servers.map((server) => {
    const { agent } = server.about
    if (agent === null) return null
    const mine = state.connections.filter((connection) => connection.dialect === server.dialect)
    // Those that are connected to nothing, of which its gate alone tells.
    const others = state.connections.filter(
      (one) =>
        one.agent === agent &&
        one.dialect !== server.dialect &&
        gated.some(({ connection }) => connection === one.id),
    )
    const gate = gateWords([...mine, ...others], gated, mayWriteByRule)
    const words = server.on
      ? mine.length === 0
        ? 'not connected'
        : `${formatNumber(mine.length)} connected`
      : 'switched off'
    return (
      <button
        key={server.dialect}
        type="button"
        className={`status-item row ${gate.isWarning || server.problem ? 'status-warning' : ''}`}
        aria-label={`${agent}: ${words}${gate.words === '' ? '' : `, ${gate.words}`}`}
        onClick={() => showPanel('connections', true)}
      >
        {agent}
        <AgentDot agent={agent} hollow={mine.length === 0} />
        {mine.length === 0 ? null : <span className="number">{formatNumber(mine.length)}</span>}
        {server.on ? null : <span>off</span>}
        {gate.isWarning ? <TriangleAlert aria-hidden="true" /> : null}
        {gate.words === '' ? null : <span>{gate.words}</span>}
      </button>
    )
  })
}

function EditorFacts({ status }: { status: EditorStatus }) {
  const { line, column, selected, language } = status
  return (
    <>
      <button type="button" className="status-item row number" onClick={() => runCommand('editor.goToLine')}>
        Ln {formatNumber(line)}, Col {formatNumber(column)}
        {selected > 0 ? ` (${formatNumber(selected)} selected)` : ''}
      </button>
      <IndentationMenu status={status} />
      <LineEndMenu status={status} />
      <EncodingMenu status={status} />
      <span className="status-fact">{language}</span>
    </>
  )
}

function ReviewStatus() {
  const words = useToDecideWords()
  return (
    <button
      type="button"
      className={`status-item row ${words === '' ? '' : 'status-reviews'}`}
      onClick={() => showSide('reviews', true)}
    >
      {words === '' ? 'No reviews' : words}
    </button>
  )
}
