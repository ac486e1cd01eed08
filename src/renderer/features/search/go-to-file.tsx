import { Command as Cmdk } from 'cmdk'
import { useEffect, useRef, useState, useEffectEvent } from 'react'
import type { FittingFile } from '../../../shared/contract/search'
import { attempt } from '../../state/host/calls'
import { useMirror } from '../../state/host/mirror'
import { openFile } from '../../state/tabs/wanted-file'
import { fileListMirror } from '../../state/files/search-mirror'
import { Dialog } from '../../ui/overlays/dialog'
import { FileIcon } from '../../ui/labels/file-icon'
import { countOf } from '../../ui/wording/number-format'
import { Toggle } from '../../ui/controls/toggle'
import { MarkedText } from './marked-text'
import { readTypedPlace } from './typed-place'
import '../../ui/controls/choice-list.css'
import './go-to-file.css'

/** Opens a file by some letters of its path; `:line:column` after them goes to a place in it. */
export function GoToFile({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const chosen = useRef(false)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Go to file"
      titleUnseen
      width={640}
      atTop
      onCloseAutoFocus={(event) => {
        // The chosen file's editor takes the focus itself.
        if (chosen.current) event.preventDefault()
        chosen.current = false
      }}
    >
      <FileChoice
        onChoose={(file, at) => {
          chosen.current = true
          onOpenChange(false)
          void openFile(file.path, { preview: false, focus: true, at: at ?? undefined })
        }}
      />
    </Dialog>
  )
}

/** The host's last answer and the letters it is for; null before the first one. */
interface Answer {
  found: Found | null
  problem: string | null
  letters: string | null
}

interface Found {
  files: readonly FittingFile[]
  count: number
  isWhole: boolean
}

function FileChoice({
  onChoose,
}: {
  onChoose: (file: FittingFile, at: { line: number; character: number } | null) => void
}) {
  const [typed, setTyped] = useState('')
  const [withIgnored, setWithIgnored] = useState(false)
  const [active, setActive] = useState('')
  const place = readTypedPlace(typed)
  const { found, problem, letters } = useFiles(place.letters, withIgnored, (first) => setActive(first))
  const files = found?.files ?? []
  const isBehind = letters !== place.letters
  // Enter right after typing means the best match for all the letters, not for those answered so far.
  const [isChoosing, setChoosing] = useState(false)
  const chooseFirst = useEffectEvent(() => {
    setChoosing(false)
    if (files[0]) onChoose(files[0], place.at)
  })
  useEffect(() => {
    if (isChoosing && !isBehind) chooseFirst()
  }, [isChoosing, isBehind])
  return (
    <Cmdk
      label="Go to file"
      shouldFilter={false}
      loop
      className="palette column"
      value={active}
      onValueChange={setActive}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && isBehind && !event.nativeEvent.isComposing) {
          setChoosing(true)
          event.preventDefault()
        }
      }}
    >
      <Cmdk.Input
        className="palette-field"
        placeholder="Go to file (add :line)"
        value={typed}
        onValueChange={(text) => {
          setTyped(text)
          setChoosing(false)
        }}
      />
      <Cmdk.List className="palette-list">
        {found === null ? (
          <p className="palette-empty">{problem ?? 'Looking for files …'}</p>
        ) : (
          <Cmdk.Empty className="palette-empty">No matching files</Cmdk.Empty>
        )}
        {files.map((file) => (
          <Cmdk.Item
            key={file.path}
            value={file.path}
            className="palette-item row file-choice"
            onSelect={() => onChoose(file, place.at)}
          >
            <FileLine file={file} />
          </Cmdk.Item>
        ))}
      </Cmdk.List>
      <footer className="file-choice-foot row aside">
        <span className="number">
          {found === null ? '' : `${countOf(found.count, 'file')}${found.isWhole ? '' : ', more not shown'}`}
        </span>
        <Toggle label="Include ignored files" checked={withIgnored} onCheckedChange={setWithIgnored} />
      </footer>
    </Cmdk>
  )
}

function FileLine({ file: { text, marks, isRecent } }: { file: FittingFile }) {
  const name = text.lastIndexOf('/') + 1
  return (
    <>
      <span className="file-choice-icon">
        <FileIcon name={text.slice(name)} />
      </span>
      <span className="name file-choice-name" dir="auto">
        <MarkedText text={text.slice(name)} marks={marks} from={name} />
      </span>
      <span className="name file-choice-folder aside">
        <MarkedText text={text.slice(0, Math.max(0, name - 1))} marks={marks} from={0} />
      </span>
      {isRecent ? <span className="file-choice-recent aside">recent</span> : null}
    </>
  )
}

/** The files that match, asked for with each letter; an answer overtaken by a newer one is dropped. */
function useFiles(letters: string, withIgnored: boolean, onFirst: (path: string) => void): Answer {
  const [answer, setAnswer] = useState<Answer>({ found: null, problem: null, letters: null })
  const generation = useMirror(fileListMirror, (state) => state?.generation ?? 0)
  const asked = useRef(0)
  const listed = useRef<{ withIgnored: boolean } | null>(null)
  const shown = useRef('')
  const tellFirst = useEffectEvent(onFirst)
  useEffect(() => {
    const number = ++asked.current
    const refresh = listed.current?.withIgnored !== withIgnored
    listed.current = { withIgnored }
    void attempt('search.files', { typed: letters, withIgnored, refresh }).then((result) => {
      if (number !== asked.current) return
      if (!result.ok) return setAnswer({ found: null, problem: result.failure.message, letters })
      setAnswer({ found: result.value, problem: null, letters })
      // The best match is selected again when other letters are typed, not when only the list was renewed.
      if (shown.current !== letters || result.value.files.length === 0)
        tellFirst(result.value.files[0]?.path ?? '')
      shown.current = letters
    })
  }, [letters, withIgnored, generation])
  return answer
}
