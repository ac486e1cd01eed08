import { readFile, readdir, readlink } from 'node:fs/promises'

/**
 * The process at the other end of a TCP connection on 127.0.0.1: the one that has `localPort` and is connected to
 * `remotePort`. Undefined where the system does not tell (only Linux does without another program), where the process
 * is another account's, or where the connection is gone.
 */
export async function findSocketProcess(
  localPort: number,
  remotePort: number,
  platform: NodeJS.Platform = process.platform,
): Promise<number | undefined> {
  if (platform !== 'linux') return undefined
  const table = await readFile('/proc/net/tcp', 'utf8').catch(() => '')
  const inode = socketInode(table, localPort, remotePort)
  return inode === undefined ? undefined : ownerOf(`socket:[${inode}]`)
}

/** The inode of a loopback connection in the kernel's table (proc(5), /proc/net/tcp). */
export function socketInode(table: string, localPort: number, remotePort: number): string | undefined {
  const wanted = `${loopback(localPort)} ${loopback(remotePort)}`
  for (const line of table.split('\n')) {
    const words = line.trim().split(/\s+/)
    if (`${words[1]} ${words[2]}` === wanted) return words[9]
  }
  return undefined
}

function loopback(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
}

async function ownerOf(socket: string): Promise<number | undefined> {
  const names = await readdir('/proc').catch(() => [])
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    const folder = `/proc/${name}/fd`
    // Not ours to read, or gone meanwhile.
    const files = await readdir(folder).catch(() => [])
    const links = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => '')))
    if (links.includes(socket)) return Number(name)
  }
  return undefined
}
