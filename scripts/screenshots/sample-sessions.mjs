// Sessions of the sample project, as Claude Code leaves them on the disk, for the pictures of the Sessions panel.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [minute, hour] = [60_000, 3_600_000]

/** Others in the list: a title, how long ago, a branch, and the folder where it is another one. */
const others = [
  ['Why is the first tick late?', 3 * hour, 'main'],
  ['Round up what is left', 26 * hour, 'feature/pause'],
  ['Set up vitest', 30 * hour, 'main'],
  ['A sound when the tea is ready', 4 * 24 * hour, 'feature/sound'],
  ['Read the seconds from the command line', 9 * 24 * hour, 'main'],
  ['Kettle protocol, first steps', 2 * hour, 'main', 'kettle'],
]

/** Lines of one session, one after another; `end` is the time of its last one. */
class Lines {
  #records = []
  #last = null

  add(record) {
    const uuid = `line-${this.#records.length}`
    this.#records.push({ uuid, parentUuid: this.#last, ...record })
    this.#last = uuid
    return this
  }

  prompt(content) {
    return this.add({ type: 'user', message: { role: 'user', content } })
  }

  reply(id, ...parts) {
    for (const part of parts) {
      const usage = { input_tokens: 1_180, output_tokens: 240, cache_read_input_tokens: 16_400 }
      const message = { role: 'assistant', id, model: 'claude-opus-5', content: [part], usage }
      const isTool = part.type === 'tool_use'
      this.add({
        type: 'assistant',
        message: { ...message, stop_reason: isTool ? 'tool_use' : 'end_turn' },
      })
    }
    return this
  }

  result(tool, content, toolUseResult) {
    const parts = [{ type: 'tool_result', tool_use_id: tool, content }]
    return this.add({ type: 'user', message: { role: 'user', content: parts }, toolUseResult })
  }

  write(place, id, { folder, branch, end, title }) {
    const common = { sessionId: id, cwd: folder, gitBranch: branch, version: 'sample' }
    const timed = this.#records.map((record, index) => ({
      ...record,
      ...common,
      timestamp: new Date(end - (this.#records.length - 1 - index) * 7_000).toISOString(),
    }))
    const lines = [...timed, { type: 'custom-title', customTitle: title, sessionId: id }]
    const project = join(place, folder.replaceAll(/[^a-zA-Z0-9]/g, '-'))
    mkdirSync(project, { recursive: true })
    writeFileSync(join(project, `${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
}

const text = (value) => ({ type: 'text', text: value })
const tool = (id, name, input) => ({ type: 'tool_use', id, name, input })

/** The one that is read: a question, tools of several kinds, and an answer. */
function pausing(folder) {
  const path = join(folder, 'src', 'tea-timer.ts')
  const before = '    clearInterval(this.handle!)'
  const after = '    if (this.handle) clearInterval(this.handle)\n    this.handle = null'
  return new Lines()
    .prompt('The timer should be able to pause, and go on from where it was.')
    .reply(
      'm1',
      {
        type: 'thinking',
        thinking: 'Stopping clears the interval but keeps the handle: starting again would run two.',
      },
      text('I look at how it starts and stops.'),
      tool('t1', 'Grep', { pattern: 'stop\\(', path: 'src', output_mode: 'content' }),
      tool('t2', 'Read', { file_path: path }),
    )
    .result('t1', 'src/tea-timer.ts:22:  stop(): void {\nsrc/tea-timer.ts:35:      this.stop()', {
      mode: 'content',
      numFiles: 1,
    })
    .result('t2', 'export class TeaTimer {}', {
      type: 'text',
      file: {
        filePath: path,
        content: 'export class TeaTimer {}\n',
        numLines: 40,
        startLine: 1,
        totalLines: 40,
      },
    })
    .reply('m2', tool('t3', 'Edit', { file_path: path, old_string: before, new_string: after }))
    .result('t3', 'The file has been updated', {
      filePath: path,
      oldString: before,
      newString: after,
      structuredPatch: [
        {
          oldStart: 22,
          oldLines: 4,
          newStart: 22,
          newLines: 6,
          lines: [
            '-  stop(): void {',
            `-${before}`,
            '+  /** Holds the time; `start` goes on from here. */',
            '+  pause(): void {',
            ...after.split('\n').map((line) => `+${line}`),
            '   }',
            ' ',
          ],
        },
      ],
    })
    .reply('m3', tool('t4', 'Bash', { command: 'npm test', description: 'Run the tests' }))
    .result('t4', '', {
      stdout:
        ' \u001b[32m✓\u001b[39m test/format-time.test.ts (1)\n \u001b[32m✓\u001b[39m test/tea-timer.test.ts (1)\n\n Tests  2 passed (2)',
      stderr: '',
    })
    .reply(
      'm4',
      text(
        'The timer **pauses** now, and `start` goes on from there:\n\n' +
          '```ts\nconst timer = new TeaTimer(180)\ntimer.start()\ntimer.pause() // 2:59, and it stays so\n```\n\n' +
          '1. `src/tea-timer.ts:22` holds the time instead of stopping.\n' +
          '2. Started twice it runs once.\n\nShall `tick` count quarters of a second, so that a pause loses less?',
      ),
    )
    .add({ type: 'system', subtype: 'turn_duration', durationMs: 41_300 })
}

/** Writes the sessions into a home; `project` is the folder of the window. */
export function makeSessions(home, project) {
  const place = join(home, '.claude', 'projects')
  const id = (number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`
  const now = Date.now()
  pausing(project).write(place, id(1), {
    folder: project,
    branch: 'feature/pause',
    end: now - 4 * minute,
    title: 'Let the timer pause',
  })
  others.forEach(([title, ago, branch, name], index) => {
    const folder = name ? join(home, name) : project
    new Lines()
      .prompt(title)
      .reply('m1', text('Done.'))
      .write(place, id(index + 2), {
        folder,
        branch,
        end: now - ago,
        title,
      })
  })
}
