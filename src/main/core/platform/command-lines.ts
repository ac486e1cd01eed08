import { readFile, readlink, stat } from 'node:fs/promises'
import { askSystem, fieldsOfLinuxStat, readLinuxProcesses } from './process-tree'

/** A running program as far as the system tells: everything on Linux, less elsewhere. */
export interface CommandLine {
  pid: number
  parent: number
  words: readonly string[]
  /** Its working folder, if known. */
  cwd: string | null
  /** When it started, in milliseconds since the epoch, if known. */
  started: number | null
  /** Its environment when it started, if known. Never to be logged or shown whole. */
  variables: Readonly<Record<string, string>> | null
}

/** This account's programs whose command line `isWanted` accepts. Empty if the system doesn't tell. */
export async function findCommandLines(
  isWanted: (words: readonly string[]) => boolean,
  platform: NodeJS.Platform = process.platform,
): Promise<CommandLine[]> {
  switch (platform) {
    case 'linux':
      return findOnLinux(isWanted)
    case 'win32':
      return []
    default:
      return parseUnixCommandLines(await askSystem('ps', ['-x', '-ww', '-o', 'pid=,ppid=,command='])).filter(
        ({ words }) => isWanted(words),
      )
  }
}

/** Parses `ps -o pid=,ppid=,command=`; words that contain spaces are split. */
export function parseUnixCommandLines(output: string): CommandLine[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.+?)\s*$/.exec(line)
    if (!match) return []
    const words = (match[3] ?? '').split(/\s+/)
    return [
      { pid: Number(match[1]), parent: Number(match[2]), words, cwd: null, started: null, variables: null },
    ]
  })
}

async function findOnLinux(isWanted: (words: readonly string[]) => boolean): Promise<CommandLine[]> {
  const own = process.getuid?.()
  const bootTime = await readBootTime()
  return readLinuxProcesses(async (folder) => {
    const words = split(await readFile(`${folder}/cmdline`, 'utf8'))
    if (words.length === 0 || !isWanted(words)) return null
    if ((await stat(folder)).uid !== own) return null
    const text = await readFile(`${folder}/stat`, 'utf8')
    const fields = fieldsOfLinuxStat(text)
    const ticks = Number(fields[19])
    return {
      pid: Number.parseInt(text, 10),
      parent: Number(fields[1]),
      words,
      cwd: await readlink(`${folder}/cwd`).catch(() => null),
      started: bootTime === null || Number.isNaN(ticks) ? null : bootTime + ticks * msPerTick,
      variables: await readVariables(folder),
    }
  })
}

/** The kernel reports a process's start to programs in hundredths of a second, whatever its own clock (proc(5)). */
const msPerTick = 10

async function readBootTime(): Promise<number | null> {
  const text = await readFile('/proc/stat', 'utf8').catch(() => '')
  const seconds = /^btime (\d+)$/m.exec(text)?.[1]
  return seconds === undefined ? null : Number(seconds) * 1000
}

async function readVariables(folder: string): Promise<Record<string, string> | null> {
  const text = await readFile(`${folder}/environ`, 'utf8').catch(() => null)
  if (text === null) return null
  return Object.fromEntries(
    split(text).flatMap((entry) => {
      const at = entry.indexOf('=')
      return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)]] : []
    }),
  )
}

function split(text: string): string[] {
  return text.split('\0').filter((part) => part !== '')
}
