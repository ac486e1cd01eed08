import headless from '@xterm/headless'
import { spawn } from 'node-pty'

/** The command line in a terminal without an app around it: for measuring, and for tests of the IDE server alone. */
export interface BareClaude {
  pid: number
  /** What the terminal shows now, line by line, without trailing spaces. */
  screen(): string
  /** Waits until `wanted` holds for the screen; rejects with the last screen after `limit` milliseconds. */
  waitForScreen(wanted: RegExp | ((screen: string) => boolean), limit?: number): Promise<string>
  /** Sends bytes as typed. */
  type(data: string): void
  /** Puts a prompt in by bracketed paste and submits it. Wait for the prompt's frame before the first one. */
  prompt(text: string): void
  /** Ends the program. Resolves when it is gone. */
  kill(signal?: string): Promise<void>
  exited: Promise<number>
}

/** Starts the program at `path` in `cwd` with exactly the environment given. */
export function startBareClaude(options: {
  path: string
  args?: readonly string[]
  cwd: string
  env: Record<string, string>
  columns?: number
  rows?: number
}): BareClaude {
  const cols = options.columns ?? 120
  const rows = options.rows ?? 45
  const terminal = new headless.Terminal({ cols, rows, scrollback: 2000, allowProposedApi: true })
  const child = spawn(options.path, [...(options.args ?? [])], {
    name: 'xterm-256color',
    cols,
    rows,
    cwd: options.cwd,
    env: options.env,
  })
  const changed = new Set<() => void>()
  // The terminal answers the program's questions (cursor, device attributes), as a real one does.
  terminal.onData((data) => child.write(data))
  child.onData((data) => terminal.write(data, () => [...changed].forEach((hear) => hear())))
  const exited = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)))

  const screen = (): string => {
    const { buffer } = terminal
    const lines: string[] = []
    for (let row = 0; row < rows; row += 1) {
      lines.push(buffer.active.getLine(buffer.active.baseY + row)?.translateToString(true) ?? '')
    }
    return lines.join('\n').trimEnd()
  }

  return {
    pid: child.pid,
    screen,
    exited,
    waitForScreen(wanted, limit = 30_000) {
      const holds = typeof wanted === 'function' ? wanted : (text: string): boolean => wanted.test(text)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          changed.delete(look)
          reject(new Error(`the terminal did not show ${String(wanted)} within ${limit} ms:\n${screen()}`))
        }, limit)
        const look = (): void => {
          const now = screen()
          if (!holds(now)) return
          clearTimeout(timer)
          changed.delete(look)
          resolve(now)
        }
        changed.add(look)
        look()
      })
    },
    type: (data) => child.write(data),
    prompt: (text) => child.write(`\x1b[200~${text}\x1b[201~\r`),
    async kill(signal = 'SIGKILL') {
      child.kill(signal)
      await exited
      terminal.dispose()
    },
  }
}
