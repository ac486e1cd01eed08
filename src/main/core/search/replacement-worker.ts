import type { SearchHit, SearchQuery } from '../../../shared/contract/search'
import { runTasks } from '../workers/worker-task'
import { type Replaced, type ReplacedHit, previewHit, replaceHits } from './replacement'

export type ReplacementTask =
  | { kind: 'replace'; raw: string; hits: ReplacedHit[]; query: SearchQuery; replacement: string }
  | { kind: 'preview'; hits: SearchHit[]; query: SearchQuery; replacement: string }
export type ReplacementAnswer =
  | { kind: 'replaced'; replaced: Replaced }
  | { kind: 'previews'; texts: (string | null)[] }

runTasks<ReplacementTask, ReplacementAnswer>((task) => {
  const { query, replacement } = task
  if (task.kind === 'replace') {
    const replaced = replaceHits(task.raw, task.hits, query, replacement)
    return { kind: 'replaced', replaced }
  }
  const texts = task.hits.map((hit) => previewHit(hit, query, replacement))
  return { kind: 'previews', texts }
})
