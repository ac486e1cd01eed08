import { expect, test } from 'vitest'
import { LiveTranscript } from '../../../../shared/conversation/live-transcript'
import { type HistoryPlace, stepHistory } from './prompt-history'

function conversation(...said: readonly string[]) {
  const transcript = new LiveTranscript()
  said.forEach((text, index) =>
    transcript.apply([
      {
        kind: 'put',
        item: text.startsWith('>')
          ? {
              ...{ kind: 'prompt', id: `${index}`, offset: 0, at: null, branches: null, manner: 'typed' },
              blocks: [{ kind: 'text', text: text.slice(1) }],
            }
          : {
              ...{ kind: 'reply', id: `${index}`, offset: 0, at: null, branches: null, model: null },
              ...{ usage: null, costUSD: null, stopReason: null, isError: false },
              blocks: [{ kind: 'text', text }],
            },
      },
    ]),
  )
  return transcript
}

test('goes back through what the person said, once each, and forward again', () => {
  const transcript = conversation('>one', 'reply', '>two', '> ', '>two', 'reply')
  const said: string[] = []
  let place: HistoryPlace | null = null
  for (;;) {
    const next = stepHistory(transcript, place, -1)
    if (!next) break
    said.push(next.text)
    place = next
  }
  expect(said).toEqual(['two', 'one'])
  expect(stepHistory(transcript, place, 1)?.text).toBe('two')
  expect(stepHistory(transcript, { item: '4', text: 'two' }, 1)).toBeNull()
  expect(stepHistory(transcript, null, 1)).toBeNull()
  expect(stepHistory(conversation('reply'), null, -1)).toBeNull()
  expect(stepHistory(transcript, { item: 'gone', text: '' }, -1)).toBeNull()
})
