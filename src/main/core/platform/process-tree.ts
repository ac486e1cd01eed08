import { readFileSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { outputOf } from './child-process'

/** The output of one of the system's own programs: at most 16 MiB within 10 s, otherwise ''. */
export async function askSystem(program: string, args: readonly string[]): Promise<string> {
  return (await outputOf(program, args, { maxBuffer: 16 << 20, timeout: 10_000 })).output
}

/** A process as the system lists it. `started` distinguishes it from a later one with the same number. */
export interface ProcessEntry {
  pid: number
  parent: number
  /** Its session, by the number of the session's first process; null if the system doesn't tell. */
  session: number | null
  started: string
}

/** All live processes that this one may see. Zombies count as dead. */
export async function listProcesses(platform: NodeJS.Platform = process.platform): Promise<ProcessEntry[]> {
  switch (platform) {
    case 'linux':
      return readLinuxProcesses(async (folder) => parseLinuxStat(await readFile(`${folder}/stat`, 'utf8')))
    case 'win32':
      return parseWindowsProcesses(
        await askSystem('powershell.exe', [
          '-NoProfile',
          '-NonInteractive',
          '-Command',
          'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.Ticks)" }',
        ]),
      )
    default:
      return parseUnixProcesses(await askSystem('ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart=']))
  }
}

/**
 * A process and everything it started, the process first: its descendants, and whatever shares the session that it
 * leads, so that programs whose parent has ended are found too.
 */
export function familyOf<T extends { pid: number; parent: number; session?: number | null }>(
  pid: number,
  processes: readonly T[],
): T[] {
  const children = new Map<number, T[]>()
  for (const entry of processes) {
    const siblings = children.get(entry.parent)
    if (siblings) siblings.push(entry)
    else children.set(entry.parent, [entry])
  }
  const family = new Map<number, T>()
  const add = (entry: T): void => {
    if (family.has(entry.pid)) return
    family.set(entry.pid, entry)
    for (const child of children.get(entry.pid) ?? []) add(child)
  }
  for (const entry of processes) if (entry.pid === pid) add(entry)
  for (const entry of processes) if (entry.session === pid) add(entry)
  return [...family.values()]
}

/** Whether a process with this number exists, even one that we may not signal. It may be a later one. */
export function processExists(pid: number): boolean {
  // Zero and negative numbers mean groups.
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process was started, in the form of `listProcesses`; null if it is not alive. */
export async function startOfProcess(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    try {
      // Synchronous, and no disk is read: a program that was just started may end a moment later.
      return parseLinuxStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.started ?? null
    } catch {
      return null
    }
  }
  return (await listProcesses()).find((entry) => entry.pid === pid)?.started ?? null
}

/**
 * Ends a process and everything it started: hang-up first, as a closing terminal does, then terminate; whatever is left
 * after `graceMs` is killed. Resolves when none is alive. Numbers that were given to other processes in the meantime
 * are left alone; with `started`, that includes the process itself, which may have ended already.
 */
export async function endProcessTree(pid: number, graceMs = 5000, started?: string): Promise<void> {
  if (started !== undefined) {
    const now = await startOfProcess(pid)
    if (now !== null && now !== started) return
  }
  if (process.platform === 'win32') {
    await askSystem('taskkill', ['/PID', String(pid), '/T', '/F'])
    return
  }
  const known = new Map<string, ProcessEntry>()
  // This clock never jumps, and on Linux it stands still while the computer sleeps, as the programs do.
  const begin = performance.now()
  let signalled: NodeJS.Signals | null = null
  let killedAt = Infinity
  for (let pause = 10; ; pause = Math.min(pause * 2, 100)) {
    const now = await listProcesses()
    for (const entry of familyOf(pid, now)) known.set(keyOf(entry), entry)
    const present = new Set(now.map(keyOf))
    const alive = [...known.values()].filter((entry) => present.has(keyOf(entry)))
    if (alive.length === 0) return
    const elapsed = performance.now() - begin
    const signal: NodeJS.Signals =
      elapsed >= graceMs ? 'SIGKILL' : elapsed >= graceMs / 5 ? 'SIGTERM' : 'SIGHUP'
    if (signal !== signalled || signal === 'SIGKILL') {
      for (const entry of alive) send(entry.pid, signal)
      // A stopped program receives nothing until it continues.
      for (const entry of alive) send(entry.pid, 'SIGCONT')
      signalled = signal
    }
    if (signal === 'SIGKILL') killedAt = Math.min(killedAt, elapsed)
    // Uninterruptible processes belong to the system; waiting longer for them would delay the app's end.
    if (elapsed - killedAt >= 1000) return
    await wait(pause)
  }
}

/** The fields of Linux's /proc/PID/stat from the third, the state (proc(5)); none if it is something else. */
export function fieldsOfLinuxStat(text: string): string[] {
  // The name is in parentheses and may contain spaces and parentheses itself.
  const end = text.lastIndexOf(')')
  return end < 0 ? [] : text.slice(end + 2).split(' ')
}

/** Parses one line of Linux's /proc/PID/stat; null for a zombie or something else. */
export function parseLinuxStat(text: string): ProcessEntry | null {
  const pid = Number.parseInt(text, 10)
  const fields = fieldsOfLinuxStat(text)
  const [state, parent, , session] = fields
  const started = fields[19]
  if (Number.isNaN(pid) || started === undefined) return null
  if (state === 'Z' || state === 'X') return null
  return { pid, parent: Number(parent), session: Number(session), started }
}

/** Parses `ps -o pid=,ppid=,stat=,lstart=`. */
export function parseUnixProcesses(output: string): ProcessEntry[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line)
    if (!match || match[3]?.startsWith('Z')) return []
    return [{ pid: Number(match[1]), parent: Number(match[2]), session: null, started: match[4] ?? '' }]
  })
}

/** Parses lines of process number, parent and creation time. */
export function parseWindowsProcesses(output: string): ProcessEntry[] {
  return output.split('\n').flatMap((line) => {
    const match = /^(\d+) (\d+) (\d*)\s*$/.exec(line)
    if (!match) return []
    return [{ pid: Number(match[1]), parent: Number(match[2]), session: null, started: match[3] ?? '' }]
  })
}

/** Calls `read` with the folder of each process in /proc; leaves out null and processes that end in the meantime. */
export async function readLinuxProcesses<T>(read: (folder: string) => Promise<T | null>): Promise<T[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(names.map((name) => read(`/proc/${name}`).catch(() => null)))
  return found.filter((one) => one !== null)
}

function keyOf(entry: ProcessEntry): string {
  return `${entry.pid} ${entry.started}`
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended, or belongs to another user now.
  }
}
