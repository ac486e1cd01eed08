import { FileClock, FilePlus2, Lock, TriangleAlert } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { DocumentMeta } from '../../../../shared/contract/documents'
import { ask } from '../../../state/host/calls'
import { tell } from '../../../state/window/notices-mirror'
import { Button } from '../../../ui/controls/button'
import { InfoBar } from '../../../ui/layout/info-bar'
import { countOf } from '../../../ui/wording/number-format'
import { saveDocument } from './document-saving'
import type { EditorSession } from '../editor-session'

/** Says where the text and the file on disk differ in a way that needs the person; else nothing. */
export function DiskBar({ session, meta }: { session: EditorSession; meta: DocumentMeta }) {
  const { path } = session
  const resolve = async (how: 'keep-mine' | 'take-disk' | 'merge') => {
    const resolved = await session.sync.replace(() => ask('documents.resolve', { path, how }))
    if (!resolved || how !== 'merge') return
    if (resolved.conflicts === 0) tell('info', `Merged the disk version into ${session.name}.`)
    else {
      const places = countOf(resolved.conflicts, 'place')
      tell('warning', `${places} in ${session.name} changed on both sides. Check them before you save.`)
    }
  }
  const save = (
    <Button size="small" onClick={() => void saveDocument(path)}>
      Save
    </Button>
  )
  switch (meta.disk) {
    case 'same':
      if (meta.guessed) return <GuessedBar path={path} />
      return meta.readOnly ? <Bar icon={<Lock />} plain words="This file is read-only." /> : null
    case 'conflict':
      return (
        <Bar icon={<TriangleAlert />} words="This file changed on disk while you were editing it.">
          <Button size="small" onClick={() => void resolve('keep-mine')}>
            Keep my version
          </Button>
          <Button size="small" onClick={() => void resolve('take-disk')}>
            Use disk version
          </Button>
          <Button size="small" onClick={() => void resolve('merge')}>
            Merge
          </Button>
        </Bar>
      )
    case 'deleted':
      return (
        <Bar icon={<TriangleAlert />} words="This file was deleted. Save to create it again.">
          {save}
        </Bar>
      )
    case 'new':
      return (
        <Bar icon={<FilePlus2 />} plain words="New file. Save to create it.">
          {save}
        </Bar>
      )
    case 'recovered':
      return (
        <Bar icon={<FileClock />} words="Your unsaved text from last time is back.">
          {save}
          <Button
            size="small"
            onClick={() => void session.sync.replace(() => ask('documents.revert', { path }))}
          >
            Use disk version
          </Button>
        </Bar>
      )
  }
}

/** For a text whose encoding is a guess: it stays read-only, so that it isn't written in a wrong one. */
function GuessedBar({ path }: { path: string }) {
  const words = 'This file isn’t UTF-8. It’s shown as Latin-1, a guess, and is read-only.'
  return (
    <Bar icon={<Lock />} plain words={words}>
      <Button size="small" onClick={() => void ask('documents.reopen', { path, encoding: 'latin-1' })}>
        Edit as Latin-1
      </Button>
    </Bar>
  )
}

/** For what was typed while the link was lost, in a file that can't be read as text any more. */
export function UnsentBar({ session }: { session: EditorSession }) {
  const words =
    'This file can’t be read as text now. What you typed last is only here: copy it, or try again.'
  return (
    <Bar icon={<TriangleAlert />} words={words}>
      <Button size="small" onClick={() => session.sync.takeAgain()}>
        Try again
      </Button>
    </Bar>
  )
}

function Bar(props: ComponentProps<typeof InfoBar>) {
  return <InfoBar role="group" aria-label="File on disk" {...props} />
}
