import type { DrivenConversation } from '../../core/conversation/conversation'
import { claude } from '../../core/agents/claude'
import { type Result, fail, succeed } from '../../../shared/result'
import type { RecordedSession } from '../../protocols/session-server/ports'
import type { DialectApp, SharedServerWindow } from '../dialect-kit/dialect'

/** Only such an id can be given to a new session (measured with 2.1.330). */
const givenId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
/** What a new session begins with: it asks, whatever the person chose for their own. */
const plainValues = {
  ...{ model: 'default', permissionMode: 'default', effort: 'default' },
  ...{ systemPromptMode: 'none', forkSession: false },
}

const notRunning = fail(
  'not-running',
  'This session isn’t running. Resume it in Greenlight, then send this again.',
)
const noFolder = fail('no-window', 'No window with a folder is open. Open one, then send this again.')

/** Brings messages of other programs to the agents of sessions, and begins sessions for them. */
export class SessionDelivery {
  readonly #app: DialectApp
  /** Conversations that were begun here, until they are known by their session. */
  readonly #begun = new Map<string, DrivenConversation>()

  constructor(app: DialectApp) {
    this.#app = app
  }

  /** A session that its first message would begin, in a window's first folder; null if none may be. */
  toBegin(id: string): RecordedSession | null {
    const { history } = this.#app
    const folder = this.#window()?.folders.paths[0]
    if (!this.#mayStart || !givenId.test(id) || folder === undefined) return null
    const path = history.placeToBegin(id, folder)
    if (path === null) return null
    const nothing = { firstPrompt: null, branch: null, startedAt: null, figures: null, running: null }
    return { ...nothing, id, path, title: id, folder, lastAt: Date.now(), activity: 'idle' }
  }

  async deliver({ id }: Pick<RecordedSession, 'id'>, text: string): Promise<Result<{ resumed: boolean }>> {
    const { drivenSessions, history } = this.#app
    const running = drivenSessions.running(id)
    if (running) return this.#say(running, text)
    const { kind } = await history.placeOf(id)
    const ended = drivenSessions.latest(id) ?? this.#begun.get(id)
    if (ended && kind === 'none') return this.#say(ended, text)
    const isThere = kind !== 'none' || history.list.get(id) || (await history.list.find(id))
    return isThere ? history.send(id, text) : this.#begin(id, text)
  }

  async #say(conversation: DrivenConversation, text: string): Promise<Result<{ resumed: boolean }>> {
    const isOver = conversation.state.process.phase === 'ended'
    if (isOver && !this.#mayStart) return notRunning
    const started = isOver ? await conversation.restart() : succeed({})
    const sent = started.ok ? await conversation.send(messageOf(text)) : started
    return sent.ok ? succeed({ resumed: isOver }) : sent
  }

  async #begin(id: string, text: string): Promise<Result<{ resumed: boolean }>> {
    if (!this.#mayStart) return notRunning
    const window = this.#window()
    const starter = window?.starters.find(({ agent }) => agent === claude.id)
    if (!window || !starter) return noFolder
    const begun = await starter.begin({ ...plainValues, sessionId: id }, messageOf(text), 'program')
    if (!begun.ok) return begun
    const conversation = window.conversations.get(begun.value.id)
    if (conversation) this.#begun.set(id, conversation)
    return succeed({ resumed: false })
  }

  get #mayStart(): boolean {
    return this.#app.settingsStore.get().sessionsResume
  }

  #window(): SharedServerWindow | undefined {
    return this.#app.windows().find(({ folders }) => folders.paths.length > 0)
  }
}

function messageOf(text: string) {
  return { text, pictures: [], withContext: false }
}
