import { basename, dirname } from 'node:path'
import type { Comparison } from '../../../shared/contract/comparison'
import type { ComparedWith } from '../../../shared/contract/tabs'
import { DisposableStack, disposable } from '../../../shared/lifetime'
import { fail, succeed, type Result } from '../../../shared/result'
import { decodeText } from '../../../shared/text/text-facts'
import type { Documents } from '../../core/editing/documents'
import { readFile } from '../../core/files/read-file'
import type { WriteRecord } from '../../core/review/record/write-record'
import type { FollowedBranch } from '../../core/git/followed-branch'
import { readCommitted, readWorkTree } from '../../core/git/work-tree'
import type { TextHandles } from '../text-handles'
import type { PageHandlers } from './page-handlers'

/** After a change the texts are sent again once it has been quiet this long, in milliseconds. */
const pause = 250
/** A committed text above this size is not compared, in bytes. */
const mostBytes = 20 * 1000 * 1000

interface Compares {
  writes: WriteRecord
  documents: Documents
  texts: TextHandles
  branch: FollowedBranch
}

type Recorded = Extract<ComparedWith, { kind: 'record' }>

/** Two texts side by side, for as long as the page shows them. */
export function comparisonHandlers(sources: Compares): PageHandlers<never, 'comparison'> {
  return {
    calls: {},
    topics: {
      comparison: ({ path, against }, sink) => {
        let isEnded = false
        let told = false
        let timer: NodeJS.Timeout | undefined
        let running: Promise<void> = Promise.resolve()
        const look = () => {
          running = running.then(async () => {
            const state = await compare(sources, path, against)
            if (isEnded) return
            if (told) sink.delta(state)
            else sink.snapshot(state)
            told = true
          })
        }
        const later = () => {
          clearTimeout(timer)
          timer = setTimeout(look, pause)
        }
        look()
        return new DisposableStack(
          sources.documents.on((event) => {
            if (event.path === path || (against.kind === 'file' && event.path === against.path)) later()
          }),
          sources.branch.onChange(later),
          disposable(() => {
            isEnded = true
            clearTimeout(timer)
          }),
        )
      },
    },
  }
}

async function compare(sources: Compares, path: string, against: ComparedWith): Promise<Comparison> {
  if (against.kind === 'record') return compareRecord(sources, against)
  const [before, after] = await Promise.all([textBefore(sources, path, against), textNow(sources, path)])
  if (!before.ok) return { kind: 'failed', failure: before.failure }
  if (!after.ok) return { kind: 'failed', failure: after.failure }
  const name = basename(path)
  const beforeNames = { saved: `${name}, saved`, head: `${name}, last commit`, file: '' }
  return {
    kind: 'texts',
    before: sources.texts.refer(before.value),
    after: sources.texts.refer(after.value),
    beforeName: against.kind === 'file' ? basename(against.path) : beforeNames[against.kind],
    afterName: name,
  }
}

async function compareRecord({ writes, texts }: Compares, { entry, side }: Recorded): Promise<Comparison> {
  const found = await writes.texts(entry)
  const after = found?.[side] ?? null
  if (!found || after === null) return { kind: 'failed', failure: notKept.failure }
  const name = basename(found.path)
  return {
    kind: 'texts',
    before: texts.refer(found.before),
    after: texts.refer(after),
    beforeName: `${name}, before`,
    afterName: `${name}, ${side}`,
  }
}

const notKept = fail('gone', 'The texts of this change are no longer kept. See the file’s history.')

async function textBefore(
  sources: Compares,
  path: string,
  against: Exclude<ComparedWith, Recorded>,
): Promise<Result<string>> {
  switch (against.kind) {
    case 'saved':
      return textOnDisk(path)
    case 'file':
      return textNow(sources, against.path)
    case 'head': {
      const tree = await readWorkTree(dirname(path))
      if (!tree)
        return fail('no-git', `${basename(path)} isn’t in a git repository. Compare it with another file.`)
      if (tree.commit === null) return succeed('')
      const committed = (await readCommitted(tree, [path], () => undefined, mostBytes)).get(path)
      switch (committed?.kind) {
        case 'file':
          return textOf(path, decodeText(committed.bytes))
        case 'absent':
          return succeed('')
        default:
          return fail('failed', `git could not tell what ${basename(path)} was. Try again.`)
      }
    }
  }
}

/** The text as it is in the editor, else as it is on disk. */
function textNow(sources: Compares, path: string): Promise<Result<string>> {
  const open = sources.documents.get(path)
  return open?.kind === 'text' ? Promise.resolve(succeed(open.text.toString())) : textOnDisk(path)
}

async function textOnDisk(path: string): Promise<Result<string>> {
  const read = await readFile(path, { maxBytes: mostBytes })
  if (!read.ok) return read
  return read.value.kind === 'absent' ? succeed('') : textOf(path, read.value.content)
}

function textOf(path: string, content: { kind: 'text'; text: string } | { kind: 'binary' }): Result<string> {
  return content.kind === 'text'
    ? succeed(content.text)
    : fail('binary', `${basename(path)} isn’t a text file. Choose text files.`)
}
