import { SessionWriter, text, thinking, tool } from './session-writer'

const root = '/home/ada/projects/green-house'
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC'
const begun = Date.UTC(2026, 10, 22, 7, 30)

const thermostat = `import { Sensor } from './sensor'

export class Thermostat {
  constructor(
    readonly sensor: Sensor,
    readonly target = 21,
  ) {}

  /** Whether the heating shall run. */
  get heats(): boolean {
    return this.sensor.value < this.target
  }
}
`
const answer = `The thermostat switched **at every reading** around the target, since nothing kept it from it. Now there is a slack of half a degree:

\`\`\`ts
const slack = 0.5

get heats(): boolean {
  return this.sensor.value < this.target - slack // off only above
}
\`\`\`

What I changed:

1. \`src/climate/thermostat.ts:12\` has the slack.
2. A test holds it in \`src/climate/thermostat.test.ts\`.

| reading | before | after |
|---|---|---|
| 20.9 | on | off |
| 20.4 | on | on |

> The sensor itself rounds to a tenth, so less than 0.2 would do nothing.

See [the notes](docs/climate.md) or <https://example.org/hysteresis>. <script>alert('never run')</script>`

/** A conversation with everything in it. */
export function richSession(): SessionWriter {
  const made = new SessionWriter(begun)
  made.aside({ type: 'custom-title', customTitle: 'Keep the heating from flickering', sessionId: 'x' })
  made.prompt(
    'The heating flickers around the target. Why, and can you make it stop? Please keep the public interface.',
  )
  made.reply(
    'm1',
    thinking(
      'The person says that it flickers.\n\nProbably there is no hysteresis: `heats` compares with the target itself. I look at the class first.',
    ),
    text('I look at how the thermostat decides.'),
    tool('t1', 'Grep', { pattern: 'heats', path: 'src', output_mode: 'content' }),
    tool('t2', 'Read', { file_path: `${root}/src/climate/thermostat.ts` }),
  )
  made.result(
    't1',
    'src/climate/thermostat.ts:10:  get heats(): boolean {\nsrc/app.ts:24:    if (thermostat.heats) heater.on()',
    { mode: 'content', numFiles: 2 },
  )
  made.result('t2', thermostat, {
    type: 'text',
    file: {
      filePath: `${root}/src/climate/thermostat.ts`,
      content: thermostat,
      numLines: 13,
      startLine: 1,
      totalLines: 13,
    },
  })
  made.reply(
    'm2',
    tool('t3', 'TodoWrite', {
      todos: [
        { content: 'Find where the heating is switched', status: 'completed', activeForm: 'Finding' },
        { content: 'Give the thermostat a slack', status: 'in_progress', activeForm: 'Giving' },
        { content: 'Hold it with a test', status: 'pending', activeForm: 'Holding' },
      ],
    }),
  )
  made.result('t3', 'Todos have been modified')
  made.reply(
    'm3',
    tool('t4', 'Edit', {
      file_path: `${root}/src/climate/thermostat.ts`,
      old_string: 'this.sensor.value < this.target',
      new_string: 'this.sensor.value < this.target - slack',
    }),
  )
  made.result('t4', 'The file has been updated', {
    filePath: `${root}/src/climate/thermostat.ts`,
    oldString: 'this.sensor.value < this.target',
    newString: 'this.sensor.value < this.target - slack',
    originalFile: thermostat,
    structuredPatch: [
      {
        oldStart: 8,
        oldLines: 5,
        newStart: 8,
        newLines: 5,
        lines: [
          '   /** Whether the heating shall run. */',
          '   get heats(): boolean {',
          '-    return this.sensor.value < this.target',
          '+    return this.sensor.value < this.target - slack',
          '   }',
          ' }',
        ],
      },
    ],
    userModified: false,
  })
  made.reply(
    'm4',
    tool('t5', 'Write', { file_path: `${root}/src/climate/thermostat.test.ts`, content: longTest }),
    tool('t6', 'Bash', { command: 'npm test -- climate', description: 'Run the tests' }),
  )
  made.result('t5', 'File created', {
    type: 'create',
    filePath: `${root}/src/climate/thermostat.test.ts`,
    content: longTest,
    structuredPatch: [],
    originalFile: null,
  })
  made.wait(14_000).result(
    't6',
    'Exit code 1',
    {
      stdout:
        '\u001b[1m\u001b[31mFAIL\u001b[39m\u001b[22m src/climate/thermostat.test.ts\n  \u001b[32m✓\u001b[39m heats when it is cold\n  \u001b[31m✗\u001b[39m does not flicker \u001b[2m(12 ms)\u001b[22m\n\nReferenceError: slack is not defined\n    at Thermostat.get heats (src/climate/thermostat.ts:11:52)',
      stderr: '',
    },
    true,
  )
  made.reply(
    'm5',
    text('The constant is missing. I ask a second pair of eyes about the rounding meanwhile.'),
    tool('t7', 'Task', {
      description: 'Check the rounding of the sensor',
      subagent_type: 'general-purpose',
      prompt: 'Read src/climate/sensor.ts and say how readings are rounded.',
    }),
  )
  made.prompt('Read src/climate/sensor.ts and say how readings are rounded.', {
    isSidechain: true,
    agentId: 'a1',
  })
  const inMain = 'u15'
  made.reply('s1', tool('s1t', 'Read', { file_path: `${root}/src/climate/sensor.ts` }))
  made.records.splice(-1, 1, { ...(made.records.at(-1) as object), isSidechain: true, agentId: 'a1' })
  made.result('s1t', 'export class Sensor {}', undefined)
  made.records.splice(-1, 1, { ...(made.records.at(-1) as object), isSidechain: true, agentId: 'a1' })
  made.reply('s2', text('Readings are rounded to **a tenth of a degree** in `src/climate/sensor.ts:18`.'))
  made.records.splice(-1, 1, { ...(made.records.at(-1) as object), isSidechain: true, agentId: 'a1' })
  made.from(lastOwn(made) ?? inMain)
  made.result('t7', [text('Readings are rounded to **a tenth of a degree**.')], {
    agentId: 'a1',
    status: 'completed',
  })
  made.reply(
    'm6',
    tool('t8', 'WebFetch', { url: 'https://example.org/hysteresis', prompt: 'What slack is usual?' }),
  )
  made.result('t8', 'Half a degree to one degree is usual for heating.')
  made.reply('m7', tool('t9', 'mcp__notes__search', { query: 'hysteresis', limit: 3 }))
  made.result('t9', '{"found": []}')
  made.reply('m8', text(answer))
  made.system('turn_duration', { durationMs: 73_400 })
  made.aside('{"type":"user","uuid":"cut off in the mid')
  made.aside({ type: 'file-history-snapshot', messageId: 'x', snapshot: {} })
  made.aside({ type: 'brand-new-kind', what: 'nobody knows' })
  made.prompt([
    text('Here is what the graph looks like now. Is it fine?'),
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
  ])
  made.reply(
    'm9',
    text('Yes: one switch in ten minutes.'),
    tool('t10', 'Bash', { command: 'git push --force', description: 'Push' }),
  )
  made.result('t10', 'The user does not want to proceed', 'User rejected tool use')
  made.prompt([text('[Request interrupted by user for tool use]')])
  const fork = made.last
  made.wait(60_000).prompt('Do not push. What else could flicker?')
  made.reply('m10', text('The pump: it follows the heating one to one.'))
  made.system('turn_duration', { durationMs: 4200 })
  made.from(fork).wait(60_000).prompt('Never push by yourself. Commit it with a good message instead.')
  made.system('api_error', {
    level: 'error',
    error: { message: 'The service is overloaded. It is tried again in 4 s.' },
  })
  made.reply(
    'm11',
    tool('t11', 'Bash', {
      command: 'git commit -am "Thermostat: a slack of half a degree, so that the heating does not flicker"',
    }),
  )
  made.result('t11', '', {
    stdout:
      '[feature/thermostat 3f9a2c1] Thermostat: a slack of half a degree\n 2 files changed, 46 insertions(+), 1 deletion(-)',
    stderr: '',
  })
  made.reply('m12', text('Committed as `3f9a2c1`.'))
  made.system('turn_duration', { durationMs: 9100 })
  made.aside({
    type: 'cost-state',
    totalCostUSD: 0.4312,
    startTime: 1,
    modelUsage: {
      m: {
        inputTokens: 8400,
        outputTokens: 5230,
        cacheReadInputTokens: 182_000,
        cacheCreationInputTokens: 9000,
      },
    },
  })
  made.prompt('<command-name>/compact</command-name>\n<command-args></command-args>')
  made.prompt('<local-command-stdout>Compacted the conversation</local-command-stdout>')
  made.system('compact_boundary', { content: 'Conversation compacted' })
  made
    .wait(5000)
    .prompt(
      'And now the pump, please.\n\nIt should follow the heating with two minutes of rest in between, whatever the thermostat says.',
    )
  made.reply(
    'm13',
    text('I give the pump a rest of its own.'),
    tool('t12', 'Edit', { file_path: `${root}/src/climate/pump.ts`, old_string: 'a', new_string: 'b' }),
  )
  return made
}

