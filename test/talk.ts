import type { FieldValues } from '../src/shared/approval/approval-fields'
import type { LiveConversationState, OutgoingMessage } from '../src/shared/contract/conversations'
import { LiveTranscript, type TranscriptPage } from '../src/shared/conversation/live-transcript'
import { type Item, textOf, toolsOf, type ToolCall } from '../src/shared/conversation/transcript'
import { DisposableStack } from '../src/shared/lifetime'
import type { WindowHost } from '../src/main/app/window-host'
import { pageOf } from './plain-app'

type Page = ReturnType<typeof pageOf>

/** A message of text alone. */
export function message(text: string): OutgoingMessage {
  return { text, pictures: [], withContext: false }
}

/** A conversation as a page has it, driven by the page's calls: for tests without a page. */
export class Talk {
  readonly page: Page
  readonly id: string
  readonly transcript = new LiveTranscript()
  state: LiveConversationState | null = null
  /** Each activity that was told, in order. */
  readonly activities: string[] = []
  readonly #listening = new DisposableStack()
  readonly #waits = new Set<() => void>()

  private constructor(page: Page, id: string) {
    this.page = page
    this.id = id
    const look = () => [...this.#waits].forEach((hear) => hear())
    const note = (state: { activity?: string | undefined } | null) => {
      if (state?.activity !== undefined && state.activity !== this.activities.at(-1))
        this.activities.push(state.activity)
    }
    this.#listening.add(
      page.subscribe(
        'conversation',
        { id },
        {
          snapshot: (state) => {
            this.state = state && { ...state }
            note(state)
            look()
          },
          delta: (delta) => {
            if (this.state) Object.assign(this.state, delta)
            note(delta)
            look()
          },
          refused: look,
        },
      ),
    )
    this.#listening.add(
      page.subscribe(
        'transcript',
        { id },
        {
          snapshot: (shown: TranscriptPage | null) => {
            if (shown) this.transcript.prependPage(shown)
            look()
          },
          delta: ({ changes }) => {
            this.transcript.apply(changes)
            look()
          },
          refused: look,
        },
      ),
    )
  }

  /** Begins a conversation with Claude, as the dialog does. */
  static async begin(window: WindowHost, values: FieldValues = {}, first?: string): Promise<Talk> {
    const page = pageOf(window)
    const begun = await page.call('conversation.begin', {
      agent: 'claude',
      values: values as Record<string, string>,
      first: first === undefined ? null : message(first),
    })
    if (!begun.ok) throw new Error(begun.failure.message)
    return new Talk(page, begun.value.id)
  }

  /** A conversation that there is already. */
  static of(window: WindowHost, id: string): Talk {
    return new Talk(pageOf(window), id)
  }

  /** Another conversation of the same window. */
  other(id: string): Talk {
    return new Talk(this.page, id)
  }

  async send(text: string): Promise<void> {
    const sent = await this.page.call('conversation.send', { id: this.id, ...message(text) })
    if (!sent.ok) throw new Error(sent.failure.message)
  }

  /** Waits until something holds of the conversation; told with what there is if it doesn't in time, in milliseconds. */
  until<T>(what: string, holds: (talk: this) => T | undefined | null | false, limit = 60_000): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = holds(this)
        if (found === undefined || found === null || found === false) return
        clearTimeout(timer)
        this.#waits.delete(look)
        resolve(found)
      }
      const timer = setTimeout(() => {
        this.#waits.delete(look)
        reject(new Error(`${what} did not come within ${limit} ms:\n${this.describe()}`))
      }, limit)
      this.#waits.add(look)
      look()
    })
  }

  /** Waits until the agent has worked and rests again, for the `count`th time. */
  rests(count = 1): Promise<true> {
    return this.until(`the end of turn ${count}`, () => {
      const ends = this.activities.filter(
        (one, at) => one === 'idle' && this.activities[at - 1] === 'working',
      )
      return ends.length >= count
    })
  }

  get items(): readonly Item[] {
    return this.transcript.items
  }

  /** Each item in a few words. */
  get said(): string[] {
    return this.items.map((item) =>
      item.kind === 'notice' ? `${item.what}: ${item.text}` : `${item.kind}: ${textOf(item.blocks)}`,
    )
  }

  get calls(): ToolCall[] {
    return this.items.flatMap((item) => (item.kind === 'notice' ? [] : toolsOf(item.blocks)))
  }

  describe(): string {
    const { controls: _controls, commands: _commands, parts: _parts, ...state } = this.state ?? {}
    return JSON.stringify(
      { said: this.said, calls: this.calls.map(({ name, state }) => `${name} ${state}`), state },
      null,
      1,
    ).slice(0, 6000)
  }

  dispose(): void {
    this.#listening.dispose()
  }
}
