import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { ContextFile, ContextState } from '../../../shared/contract/context'
import { ask } from '../../state/host/calls'
import { openFile } from '../../state/tabs/wanted-file'
import { Button } from '../../ui/controls/button'
import { FileIcon } from '../../ui/labels/file-icon'
import { IconButton } from '../../ui/controls/icon-button'
import { describePlaceIn } from '../../ui/wording/line-places'
import { countOf } from '../../ui/wording/number-format'
import { plainName } from '../../ui/wording/plain-name'
import { SharedSection, TextPreview } from './context-section'
import { describeWithheld } from './context-words'
import { type Holder, holdersOfFile, holdersOfSelection } from './holders'
import { Received } from './received'

/** At most this many files are listed until the person asks for the rest. */
const mostAtFirst = 50

interface Props {
  context: ContextState
  /** Ids of the current connections. */
  connected: ReadonlySet<string>
  home: string
}

/** The selection or the cursor, and which agents have it. */
export function SelectionSection({ context, connected, home }: Props) {
  const { selection, sharing, sent } = context
  return (
    <SharedSection title="Selection" label="Share the selection" what="selection" sharing={sharing}>
      {selection === null ? (
        <p className="context-fact aside">No selection</p>
      ) : (
        <>
          <p className="context-item row">
            <FileIcon name={selection.name} />
            <span className="name" title={plainName(selection.path)}>
              {plainName(selection.name)}
            </span>
            <span className="context-fact aside context-place number">
              {selection.length > 0 ? describePlaceIn(selection) : `cursor: ${describePlaceIn(selection)}`}
            </span>
          </p>
          {selection.text === '' ? null : (
            <TextPreview label="Selected text" text={selection.text} length={selection.length} />
          )}
          {selection.withheld ? (
            <Kept
              words={describeWithheld(selection.withheld, home)}
              holders={holdersOfFile(sent, connected, selection.path)}
            />
          ) : (
            <Received
              holders={holdersOfSelection(sent, connected, selection)}
              nobody={connected.size === 0 ? 'No agent is connected.' : 'No agent has been told yet.'}
            />
          )}
        </>
      )}
    </SharedSection>
  )
}

/** The open files, and which agents know of each. */
export function FilesSection({ context, connected, home }: Props) {
  const { files, sharing, sent } = context
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? files : files.slice(0, mostAtFirst)
  return (
    <SharedSection title="Open files" label="Share open files" what="files" sharing={sharing}>
      {files.length === 0 ? (
        <p className="context-fact aside">No file is open.</p>
      ) : (
        <ul className="context-files" aria-label="Open files">
          {shown.map((file) => (
            <FileRow
              key={file.path}
              file={file}
              holders={holdersOfFile(sent, connected, file.path)}
              home={home}
            />
          ))}
        </ul>
      )}
      {shown.length < files.length ? (
        <Button size="small" variant="quiet" onClick={() => setWhole(true)}>
          Show {countOf(files.length - shown.length, 'more file')}
        </Button>
      ) : null}
    </SharedSection>
  )
}

function FileRow({ file, holders, home }: { file: ContextFile; holders: readonly Holder[]; home: string }) {
  const { path, name, folder, isActive, withheld } = file
  return (
    <li className={`context-file ${withheld ? 'context-withheld' : ''}`}>
      <div className="context-item row">
        <FileIcon name={name} />
        <button
          type="button"
          className="context-open name"
          title={plainName(path)}
          onClick={() => void openFile(path, { preview: false, focus: true })}
        >
          {plainName(name)}
        </button>
        <span className="context-fact aside context-folder name">{plainName(folder)}</span>
        {isActive ? <span className="context-fact aside context-place">active</span> : null}
        {withheld?.kind === 'excluded' ? null : (
          <IconButton
            className="context-exclude"
            label={`Never share ${plainName(name)}`}
            icon={<EyeOff />}
            tooltipSide="left"
            onClick={() => void ask('context.exclude', { path })}
          />
        )}
      </div>
      {withheld ? (
        <Kept words={describeWithheld(withheld, home)} holders={holders} />
      ) : (
        <Received holders={holders} />
      )}
    </li>
  )
}

/** Why something is not shared, and who may still have it from before. */
function Kept({ words, holders }: { words: string; holders: readonly Holder[] }) {
  return (
    <>
      <span className="icon-line waiting">
        <EyeOff aria-hidden="true" />
        <span>{words}</span>
      </span>
      {holders.length === 0 ? null : (
        <span className="context-kept">
          <span className="context-fact aside">May still be known to</span> <Received holders={holders} />
        </span>
      )}
    </>
  )
}
