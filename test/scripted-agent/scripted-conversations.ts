import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { DialectWindow } from '../../src/main/app/dialect-kit/dialect'
import { tabOfSession } from '../../src/main/app/page/session-handlers'
import { LiveConversation } from '../../src/main/core/conversation/live-conversation'
import type { OutgoingMessage } from '../../src/shared/contract/conversations'
import type { TranscriptChange } from '../../src/shared/conversation/live-transcript'
import { fail, succeed } from '../../src/shared/result'
import { scriptedState } from './scripted-state'

// From .cache/scripted-agent, where the host is built.
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const speaker = join(root, 'test', 'scripted-agent', 'speaker.mjs')

const spoken = z.union([
  z.object({ change: z.custom<TranscriptChange>() }),
  z.object({ update: z.object({ activity: z.enum(['working', 'idle']) }) }),
  z.object({ chosen: z.object({ control: z.string(), value: z.string() }) }),
  z.object({ taken: z.string() }),
])

/** What is heard of a conversation beside its transcript. */
export type Tell = (event: string, value: unknown) => void

/** A conversation with a process of its own that `speaker.mjs` is. */
export interface ScriptedConversation {
  readonly id: string
  readonly pid: number | null
  readonly live: LiveConversation
  dispose(): void
}

type Rooms = Pick<DialectWindow, 'processes' | 'conversations' | 'folders' | 'editor' | 'desk'>

/** The conversations that scripted agents have in a window. */
export class ScriptedConversations {
  readonly #rooms: Rooms
  readonly #open = new Map<string, ScriptedConversation>()

  constructor(rooms: Rooms) {
    this.#rooms = rooms
  }

  get(id: string): ScriptedConversation {
    const found = this.#open.get(id)
    if (!found) throw new Error(`no conversation ${id}`)
    return found
  }

  /** Opens one in a tab, with so many messages of before. */
  async open(title: string, messages: number, tell: Tell): Promise<ScriptedConversation> {
    const { processes, conversations, folders, editor, desk } = this.#rooms
    const folder = folders.paths[0] ?? '/'
    const made = processes.create(
      {
        ...{ name: 'Robo', program: process.execPath, folder, graceMs: 1000 },
        args: [speaker],
        env: { PATH: process.env['PATH'] ?? '', ELECTRON_RUN_AS_NODE: '1' },
        // A picture may come with a message.
        longestLine: 16 << 20,
      },
      {
        line: (line) => {
          if (line.kind !== 'line') return
          const said = spoken.parse(JSON.parse(line.text))
          if ('change' in said) live.say(said.change)
          else if ('update' in said) live.update(said.update)
          else if ('taken' in said) {
            given.delete(said.taken)
            live.taken(said.taken)
          } else {
            const { control, value } = said.chosen
            live.update({
              controls: live.state.controls.map((one) => (one.id === control ? { ...one, value } : one)),
            })
          }
        },
        report: (error) => tell('fault', String(error)),
      },
    )
    if (!made.ok) throw new Error(made.failure.message)
    const agent = made.value
    const given = new Set<string>()
    const write = (value: object) => agent.write(JSON.stringify(value))
    const say = (message: OutgoingMessage) => {
      tell('said', { ...message, pictures: message.pictures.map(({ mediaType }) => mediaType) })
      return write({ say: message.text, pictures: message.pictures })
    }
    const live = new LiveConversation(
      { title, agent: 'Robo', folder },
      {
        send: say,
        stop: () => write({ stop: true }),
        end: async () => {
          await agent.stop(0)
          return succeed({})
        },
        restart: async () => {
          await agent.restart()
          return succeed({})
        },
        choose: (control, value) => write({ choose: { control, value } }),
        give: (message, { text, pictures }) => {
          given.add(message)
          return write({ give: { id: message, text, pictures } })
        },
        recall: (message) =>
          given.delete(message)
            ? write({ recall: message })
            : Promise.resolve(fail('gone', 'Robo has begun it.')),
        switch: (id, isOn) => {
          live.update({
            switches: live.state.switches.map((one) => (one.id === id ? { ...one, isOn } : one)),
          })
          return Promise.resolve(succeed({}))
        },
        act: (part, name, act) => {
          tell('act', { part, name, act })
          const state = act === 'disable' ? ('off' as const) : ('good' as const)
          const changed = { state, detail: state === 'off' ? 'disabled' : 'connected' }
          const acts = [
            act === 'disable' ? { id: 'enable', label: 'Enable' } : { id: 'disable', label: 'Disable' },
          ]
          live.update({
            parts: live.state.parts.map((one) => ({
              ...one,
              entries: one.entries.map((entry) =>
                one.id === part && entry.name === name ? { ...entry, ...changed, acts } : entry,
              ),
            })),
          })
          return Promise.resolve(succeed({}))
        },
        stopTask: (task) => {
          live.update({ tasks: live.state.tasks.filter(({ id }) => id !== task) })
          return Promise.resolve(succeed({}))
        },
        fork: async (before, message) => {
          tell('forked', { before, text: message.text })
          if (message.text.includes('refuse this'))
            return fail('refused', 'Robo can’t go back that far. Send a message.')
          const other = await this.open(`${title}, again`, 0, tell)
          const sent = await other.live.send(message)
          return sent.ok ? succeed({ id: other.id }) : sent
        },
        rewind: (before) => {
          tell('rewound', before)
          for (const name of ['one.txt', 'two.txt']) {
            const origin = {
              dialect: 'scripted',
              connection: id,
              agent: 'Robo',
              conversation: id,
              call: `${before} ${name}`,
            }
            const path = join(folder, name)
            void desk.open(
              { path, proposed: 'as before\n', title: 'Rewind', effect: 'host', origin },
              signal.signal,
            )
          }
          return Promise.resolve(succeed({ files: 2 }))
        },
        figures: () => Promise.resolve(succeed(scriptedState.figures)),
      },
      { stopPatience: 300 },
    )
    const signal = new AbortController()
    live.update(scriptedState.atFirst)
    for (let count = 0; count < messages; count++) {
      live.say({
        kind: 'put',
        item: {
          ...{ kind: 'reply', id: `old${count}`, offset: 0, at: null, branches: null, model: null },
          ...{ usage: null, costUSD: null, stopReason: null, isError: false },
          blocks: [{ kind: 'text', text: `Message **${count}** of those before.\n\nWith two paragraphs.` }],
        },
      })
    }
    agent.onState((state) => {
      live.update({ process: state })
      if (state.phase === 'running') tell('process', agent.pid)
    })
    await agent.start()
    const known = conversations.add(live)
    const { id } = known
    editor.tabs.openOther(tabOfSession(id))
    const opened = {
      ...{ id, pid: agent.pid, live },
      dispose: () => {
        signal.abort()
        this.#open.delete(id)
        known.dispose()
        void processes.remove(agent)
      },
    }
    this.#open.set(id, opened)
    return opened
  }
}