/** The last line of the conversation itself. */
function lastOwn(made: SessionWriter): string | null {
  const own = made.records.findLast((record) => !(record as { isSidechain?: boolean }).isSidechain)
  return (own as { uuid?: string } | undefined)?.uuid ?? null
}

const longTest = `import { expect, test } from 'vitest'
import { Thermostat } from './thermostat'

${Array.from({ length: 9 }, (_, index) => `test('at ${18 + index * 0.5} degrees', () => {\n  const made = new Thermostat({ value: ${18 + index * 0.5} })\n  expect(made.heats).toBe(${index < 5})\n})\n`).join('\n')}`

/** Texts that are hard to show. */
export function hardSession(): SessionWriter {
  const made = new SessionWriter(begun)
  made.prompt('ما هي المشكلة هنا؟ '.repeat(12))
  made.reply('m1', text('لا توجد مشكلة. The file is `src/app.ts`.'))
  made.prompt(
    `A ${'very'.repeat(120)} long word, and a pasted log:\n${Array.from({ length: 80 }, (_, index) => `${index} line of a log that somebody pasted`).join('\n')}`,
  )
  made.reply(
    'm2',
    thinking(''),
    text(`${'A paragraph without an end. '.repeat(60)}\n\n\`\`\`\n${'x'.repeat(400)}\n\`\`\``),
  )
  made.reply(
    'm3',
    tool('t1', 'Bash', {
      command: `for i in $(seq 3000); do echo "$i"; done # ${'long '.repeat(60)}\necho done`,
    }),
  )
  made.result('t1', '', {
    stdout: Array.from({ length: 3000 }, (_, index) => `${index + 1}`).join('\n'),
    stderr: '',
  })
  made.reply(
    'm4',
    tool('t2', 'Read', { file_path: `/a/${'deep/'.repeat(60)}file.ts` }),
    tool('t3', 'x'.repeat(200), null),
  )
  made.result('t2', 'gone', undefined, true)
  return made
}

/** A session of so many items: a prompt, then replies with tools, over and over. */
export function longSession(items: number): SessionWriter {
  const made = new SessionWriter(begun - 86_400_000 * 20)
  for (let index = 0; index < items; index++) {
    const place = index % 8
    if (place === 0) made.prompt(`Question ${index}: what about part ${index / 8} of the house?`)
    else if (place % 3 === 1) {
      made.reply(
        `m${index}`,
        text(`Answer ${index}. `.repeat(1 + (index % 7) * 4)),
        tool(`t${index}`, 'Bash', { command: `echo ${index}` }),
      )
      made.result(`t${index}`, `${index}`, { stdout: `${index}\n`.repeat(index % 30), stderr: '' })
    } else
      made.reply(
        `m${index}`,
        text(
          `Part ${index}.\n\n${'- a point that matters\n'.repeat(index % 5)}\n\`\`\`ts\nconst part = ${index}\n\`\`\``,
        ),
      )
  }
  return made
}
