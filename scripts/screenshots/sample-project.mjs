import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const timer = `import { EventEmitter } from 'node:events'
import { formatTime } from './format-time'

/** How often a running timer tells how much is left, in milliseconds. */
const interval = 1000

/** Counts down and says when the tea is ready. */
export class TeaTimer {
  readonly events = new EventEmitter()
  private left: number
  private handle: NodeJS.Timeout | null = null

  constructor(seconds: number) {
    this.left = seconds
  }

  start(): void {
    this.handle = setInterval(() => this.tick(), interval)
  }

  stop(): void {
    clearInterval(this.handle!)
  }

  /** What is left, as minutes and seconds. */
  get display(): string {
    return formatTime(this.left)
  }

  private tick(): void {
    this.left = this.left - 1
    this.events.emit('tick', this.left)
    if (this.left == 0) {
      this.stop()
      this.events.emit('ready')
    }
  }
}
`

const timerAfter = `import { EventEmitter } from 'node:events'
import { formatTime } from './format-time'

/** How often a running timer tells how much is left, in milliseconds. */
const interval = 250

/** Counts down and says when the tea is ready. */
export class TeaTimer {
  readonly events = new EventEmitter()
  private left: number
  private handle: NodeJS.Timeout | null = null

  constructor(seconds: number) {
    this.left = seconds
  }

  /** Begins, or goes on after a pause. A running timer stays as it is. */
  start(): void {
    if (this.handle) return
    this.handle = setInterval(() => this.tick(), interval)
  }

  /** Holds the time; \`start\` goes on from here. */
  pause(): void {
    if (this.handle) clearInterval(this.handle)
    this.handle = null
  }

  /** What is left, as minutes and seconds. */
  get display(): string {
    return formatTime(this.left)
  }

  private tick(): void {
    this.left = Math.max(0, this.left - interval / 1000)
    this.events.emit('tick', this.left)
    if (this.left === 0) {
      this.pause()
      this.events.emit('ready')
    }
  }
}
`

const format = `/** Seconds as minutes and seconds: 205 is 3:25. */
export function formatTime(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  return minutes + ':' + String(rest).padStart(2, '0')
}
`

const formatAfter = `/** Seconds as minutes and seconds: 205 is 3:25. Parts of a second count as a whole one. */
export function formatTime(seconds: number): string {
  const whole = Math.ceil(seconds)
  const minutes = Math.floor(whole / 60)
  const rest = whole % 60
  return \`\${minutes}:\${String(rest).padStart(2, '0')}\`
}
`

const testAfter = `import { expect, test } from 'vitest'
import { TeaTimer } from '../src/tea-timer'

test('a paused timer keeps its time', () => {
  const timer = new TeaTimer(180)
  timer.start()
  timer.pause()
  expect(timer.display).toBe('3:00')
})
`

const files = {
  '.gitignore': 'node_modules/\n',
  'README.md':
    '# Tea timer\n\nSays when the tea is ready.\n\n## Use\n\n    npm start -- 180\n\n| tea | seconds |\n|---|--:|\n' +
    '| green | 120 |\n| black | 240 |\n\n- [x] counts down\n- [ ] pauses\n',
  'package.json': '{\n  "name": "tea-timer",\n  "type": "module"\n}\n',
  'src/tea-timer.ts': timer,
  'src/format-time.ts': format,
  'src/main.ts':
    "import { TeaTimer } from './tea-timer'\n\nconst timer = new TeaTimer(Number(process.argv[2] ?? 180))\n" +
    "timer.events.on('ready', () => console.log('Your tea is ready.'))\ntimer.start()\n",
  'test/format-time.test.ts':
    "import { expect, test } from 'vitest'\nimport { formatTime } from '../src/format-time'\n\n" +
    "test('seconds are padded', () => {\n  expect(formatTime(205)).toBe('3:25')\n  expect(formatTime(61)).toBe('1:01')\n})\n",
}

/** What the sample agent proposes, by a word of what it is asked for: a path in the project and its whole new text. */
export const proposals = {
  pause: ['src/tea-timer.ts', timerAfter],
  seconds: ['src/format-time.ts', formatAfter],
  test: ['test/tea-timer.test.ts', testAfter],
}

/** What it writes without asking, by a word of what it is asked for: paths in the project and their whole new texts. */
export const writes = {
  Tidy: {
    'src/main.ts': files['src/main.ts'].replace("'Your tea is ready.'", "'Your tea is ready. Enjoy it!'"),
    'README.md': files['README.md'].replace('npm start -- 180', 'npx tea-timer 180'),
  },
  leaves: Object.fromEntries(
    Array.from({ length: 64 }, (_, index) => [
      `src/leaves/leaf-${index + 1}.ts`,
      `export const leaf = ${index + 1}\n`,
    ]),
  ),
}

/** Makes a small project with a git branch in a new folder. */
export function makeProject(folder) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const git = (...args) => execFileSync('git', args, { cwd: folder })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git(
    '-c',
    'user.name=Tea',
    '-c',
    'user.email=tea@example.org',
    'commit',
    '--quiet',
    '--message',
    'A tea timer',
  )
}
