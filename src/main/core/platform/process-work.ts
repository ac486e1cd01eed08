import { readFile, readdir } from 'node:fs/promises'
import { fieldsOfLinuxStat } from './process-tree'

/** The work done so far by a process and everything it started that is alive or was waited for. */
export interface ProcessWork {
  /** Processor time, in milliseconds. */
  processor: number
  /** Bytes handed to the system to write: to files, pipes, sockets or a terminal. */
  written: number
}

/** At most this many processes are read. */
const mostProcesses = 200

/**
 * Read from /proc on Linux (proc_pid_stat(5), proc_pid_io(5)), where a tick is a hundredth of a second; null elsewhere,
 * and for a process that is gone.
 */
export async function workOfProcess(pid: number): Promise<ProcessWork | null> {
  if (process.platform !== 'linux') return null
  const own = await workOfOne(pid)
  if (!own) return null
  const seen = new Set([pid])
  let level = [pid]
  while (level.length > 0 && seen.size < mostProcesses) {
    const below = (await Promise.all(level.map(childrenOf))).flat().filter((child) => !seen.has(child))
    for (const child of below) seen.add(child)
    for (const work of await Promise.all(below.map(workOfOne))) {
      own.processor += work?.processor ?? 0
      own.written += work?.written ?? 0
    }
    level = below
  }
  return own
}

async function workOfOne(pid: number): Promise<ProcessWork | null> {
  try {
    const fields = fieldsOfLinuxStat(await readFile(`/proc/${pid}/stat`, 'utf8'))
    // User and system time, and the same for children that were waited for.
    const processor = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * 10
    return { processor, written: await writtenBy(pid) }
  } catch {
    return null
  }
}

/** 0 if the system doesn't tell, as for privileged programs. */
async function writtenBy(pid: number): Promise<number> {
  try {
    const found = /^wchar: (\d+)$/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))
    return Number(found?.[1] ?? 0)
  } catch {
    return 0
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  try {
    const threads = await readdir(`/proc/${pid}/task`)
    const lists = await Promise.all(
      threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
    )
    return lists.flatMap((list) => list.split(' ').filter((one) => one.trim() !== '')).map(Number)
  } catch {
    return []
  }
}
