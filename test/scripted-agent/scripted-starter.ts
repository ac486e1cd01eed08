import type { ConversationStarter } from '../../src/main/core/conversation/conversation'
import type { Field, FieldValues } from '../../src/shared/approval/approval-fields'
import { fail, succeed } from '../../src/shared/result'
import type { ScriptedConversations } from './scripted-conversations'

const choice = (value: string, label: string, help: string | null = null) => ({ value, label, help })
const text = (id: string, label: string, help: string | null, more: object = {}): Field => ({
  ...{ id, label, help, required: false, kind: 'text', lines: 'one', format: 'text' },
  ...{ shortest: null, longest: null, initial: null, ...more },
})
const fields: readonly Field[] = [
  {
    ...{ id: 'model', label: 'Model', help: null, required: true, kind: 'choice', allowsOther: true },
    initial: 'large',
    choices: [choice('large', 'Large'), choice('small', 'Small', 'Quick, and good enough for most things.')],
  },
  {
    ...{ id: 'permissionMode', label: 'Permission mode', help: null, required: true, kind: 'choice' },
    ...{ allowsOther: false, initial: 'ask' },
    choices: [
      choice('ask', 'Ask first', 'Asks before it changes or runs anything.'),
      choice('plan', 'Plan only', 'Reads and plans; changes nothing.'),
      {
        ...choice('never', 'Never ask'),
        warning:
          'Robo changes files and runs commands without asking. Use this only where nothing can be lost.',
      },
    ],
  },
  {
    ...{ id: 'effort', label: 'Effort', help: null, required: false, kind: 'choice', allowsOther: false },
    initial: null,
    choices: [choice('low', 'Low'), choice('high', 'High')],
  },
  text('systemPrompt', 'System prompt', 'Added to Robo’s own.', { lines: 'many' }),
  text('folders', 'More folders', 'One per line.', { lines: 'many' }),
  text('sessionId', 'Session id', 'An id of your own for the new session.', { shortest: 8 }),
]

/** Begins conversations with Robo. A model called `broken` can't begin one; `broken later` when it is offered again. */
export class ScriptedStarter implements ConversationStarter {
  readonly agent = 'robo'
  readonly #conversations: ScriptedConversations
  #values: FieldValues = { model: 'large', permissionMode: 'ask' }
  problem: string | null = null
  #offeredAgain: () => void = () => undefined
  /** With what it was begun, the newest last. */
  readonly begun: { id: string; values: FieldValues; first: string | null }[] = []

  constructor(conversations: ScriptedConversations) {
    this.#conversations = conversations
  }

  offer() {
    const { agent, problem } = this
    this.#offeredAgain()
    return Promise.resolve({ agent, title: 'Robo', fields: [...fields], values: this.#values, problem })
  }

  async begin(
    values: FieldValues,
    first: Parameters<ConversationStarter['begin']>[1],
  ): ReturnType<ConversationStarter['begin']> {
    const { model } = values
    if (model === 'broken later') await new Promise<void>((resolve) => (this.#offeredAgain = resolve))
    if (model === 'broken' || model === 'broken later')
      return fail('broken', 'Robo doesn’t know this model. Choose another one.')
    this.#values = values
    const opened = await this.#conversations.open('A talk with Robo', 0, () => undefined)
    this.begun.push({ id: opened.id, values, first: first?.text ?? null })
    if (first) await opened.live.send(first)
    return succeed({ id: opened.id })
  }
}
