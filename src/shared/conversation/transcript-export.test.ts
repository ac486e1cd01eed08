import { describe, expect, test } from 'vitest'
import { SessionTranscript } from './session-transcript'
import { exportMarkdown, exportName } from './transcript-export'
import type { SourceLine } from './transcript'

const message = (uuid: string, parentUuid: string | null, content: unknown) => ({
  type: 'assistant',
  uuid,
  parentUuid,
  timestamp: '2026-03-04T05:06:07.000Z',
  message: { role: 'assistant', id: uuid, model: 'm', content },
})
const user = (uuid: string, parentUuid: string | null, content: unknown, more = {}) => ({
  type: 'user',
  uuid,
  parentUuid,
  timestamp: '2026-03-04T05:06:00.000Z',
  message: { role: 'user', content },
  ...more,
})

function linesOf(records: readonly unknown[]): SourceLine[] {
  return records.map((record, index) => ({ offset: index * 10, bytes: 9, record }))
}

function exported(records: readonly unknown[]): string {
  const made = new SessionTranscript()
  made.add(linesOf(records))
  const agentItems = (agent: string) => made.agentItems(agent)
  return [...exportMarkdown(made.items(), { agent: 'Claude', facts: made.facts, agentItems })].join('')
}

describe('a conversation as Markdown', () => {
  test('says who said what, with tools and what came of them', () => {
    const text = exported([
      { type: 'custom-title', customTitle: 'The *title*', sessionId: 's' },
      user('a', null, 'Do it.'),
      message('b', 'a', [
        { type: 'text', text: 'I **will**.' },
        { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls `x`' } },
      ]),
      user('c', 'b', [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }], {
        toolUseResult: { stdout: '\u001b[31mred\u001b[0m\n```\nfence', stderr: '' },
      }),
      message('d', 'c', [{ type: 'text', text: 'Done.' }]),
    ])
    expect(text).toBe(
      `# The *title*

- Session: \`s\`
- Model: \`m\`

## You · 2026-03-04 05:06

Do it.

## Claude · 2026-03-04 05:06

I **will**.

**Bash** \`\` ls \`x\` \`\`

\`\`\`\`
red
\`\`\`
fence
\`\`\`\`

Done.

`,
    )
  })

  test('holds what a sub-agent did below its call', () => {
    const text = exported([
      user('a', null, 'one'),
      message('b', 'a', [
        { type: 'tool_use', id: 't', name: 'Task', input: { prompt: 'look', description: 'Look' } },
      ]),
      user('s1', null, 'look', { isSidechain: true }),
      { ...message('s2', 's1', [{ type: 'text', text: 'Seen.' }]), isSidechain: true },
      user('c', 'b', [{ type: 'tool_result', tool_use_id: 't', content: 'Seen.' }]),
    ])
    expect(text).toContain('**Task** `Look`')
    expect(text).toContain('### Claude · 2026-03-04 05:06\n\nlook')
    expect(text).toContain('Seen.')
  })
})

test('the name of an export means nothing to a file system', () => {
  expect(exportName('../../etc/pass wd: “x”', 'md')).toBe('etc-pass-wd-x.md')
  expect(exportName(null, 'jsonl')).toBe('conversation.jsonl')
  expect(exportName('…', 'md')).toBe('conversation.md')
})
