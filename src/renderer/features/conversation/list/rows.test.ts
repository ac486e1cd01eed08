import { expect, test } from 'vitest'
import { SessionWriter, text, tool } from '../../../../../test/conversation-harness/session-writer'
import { SessionTranscript } from '../../../../shared/conversation/session-transcript'
import { layOutRows } from './rows'

/** Lines at 0, 100, 200 …; of them those from `after` to `before` are not here. */
function transcriptWithout(after: number, before: number): SessionTranscript {
  const made = new SessionWriter(0)
    .prompt('One.')
    .reply('a', tool('t1', 'Bash', { command: 'ls' }))
    .reply('b', text('Between.'))
    .aside({ type: 'mode', mode: 'plan' })
    .aside({ type: 'mode', mode: 'default' })
    .reply('c', tool('t2', 'Bash', { command: 'ls' }))
    .prompt('Two.')
  const transcript = new SessionTranscript()
  transcript.add(made.lines().filter(({ offset }) => offset < after || offset >= before))
  return transcript
}

test('a gap stands where messages are missing, and the places of all others are right', () => {
  const transcript = transcriptWithout(200, 300)
  const gap = { after: 200, before: 300 }
  const kinds = (density: 'normal' | 'summary' | 'verbose') => {
    const rows = layOutRows(transcript, density, [gap])
    for (let item = 0; item < transcript.length; item++) {
      const row = rows.at(rows.rowOf(item))
      expect(row?.kind === 'item' ? row.index : row?.kind === 'work' ? row.from : -1).toBe(item)
    }
    const all = Array.from({ length: rows.length }, (_, at) => rows.at(at))
    expect(all.map((row) => row?.key)).toEqual(all.map((_, at) => rows.keyAt(at)))
    expect(new Set(all.map((row) => row?.key)).size).toBe(rows.length)
    expect(rows.at(rows.length)).toBeUndefined()
    return all.map((row) => row?.kind)
  }
  expect(kinds('normal')).toEqual(['item', 'item', 'gap', 'item', 'item'])
  // Work on both sides of it is not one piece of work, and lines are not one stretch.
  expect(kinds('summary')).toEqual(['item', 'work', 'gap', 'work', 'item'])
  expect(kinds('verbose')).toEqual(['item', 'item', 'gap', 'lines', 'item', 'item'])
})

test('without gaps each item is a row', () => {
  const transcript = transcriptWithout(0, 0)
  expect(layOutRows(transcript, 'normal').length).toBe(transcript.length)
})
