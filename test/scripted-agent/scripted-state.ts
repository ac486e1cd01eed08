import type { ConversationFigures, LiveConversationState } from '../../src/shared/contract/conversations'

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
const entry = (
  name: string,
  detail = '',
  state: 'plain' | 'good' | 'off' | 'bad' = 'plain',
  acts: string[] = [],
) => ({
  ...{ name, detail, state },
  acts: acts.map((id) => ({ id, label: `${id.charAt(0).toUpperCase()}${id.slice(1)}` })),
})
const atFirst: Partial<Omit<LiveConversationState, 'queue' | 'isQueueHeld' | 'isUnresponsive'>> = {
  controls,
  commands,
  abilities: { pictures: true, gives: true, forks: true, rewinds: true, figures: true },
}
/** All that a conversation can tell of itself: a spec puts it there with the verb `update`. */
const full: typeof atFirst = {
  context: { used: 84_000, size: 200_000 },
  costUSD: 0.31,
  usage: { input: 1200, output: 5400, cacheRead: 80_000, cacheWrite: 12_000 },
  switches: [
    {
      ...{ id: 'review', label: 'Review changes', isOn: true },
      help: 'Every change is shown to you before it is written.',
    },
  ],
  tasks: [
    { id: 'b1', title: 'npm run dev', startedAt: Date.now() - 95_000 },
    { id: 'b2', title: 'Watching the tests of the heating', startedAt: Date.now() - 4000 },
  ],
  parts: [
    { id: 'tools', label: 'Tools', entries: ['Bash', 'Edit', 'Read', 'Write'].map((name) => entry(name)) },
    {
      ...{ id: 'mcp', label: 'MCP servers' },
      entries: [
        entry('weather', 'connected, 4 tools', 'good', ['disable']),
        entry('tickets', 'The server ended with the error code 1.', 'bad', ['reconnect', 'disable']),
        entry('mail', 'disabled', 'off', ['enable']),
      ],
    },
    { id: 'skills', label: 'Skills', entries: [entry('house-style', 'How texts in this house are written')] },
    { id: 'agents', label: 'Agents', entries: [entry('reviewer', 'Looks through changes')] },
    { id: 'plugins', label: 'Plugins', entries: [] },
    {
      id: 'rules',
      label: 'Permission rules',
      entries: [entry('Bash(npm test:*)', 'allow'), entry('Read(.env)', 'deny')],
    },
  ],
}
const figures: ConversationFigures = [
  {
    title: 'In the context',
    rows: [
      { label: 'System prompt', value: '3\u202f100 tokens' },
      { label: 'Messages', value: '76\u202f000 tokens' },
    ],
  },
  {
    title: 'Models',
    rows: [
      { label: 'large', value: '$0.29' },
      { label: 'small', value: '$0.02' },
    ],
  },
]

/** What a scripted conversation has. */
export const scriptedState = { atFirst, full, figures }
