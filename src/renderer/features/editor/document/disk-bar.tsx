import { FileClock, FilePlus2, Lock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DocumentMeta } from '../../../../shared/contract/documents'
import { ask } from '../../../state/host/calls'
import { tell } from '../../../state/window/notices-mirror'
import { Button } from '../../../ui/controls/button'
import { countOf } from '../../../ui/wording/number-format'
import { saveDocument } from './document-saving'
import type { EditorSession } from '../editor-session'

/** How the text stands to the file on disk, where that needs the person; nothing where all is well. */
export function DiskBar({ session, meta }: { session: EditorSession; meta: DocumentMeta }) {
  const { path } = session
  const resolve = async (how: 'keep-mine' | 'take-disk' | 'merge') => {
    await session.sync.flush()
    const resolved = await ask('documents.resolve', { path, how })
    if (!resolved || how !== 'merge') return
    if (resolved.conflicts === 0) tell('info', `Merged the file's changes into ${session.name}.`)
    else {
      const places = countOf(resolved.conflicts, 'place')
      tell('warning', `${places} in ${session.name} changed on both sides. Look them over before you save.`)
    }
  }
  switch (meta.disk) {
    case 'same':
      if (meta.guessed) return <GuessedBar path={path} />
      if (!meta.readOnly) return null
      return (
        <Bar icon={<Lock />} plain words="You may read this file, but not change it.">
          {null}
        </Bar>
      )
    case 'conflict':
      return (
        <Bar icon={<TriangleAlert />} words="The file changed on disk while you were editing it.">
          <Button size="small" onClick={() => void resolve('keep-mine')}>
            Keep mine
          </Button>
          <Button size="small" onClick={() => void resolve('take-disk')}>
            Take the file's
          </Button>
          <Button size="small" onClick={() => void resolve('merge')}>
            Merge
          </Button>
        </Bar>
      )
    case 'deleted':
      return (
        <Bar icon={<TriangleAlert />} words="The file is gone from disk. Save to write it again.">
          <Button size="small" onClick={() => void saveDocument(path)}>
            Save
          </Button>
        </Bar>
      )
    case 'new':
      return (
        <Bar icon={<FilePlus2 />} plain words="This file is new. It is written when you save it.">
          <Button size="small" onClick={() => void saveDocument(path)}>
            Save
          </Button>
        </Bar>
      )
    case 'recovered':
      return (
        <Bar icon={<FileClock />} words="This is unsaved text from before Greenlight ended unexpectedly.">
          <Button size="small" onClick={() => void saveDocument(path)}>
            Save
          </Button>
          <Button size="small" onClick={() => void ask('documents.revert', { path })}>
            Take the file's
          </Button>
        </Bar>
      )
  }
}

/** A text whose encoding nobody has told is shown, and kept from being written in a wrong one. */
function GuessedBar({ path }: { path: string }) {
  const words = 'This is not UTF-8. It is shown as Latin-1, which is a guess, and cannot be changed so.'
  return (
    <Bar icon={<Lock />} plain words={words}>
      <Button size="small" onClick={() => void ask('documents.reopen', { path, encoding: 'latin-1' })}>
        Edit as Latin-1
      </Button>
    </Bar>
  )
}

function Bar({
  icon,
  words,
  plain = false,
  children,
}: {
  icon: ReactNode
  words: string
  plain?: boolean
  children: ReactNode
}) {
  return (
    <div className={`disk-bar ${plain ? 'disk-bar-plain' : ''}`} role="group" aria-label="File on disk">
      {icon}
      <span className="disk-bar-words">{words}</span>
      {children ? <span className="disk-bar-actions">{children}</span> : null}
    </div>
  )
}
