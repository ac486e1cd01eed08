import { readFile, readdir, readlink } from 'node:fs/promises'

interface Question {
  localPort: number
  remotePort: number
  answer(pid: number | undefined): void
}

/**
 * Finds processes by their connections. Each search reads all processes, so one search serves everyone who asked before
 * it began.
 */
export class SocketProcesses {
  #questions: Question[] = []
  #isLooking = false

  /**
   * The process at the other end of a TCP connection on 127.0.0.1: the one that has `localPort` and is connected to
   * `remotePort`. Undefined if the system doesn't tell (only Linux does without another program), if the process is
   * another account's, or if the connection is gone.
   */
  find(
    localPort: number,
    remotePort: number,
    platform: NodeJS.Platform = process.platform,
  ): Promise<number | undefined> {
    if (platform !== 'linux') return Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#questions.push({ localPort, remotePort, answer: resolve })
      if (!this.#isLooking) void this.#look()
    })
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    while (this.#questions.length > 0) {
      const questions = this.#questions.splice(0)
      const inodes = socketInodes(await readFile('/proc/net/tcp', 'utf8').catch(() => ''))
      const open = new Map<string, Question[]>()
      for (const question of questions) {
        const inode = inodes.get(ends(question.localPort, question.remotePort))
        const link = `socket:[${inode}]`
        if (inode === undefined) question.answer(undefined)
        else open.set(link, [...(open.get(link) ?? []), question])
      }
      await answerAll(open)
    }
    this.#isLooking = false
  }
}

/** The inodes of the sockets in the kernel's table (proc(5), /proc/net/tcp), by their two ends. */
export function socketInodes(table: string): Map<string, string> {
  const inodes = new Map<string, string>()
  for (const line of table.split('\n')) {
    const words = line.trim().split(/\s+/, 10)
    if (words[9] !== undefined) inodes.set(`${words[1]} ${words[2]}`, words[9])
  }
  return inodes
}

/** A loopback connection's two ends, in the form of the kernel's table. */
export function ends(localPort: number, remotePort: number): string {
  return `${loopback(localPort)} ${loopback(remotePort)}`
}

function loopback(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Answers questions about sockets, keyed by the names of the kernel's links. */
async function answerAll(open: Map<string, readonly Question[]>): Promise<void> {
  // Newest first: a process that has just connected rarely started long ago.
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger)
  for (const pid of pids.toSorted((a, b) => b - a)) {
    if (open.size === 0) return
    const folder = `/proc/${pid}/fd`
    // It isn't ours to read, or has gone.
    const files = await readdir(folder).catch(() => [])
    const links = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => '')))
    for (const link of links) {
      for (const question of open.get(link) ?? []) question.answer(pid)
      open.delete(link)
    }
  }
  for (const question of [...open.values()].flat()) question.answer(undefined)
}
