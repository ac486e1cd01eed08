import { randomUUID } from 'node:crypto'
import type { FoundFile, SearchQuery } from '../../../shared/contract/search'
import { type Failure, type Result, fail, succeed } from '../../../shared/result'
import { restoreText } from '../../../shared/text/text-facts'
import type { Documents } from '../../core/editing/documents'
import type { Tabs } from '../../core/editing/tabs'
import { readFile } from '../../core/files/read-file'
import type { ReviewDesk } from '../../core/review/desk'
import { beginOwn, mostOwn, showOwn } from './own-proposals'
import type { WindowSearch } from './search-of-window'

/** What the person wants replaced. */
export interface Replacement {
  run: number
  replacement: string
  files: readonly string[]
  leftOut: readonly number[]
}

/** The requester, as the person reads it. */
const agent = 'Search and replace'
const connection = 'search'

/** What a replacement is made of and shown with. */
interface ReplacementParts {
  searching: WindowSearch
  documents: Documents
  desk: ReviewDesk
  tabs: Tabs
}

/** Why a file is not proposed. */
type Refusal = 'unsaved' | 'changed' | 'unlike' | 'unreadable'

/**
 * Proposes each file with its hits replaced to the desk, as the person's own change that the host writes. Gives how
 * many are proposed, and a sentence for each reason why others are not.
 */
export async function proposeReplacement(
  parts: ReplacementParts,
  { run, replacement, files, leftOut }: Replacement,
): Promise<Result<{ proposed: number; told: string[] }>> {
  const { state } = parts.searching.search
  const { query } = state
  if (state.run !== run || query === null) return outOfDate
  const wanted = new Set(files)
  const without = new Set(leftOut)
  const inOrder = state.files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const chosen = inOrder.flatMap((file): FoundFile[] => {
    const hits = file.hits.filter(({ id }) => !without.has(id))
    return wanted.has(file.path) && hits.length > 0 ? [{ ...file, hits }] : []
  })
  const refused = new Map<Refusal, FoundFile[]>()
  const proposed: string[] = []
  let stopped: Failure | null = null
  for (const file of chosen.slice(0, mostOwn)) {
    const text = await replacedText(parts, file, query, replacement)
    if (!text.ok) {
      // It would fail in the same way for the files that are left, each after a long wait.
      stopped = text.failure
      break
    }
    if (typeof text.value === 'string') {
      refused.set(text.value, [...(refused.get(text.value) ?? []), file])
      continue
    }
    const begun = await beginOwn(parts.desk, {
      origin: { dialect: 'search', connection, agent, call: randomUUID() },
      path: file.path,
      proposed: text.value.text,
      title: 'Search and replace',
      effect: 'host',
    })
    if (begun.ok) proposed.push(file.path)
    else refused.set('unreadable', [...(refused.get('unreadable') ?? []), file])
  }
  if (stopped && proposed.length === 0) return { ok: false, failure: stopped }
  showOwn(parts, connection, proposed)
  const told = [...refused].map(([why, those]) => tell(why, those))
  if (stopped) {
    const are = proposed.length === 1 ? 'is' : 'are'
    told.push(`${stopped.message} ${proposed.length} of ${chosen.length} files ${are} ready to review.`)
  } else if (chosen.length > mostOwn) {
    told.push(`Only the first ${mostOwn} files are proposed. Decide those, then replace again.`)
  }
  return succeed({ proposed: proposed.length, told })
}

async function replacedText(
  { documents, searching }: ReplacementParts,
  { path, isUnsaved, hits }: FoundFile,
  query: SearchQuery,
  replacement: string,
): Promise<Result<{ text: string } | Refusal>> {
  await documents.settle(path)
  const open = documents.get(path)
  if (isUnsaved || (open?.kind === 'text' && open.meta.dirty)) return succeed('unsaved')
  const read = await readFile(path)
  if (!read.ok || read.value.kind === 'absent' || read.value.content.kind !== 'text') {
    return succeed('unreadable')
  }
  const { text, facts } = read.value.content
  const raw = restoreText(text, { ...facts, bom: false })
  const replaced = await searching.replacer.replace(raw, hits, query, replacement)
  if (!replaced.ok) return replaced
  return succeed(replaced.value.kind === 'done' ? { text: replaced.value.text } : replaced.value.kind)
}

function tell(why: Refusal, files: readonly FoundFile[]): string {
  const [first] = files
  const names = files.length === 1 ? (first?.name ?? '') : `${files.length} files`
  const [is, has] = files.length === 1 ? ['is', 'has'] : ['are', 'have']
  switch (why) {
    case 'unsaved':
      return `${names} ${has} unsaved text and ${is} skipped. Save first, then replace again.`
    case 'changed':
      return `${names} ${has} changed since the search and ${is} skipped. Search again.`
    case 'unlike':
      return `${names} ${is} skipped: this expression works for search but not for replace. Rewrite it.`
    case 'unreadable':
      return `${names} can’t be read as text and ${is} skipped.`
  }
}

const outOfDate = fail('stale', 'These results are out of date. Search again, then replace.')
