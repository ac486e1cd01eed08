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
const atFirst: Partial<Omit<LiveConversationState, 'queue' | 'isQueueHeld' | 'isUnresponsive'>> = {
  controls,
  commands,
  abilities: { pictures: true, gives: true, forks: true, rewinds: true, figures: true },
}
const figures: ConversationFigures = [
  { title: 'Context', rows: [{ label: 'System prompt', value: '3 100 tokens' }] },
]

/** What a scripted conversation has. */
export const scriptedState = { atFirst, figures }
