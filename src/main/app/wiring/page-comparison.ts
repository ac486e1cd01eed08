import { basename, dirname } from 'node:path'
import type { Comparison } from '../../../shared/contract/comparison'
import type { ComparedWith } from '../../../shared/contract/tabs'
import { disposable } from '../../../shared/lifetime'
import { fail, succeed, type Result } from '../../../shared/result'
import { decodeText } from '../../../shared/text'
import { readFile } from '../../core/files/read-file'
import { readCommitted, readWorkTree } from '../../core/git/work-tree'
import type { WindowHost } from '../window-host'
import type { PageHandlers } from './page-handlers'

/** After a change the texts are told anew when it has been quiet so long, in milliseconds. */
const pause = 250
/** A committed text above this size is not compared, in bytes. */
const mostBytes = 20 * 1000 * 1000

/** Two texts side by side, for as long as the page shows them. */
export function comparisonHandlers(window: WindowHost): PageHandlers<never, 'comparison'> {
  return {
    calls: {},
    topics: {
      comparison: ({ path, against }, sink) => {
        let isEnded = false
        let told = false
        let timer: NodeJS.Timeout | null = null
        let running: Promise<void> = Promise.resolve()
        const look = () => {
          running = running.then(async () => {
            const state = await compare(window, path, against)
            if (isEnded) return
            if (told) sink.delta(state)
            else sink.snapshot(state)
            told = true
          })
        }
        const later = () => {
          if (timer !== null) clearTimeout(timer)
          timer = setTimeout(look, pause)
        }
        const listening = [
          window.parts.documents.on((event) => {
            if (event.path === path || (against.kind === 'file' && event.path === against.path)) later()
          }),
          window.onBranch(later),
        ]
        look()
        return disposable(() => {
          isEnded = true
          if (timer !== null) clearTimeout(timer)
          for (const item of listening) item.dispose()
        })
      },
    },
  }
}

async function compare(window: WindowHost, path: string, against: ComparedWith): Promise<Comparison> {
  const [before, after] = await Promise.all([textBefore(window, path, against), textNow(window, path)])
  if (!before.ok) return { kind: 'failed', failure: before.failure }
  if (!after.ok) return { kind: 'failed', failure: after.failure }
  const name = basename(path)
  const beforeNames = { saved: `${name}, saved`, head: `${name}, last commit`, file: '' }
  return {
    kind: 'texts',
    before: window.texts.refer(before.value),
    after: window.texts.refer(after.value),
    beforeName: against.kind === 'file' ? basename(against.path) : beforeNames[against.kind],
    afterName: name,
  }
}

async function textBefore(window: WindowHost, path: string, against: ComparedWith): Promise<Result<string>> {
  switch (against.kind) {
    case 'saved':
      return textOnDisk(path)
    case 'file':
      return textNow(window, against.path)
    case 'head': {
      const tree = await readWorkTree(dirname(path))
      if (!tree)
        return fail('no-git', `${basename(path)} is in no git repository. Compare it with another file.`)
      if (tree.commit === null) return succeed('')
      const committed = (await readCommitted(tree, [path], () => undefined, mostBytes)).get(path)
      switch (committed?.kind) {
        case 'file':
          return decode(path, committed.bytes)
        case 'absent':
          return succeed('')
        default:
          return fail('failed', `git could not tell what ${basename(path)} was. Try again.`)
      }
    }
  }
}

/** The text as it is in the editor, else as it is on disk. */
function textNow(window: WindowHost, path: string): Promise<Result<string>> {
  const open = window.parts.documents.get(path)
  return open?.kind === 'text' ? Promise.resolve(succeed(open.text.toString())) : textOnDisk(path)
}

async function textOnDisk(path: string): Promise<Result<string>> {
  const read = await readFile(path, { maxBytes: mostBytes })
  if (!read.ok) return read
  if (read.value.kind === 'absent') return succeed('')
  const { content } = read.value
  return content.kind === 'text'
    ? succeed(content.text)
    : fail('binary', `${basename(path)} is no text. Choose text files.`)
}

function decode(path: string, bytes: Uint8Array): Result<string> {
  const decoded = decodeText(bytes)
  return decoded.kind === 'text'
    ? succeed(decoded.text)
    : fail('binary', `${basename(path)} is no text. Choose text files.`)
}
