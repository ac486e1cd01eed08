import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { type Result, fail, succeed } from '../../../shared/result'
import { plainText } from '../../../shared/text/plain-text'
import { type BytesBefore, isAsBefore } from '../../core/changes/baseline'
import type { Checkpoints } from '../../core/changes/checkpoints'
import { readDisk } from '../../core/changes/disk-bytes'
import type { Documents } from '../../core/editing/documents'
import type { Tabs } from '../../core/editing/tabs'
import type { Notices } from '../../core/notices/notices'
import type { ReviewDesk } from '../../core/review/desk'
import type { ConversationFiles } from '../../core/conversation/conversation'
import { beginOwn, mostOwn, showOwn } from './own-proposals'

interface RewindingParts {
  checkpoints: Checkpoints
  documents: Pick<Documents, 'get' | 'settle'>
  desk: Pick<ReviewDesk, 'open' | 'onChange' | 'summary' | 'summaries'>
  tabs: Pick<Tabs, 'openReview' | 'openOther'>
  notices: Pick<Notices, 'warn'>
}

/** Why a file is not proposed. */
type Refusal = 'unknown' | 'unsaved' | 'unreadable' | 'many'

/** So many characters of a message are quoted in a title. */
const quoted = 60

/**
 * Files of a window's conversations as they were before a message: what it takes is proposed to the desk as the person's
 * own changes, and nothing is written before they are decided.
 */
export class Rewinding {
  readonly #parts: RewindingParts
  /** The session of each connection. */
  readonly #sessions = new Map<string, string>()
  /** The proposals of each session's latest rewind. */
  readonly #open = new Map<string, AbortController>()

  constructor(parts: RewindingParts) {
    this.#parts = parts
  }

  /** For a connection's conversation. What its agent is found to have written belongs to the session that it has. */
  of(connection: string): ConversationFiles & { beforeChange(path: string): Promise<void> } {
    const { checkpoints } = this.#parts
    return {
      begin: (session, prompt) => {
        this.#sessions.set(connection, session)
        return checkpoints.begin(session, prompt)
      },
      beforeChange: async (path) => {
        const session = this.#sessions.get(connection)
        if (session !== undefined) await checkpoints.keepPresent(session, path)
      },
      forked: (from, to) => checkpoints.copy(from, to),
      rewind: (session, prompt, message) => this.#rewind(session, prompt, message),
    }
  }

  /** A connection's agent goes on with a session that another connection had. */
  goesOn(connection: string, session: string): void {
    this.#sessions.set(connection, session)
  }

  /** A connection's agent is found to have written a file; `before` is what it held. */
  async found(connection: string, path: string, before: BytesBefore): Promise<void> {
    const session = this.#sessions.get(connection)
    if (session !== undefined) await this.#parts.checkpoints.keepFormer(session, path, before)
  }

  /** Proposes each file changed since a prompt as it was before; gives how many. `message`: what the prompt says. */
  async #rewind(session: string, prompt: string, message: string): Promise<Result<{ files: number }>> {
    const { checkpoints, desk, notices } = this.#parts
    const befores = await checkpoints.before(session, prompt)
    if (befores === null) return notKept
    const connection = `rewind ${session}`
    const title = `Rewind to before “${shorten(message)}”`
    const controller = new AbortController()
    const refused = new Map<Refusal, string[]>()
    const proposed: string[] = []
    for (const [path, before] of [...befores].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      if (isAsBefore(before, await readDisk(path))) continue
      const refuse = (why: Refusal) => refused.set(why, [...(refused.get(why) ?? []), basename(path)])
      if (before === 'unknown') refuse('unknown')
      else if (await this.#isUnsaved(path)) refuse('unsaved')
      else if (proposed.length === mostOwn) refuse('many')
      else {
        const origin = { dialect: 'rewind', connection, agent: 'Rewind', call: randomUUID() }
        const proposal = { origin, path, proposed: before, title, effect: 'host' } as const
        const begun = await beginOwn(desk, proposal, controller.signal)
        if (begun.ok) proposed.push(path)
        else refuse('unreadable')
      }
    }
    this.#open.get(session)?.abort('cancelled')
    this.#open.set(session, controller)
    showOwn(this.#parts, connection, proposed)
    const told = [...refused].map(([why, names]) => tell(why, names))
    if (proposed.length === 0) return told.length > 0 ? fail('refused', told.join(' ')) : nothing
    for (const sentence of told) notices.warn(sentence)
    return succeed({ files: proposed.length })
  }

  async #isUnsaved(path: string): Promise<boolean> {
    const { documents } = this.#parts
    await documents.settle(path)
    const open = documents.get(path)
    return open?.kind === 'text' && open.meta.dirty
  }
}

const notKept = fail(
  'unknown',
  'Greenlight doesn’t know what files held before this message. Choose a later one, or use git.',
)

const nothing = fail(
  'nothing',
  'No file has changed since this message, as far as Greenlight knows. There’s nothing to rewind.',
)

function tell(why: Refusal, names: readonly string[]): string {
  const [first = ''] = names
  const what = names.length === 1 ? first : `${names.length} files`
  const [was, them] = names.length === 1 ? ['was', 'it'] : ['were', 'them']
  switch (why) {
    case 'unknown':
      return `${what} ${was} changed, but the old content isn’t kept. Put ${them} back by hand.`
    case 'unsaved':
      return `${what} ${was} left out because of unsaved text. Save ${them}, then rewind again.`
    case 'unreadable':
      return `${what} ${was} left out: not readable as text. Put ${them} back by hand.`
    case 'many':
      return `${what} ${was} left out: at most ${mostOwn} are shown at once. Decide those, then rewind again.`
  }
}

function shorten(message: string): string {
  const signs = Array.from(plainText(message))
  return signs.length > quoted
    ? `${signs
        .slice(0, quoted - 1)
        .join('')
        .trimEnd()}…`
    : signs.join('')
}
