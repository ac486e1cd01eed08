import type { Notice } from '../../../shared/contract/notices'
import { type Disposable, type Listen, Emitter } from '../../../shared/lifetime'

/** What changed in a window's notices. */
export type NoticeChange = { kind: 'add'; notice: Notice } | { kind: 'remove'; id: string }

/** What a notice says; the rest is filled in. It stays until dismissed unless it is `passing`. */
export interface NewNotice {
  kind: Notice['kind']
  text: string
  action?: Notice['action']
  passing?: boolean
}

const most = 50
/** A page takes a passing one away itself, sooner, but not while the person points at it. */
const passingMilliseconds = 60_000

/**
 * The sentences that a window has for the person. A repeated text is one notice, told again; beyond 50 the oldest goes.
 * Passing ones leave after a minute.
 */
export class Notices implements Disposable {
  readonly #changes = new Emitter<NoticeChange>()
  readonly #notices = new Map<string, Notice>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #lasting: number
  #next = 1

  readonly onChange: Listen<NoticeChange> = this.#changes.on

  constructor(lastingMilliseconds = passingMilliseconds) {
    this.#lasting = lastingMilliseconds
  }

  /** All notices shown now, oldest first. */
  list(): Notice[] {
    return [...this.#notices.values()]
  }

  /** Shows a notice and returns its id. */
  add(given: NewNotice): string {
    for (const same of this.list()) if (same.text === given.text) this.dismiss(same.id)
    const [oldest] = this.#notices.keys()
    if (this.#notices.size >= most && oldest !== undefined) this.dismiss(oldest)
    return this.#show(`notice-${this.#next++}`, given)
  }

  warn(text: string): void {
    this.add({ kind: 'warning', text })
  }

  /** Replaces an earlier notice, or shows a new one if that is gone. Returns its id. */
  put(id: string | null, given: NewNotice): string {
    return id !== null && this.#notices.has(id) ? this.#show(id, given) : this.add(given)
  }

  #show(id: string, given: NewNotice): string {
    clearTimeout(this.#timers.get(id))
    const notice: Notice = {
      id,
      kind: given.kind,
      text: given.text,
      action: given.action ?? null,
      passing: given.passing ?? false,
    }
    this.#notices.set(id, notice)
    if (notice.passing) this.#timers.set(id, setTimeout(() => this.dismiss(id), this.#lasting).unref())
    this.#changes.emit({ kind: 'add', notice })
    return id
  }

  /** Removes a notice; an unknown id is ignored. */
  dismiss(id: string): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
    if (this.#notices.delete(id)) this.#changes.emit({ kind: 'remove', id })
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#changes.dispose()
  }
}
