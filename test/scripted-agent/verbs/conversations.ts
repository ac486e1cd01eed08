import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { DialectWindow } from '../../../src/main/app/dialect-kit/dialect'
import { tabOfSession } from '../../../src/main/app/page/session-handlers'
import { LiveConversation } from '../../../src/main/core/conversation/live-conversation'
import type { TranscriptChange } from '../../../src/shared/conversation/live-transcript'
import { succeed } from '../../../src/shared/result'
import type { Verbs } from '../verbs'

// From .cache/scripted-agent, where the host is built.
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const speaker = join(root, 'test', 'scripted-agent', 'speaker.mjs')

const wish = z.object({
  title: z.string(),
  /** So many messages are there at first. */
  messages: z.number().int().default(0),
})
const spoken = z.union([
  z.object({ change: z.custom<TranscriptChange>() }),
  z.object({ update: z.object({ activity: z.enum(['working', 'idle']) }) }),
  z.object({ chosen: z.object({ control: z.string(), value: z.string() }) }),
])
const controls = [
  {
    ...{ id: 'mode', label: 'Mode', value: 'ask' },
    options: [
      { value: 'ask', label: 'Ask first' },
      { value: 'plan', label: 'Plan only' },
    ],
  },
]
const commands = [
  { name: 'review', description: 'Looks through the changes of this branch' },
  { name: 'compact', description: 'Makes room: replaces what was said by a summary of it' },
  { name: 'model', description: 'Chooses another model' },
  { name: 'commit', description: 'Commits what has changed, with a message' },
]

/**
 * `converse`: opens a conversation with a process of its own (`speaker.mjs`), which ends with the connection. Gives its id
 * and the process's number; the event `process` brings the number of each one after it.
 */
export function conversationVerbs({
  processes,
  conversations,
  folders,
  editor: { tabs },
}: Pick<DialectWindow, 'processes' | 'conversations' | 'folders' | 'editor'>): Verbs {
  return {
    converse: async ({ params, signal, tell }) => {
      const { title, messages } = wish.parse(params)
      const made = processes.create(
        {
          ...{ name: 'Robo', program: process.execPath, folder: folders.paths[0] ?? '/', graceMs: 1000 },
          args: [speaker],
          env: { PATH: process.env['PATH'] ?? '' },
          longestLine: 64 * 1024,
        },
        {
          line: (line) => {
            if (line.kind !== 'line') return
            const said = spoken.parse(JSON.parse(line.text))
            if ('change' in said) conversation.say(said.change)
            else if ('update' in said) conversation.update(said.update)
            else {
              const { control, value } = said.chosen
              conversation.update({
                controls: conversation.state.controls.map((one) =>
                  one.id === control ? { ...one, value } : one,
                ),
              })
            }
          },
          report: (error) => tell('fault', String(error)),
        },
      )
      if (!made.ok) throw new Error(made.failure.message)
      const agent = made.value
      const write = (value: object) => agent.write(JSON.stringify(value))
      const conversation = new LiveConversation(
        { title, agent: 'Robo', folder: folders.paths[0] ?? null },
        {
          send: ({ text: say }) => write({ say }),
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
        },
      )
      conversation.update({ controls, commands })
      for (let count = 0; count < messages; count++) {
        conversation.say({
          kind: 'put',
          item: {
            ...{ kind: 'reply', id: `old${count}`, offset: 0, at: null, branches: null, model: null },
            ...{ usage: null, costUSD: null, stopReason: null, isError: false },
            blocks: [{ kind: 'text', text: `Message **${count}** of those before.\n\nWith two paragraphs.` }],
          },
        })
      }
      agent.onState((state) => {
        conversation.update({ process: state })
        if (state.phase === 'running') tell('process', agent.pid)
      })
      await agent.start()
      const known = conversations.add(conversation)
      tabs.openOther(tabOfSession(known.id))
      signal.addEventListener('abort', () => {
        known.dispose()
        void processes.remove(agent)
      })
      return { id: known.id, pid: agent.pid }
    },
  }
}
