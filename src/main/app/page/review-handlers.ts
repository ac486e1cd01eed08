import { basename, join } from 'node:path'
import type { ReviewState } from '../../../shared/contract/review'
import type { Draft } from '../../../shared/review/draft'
import { areLong, headOf } from '../../../shared/review/draft-head'
import { type Done, fail, succeed } from '../../../shared/result'
import { writeFileAtomically } from '../../core/files/write-file'
import { hashContent } from '../../core/files/content-hash'
import type { Ledger } from '../../core/files/ledger'
import type { ReviewDesk } from '../../core/review/desk'
import { describePlace } from '../folder-names'
import type { TextHandles } from '../text-handles'
import type { WindowFolders } from '../window-folders'
import type { ReviewEndNotices } from '../wiring/review-end-notices'
import type { PageHandlers } from './page-handlers'

interface ReviewSources {
  desk: ReviewDesk
  /** The window's id. */
  window: string
  folders: WindowFolders
  endings: ReviewEndNotices
  texts: TextHandles
  ledger: Ledger
  home: string
}

/** The desk as one window's page sees it. */
export function reviewHandlers(sources: ReviewSources): PageHandlers<'review', 'reviews' | 'review'> {
  const { desk, window, folders, endings, home } = sources
  const isHere = (id: string) => desk.placeOf(id)?.window === window
  const decidedHere = () =>
    desk.decided().map((review) => {
      const { folder } = describePlace(folders.named, review.path, home)
      return { ...review, folder }
    })
  /** A decision is done when it counts. */
  const decide = async (id: string, decided: Done): Promise<Done> => (decided.ok ? desk.counts(id) : decided)
  const decideAll = async (
    reviews: readonly { id: string; revision: number }[],
    decideOne: (id: string, revision: number) => Done,
  ) => {
    const within = reviews.filter(({ id }) => isHere(id) && desk.placeOf(id)?.isOutside === false)
    endings.begin(within.map(({ id }) => id))
    const all = await Promise.all(within.map(({ id, revision }) => decide(id, decideOne(id, revision))))
    endings.leave(within.flatMap(({ id }, index) => (all[index]?.ok ? [] : [id])))
    const done = all.filter(({ ok }) => ok).length
    const unrecorded = all.find((one) => !one.ok && one.failure.code === 'unrecorded')
    const problem = unrecorded?.ok === false ? { problem: unrecorded.failure.message } : {}
    return { done, left: reviews.length - done, ...problem }
  }
  return {
    calls: {
      'review.step': ({ id, ...push }) => desk.step(id, push),
      'review.accept': ({ id, revision, insists }) => decide(id, desk.accept(id, revision, insists)),
      'review.reject': ({ id, revision, note, insists }) =>
        decide(id, desk.reject(id, revision, note, insists)),
      'review.comment': ({ id, comments }) => desk.comment(id, comments),
      'review.acceptAll': ({ reviews }) => decideAll(reviews, (id, revision) => desk.accept(id, revision)),
      'review.rejectAll': ({ reviews }) => decideAll(reviews, (id, revision) => desk.reject(id, revision)),
      'review.keep': ({ id, revision }) => desk.keep(id, revision),
      'review.savePatch': ({ id }) => savePatch(sources, id),
      'review.discard': ({ id, revision }) => desk.discard(id, revision),
      'review.discardAll': ({ reviews }) => {
        const orphans = reviews.filter(({ id }) => isHere(id) && desk.summary(id)?.phase === 'orphaned')
        const done = orphans.filter(({ id, revision }) => desk.discard(id, revision).ok).length
        return { done, left: reviews.length - done }
      },
      'review.writeMyself': ({ id, revision }) => desk.writeMyself(id, revision),
      'review.takeOffered': ({ id, revision }) => desk.takeOffered(id, revision),
      'review.undo': ({ id }) => desk.undo(id),
      'review.reopen': ({ id }) => desk.reopen(id),
    },
    topics: {
      reviews: (_params, sink) => {
        sink.snapshot({
          reviews: desk.summaries().filter(({ id }) => isHere(id)),
          decided: decidedHere(),
        })
        return desk.onChange((event) => {
          if (event.kind === 'put') {
            const review = isHere(event.id) ? desk.summary(event.id) : null
            sink.delta(review ? { kind: 'put', review } : { kind: 'remove', id: event.id })
          } else if (event.kind === 'remove') sink.delta({ kind: 'remove', id: event.id })
          else if (event.kind === 'decided') sink.delta({ kind: 'decided', decided: decidedHere() })
        })
      },
      review: ({ id }, sink) => {
        const state = stateOf(sources, id)
        if (state) sink.snapshot(state)
        // A review that is over before the page asked for it says so instead of staying blank.
        else sink.delta({ kind: 'closed', how: 'This review has ended.' })
        return desk.onDelta((event) => event.id === id && sink.delta(event.delta))
      },
    },
  }
}

function stateOf({ desk, texts }: ReviewSources, id: string): ReviewState | null {
  const summary = desk.summary(id)
  const found = desk.content(id)
  if (!summary || !found) return null
  const { content, offered, earlier } = found
  const comments = [...found.comments]
  if (content.kind === 'binary') {
    const sizeAfter = content.written ? (content.written.size ?? 0) : Buffer.byteLength(content.text)
    return {
      summary,
      comments,
      earlier,
      draft: { kind: 'binary', sizeBefore: content.sizeBefore, sizeAfter },
    }
  }
  const { draft, facts, version, clients, lineEnds } = content
  const { encoding, bom, eol } = facts
  const [a, b] = [texts.refer(draft.a), texts.refer(draft.b)]
  const head = 'handle' in a || 'handle' in b || areLong(draft.hunks) ? headFor(draft) : null
  return {
    summary,
    comments,
    earlier,
    draft: {
      kind: 'text',
      version,
      clients: Object.fromEntries(clients),
      a,
      b,
      hunks: areLong(draft.hunks) ? texts.later(() => JSON.stringify(draft.hunks)) : [...draft.hunks],
      ...(head ? { head } : {}),
      facts: { encoding, bom, eol },
      offered,
      lineEndsOnly: lineEnds !== null,
    },
  }
}

/** What the page can show of a long draft before the rest has come. */
function headFor(draft: Draft) {
  const head = headOf(draft)
  if (!head) return null
  const lines = Math.max(draft.a.lines, draft.b.lines)
  return { a: head.a.toString(), b: head.b.toString(), hunks: [...head.hunks], lines }
}

const mostNames = 1000

async function savePatch({ desk, ledger, folders, home }: ReviewSources, id: string) {
  const patch = desk.patch(id)
  if (!patch) return fail('gone', 'There’s no text to make a patch from. Check the list of reviews.')
  const folder = folders.paths[0] ?? home
  for (let number = 1; number < mostNames; number++) {
    const path = join(folder, `${basename(patch.path)}${number === 1 ? '' : `.${number}`}.patch`)
    const bytes = Buffer.from(patch.text)
    // The file is the person's own, even while an agent works.
    const expected = { path, hash: hashContent(bytes) }
    ledger.expect(expected)
    const written = await writeFileAtomically(path, bytes, { exclusive: true })
    if (written.ok) return succeed({ path })
    ledger.cancel(expected)
    if (written.failure.code !== 'taken') return written
  }
  return fail('failed', 'There are too many patches with this name. Remove some and try again.')
}
