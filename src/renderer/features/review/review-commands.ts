import { type Command, registerCommands } from '../../commands/registry'
import { type Disposable, disposable } from '../../../shared/lifetime'
import type { ReviewController } from './review-controller'

/** The attribute of a review's region by which commands find the review. */
export const reviewAttribute = 'data-review'

const shown = new Map<string, ReviewController>()

/** Makes a review reachable for commands while it is shown. */
export function showController(controller: ReviewController): Disposable {
  // Not the review's id: it can be shown twice, in its tab and among all.
  const id = controller.session.client
  shown.set(id, controller)
  return disposable(() => {
    if (shown.get(id) === controller) shown.delete(id)
  })
}

function controllerAt(target: Element | null): ReviewController | undefined {
  const region = target?.closest(`[${reviewAttribute}]`)
  return shown.get(region?.getAttribute(reviewAttribute) ?? '')
}

/** Keeps a key that has just decided one review from deciding the next one when it is pressed twice. */
export function holdDecisions(): void {
  for (const controller of shown.values()) controller.guard.restart()
}

/** Focuses a shown review; no key decides it until it has been there for a while. */
export function enterReview(region: HTMLElement): void {
  controllerAt(region)?.guard.restart()
  region.focus({ preventScroll: true })
}

function act(run: (controller: ReviewController) => void): Command['run'] {
  return (target) => {
    const controller = controllerAt(target)
    if (controller) run(controller)
  }
}

/** A decision by key: only while the review has the focus and has been visible, and never amid composing. */
function decide(run: (controller: ReviewController) => void): Command['run'] {
  return act((controller) => {
    if (controller.guard.isSeen && controller.editor?.isComposing !== true) run(controller)
  })
}

/** A field beside the text (a note, the search) has its own Enter; nothing is decided from there. */
const isNoField = (target: Element | null) => target?.closest('input, textarea') == null

/** The text has its own keys for undo; these are for the buttons beside it. */
const isButton = (target: Element | null) => target?.closest('button') != null

const commands: readonly Omit<Command, 'scope'>[] = [
  {
    id: 'review.nextChange',
    title: 'Next change',
    menu: ['review', 1],
    keys: ['F7'],
    repeats: true,
    run: act((review) => review.goTo(1)),
  },
  {
    id: 'review.previousChange',
    title: 'Previous change',
    menu: ['review', 1],
    keys: ['Shift+F7'],
    repeats: true,
    run: act((review) => review.goTo(-1)),
  },
  {
    id: 'review.acceptChange',
    title: 'Accept change',
    menu: ['review', 2],
    keys: ['Mod+Shift+Y'],
    when: isNoField,
    run: decide((review) => review.decideCurrent('accept')),
  },
  {
    id: 'review.rejectChange',
    title: 'Reject change',
    menu: ['review', 2],
    keys: ['Mod+Shift+D'],
    when: isNoField,
    run: decide((review) => review.decideCurrent('reject')),
  },
  {
    id: 'review.acceptFile',
    title: 'Accept file',
    menu: ['review', 2],
    keys: ['Mod+Enter'],
    when: isNoField,
    run: decide((review) => void review.acceptFile()),
  },
  {
    id: 'review.rejectFile',
    title: 'Reject file',
    menu: ['review', 2],
    keys: ['Mod+Shift+Backspace'],
    when: isNoField,
    run: decide((review) => void review.rejectFile()),
  },
  {
    id: 'review.comment',
    title: 'Comment on the selected lines',
    menu: ['review', 2],
    keys: ['Mod+Alt+M'],
    when: isNoField,
    run: act((review) => review.comment('lines')),
  },
  {
    id: 'review.commentFile',
    title: 'Comment on the file',
    menu: ['review', 2],
    when: isNoField,
    run: act((review) => review.comment('file')),
  },
  {
    id: 'review.insist',
    title: 'Decide anyway, unrecorded',
    menu: ['review', 2],
    run: decide((review) => review.insist(true)),
  },
  {
    id: 'review.keepDraft',
    title: 'Keep the review’s draft',
    menu: ['review', 3],
    keys: ['Mod+S'],
    run: act((review) => void review.keepDraft()),
  },
  {
    id: 'review.undo',
    title: 'Undo in the review',
    keys: ['Mod+Z'],
    when: isButton,
    unlisted: true,
    run: act((review) => review.undo()),
  },
  {
    id: 'review.redo',
    title: 'Redo in the review',
    keys: ['Mod+Shift+Z', 'Mod+Y'],
    when: isButton,
    unlisted: true,
    run: act((review) => review.redo()),
  },
]

/** Registers the commands of reviews; once for the page. */
export function registerReviewCommands(): Disposable {
  return registerCommands(commands.map((command) => ({ ...command, scope: 'review' })))
}
