import { spawnSync } from 'node:child_process'
import { mkdirSync, openSync, closeSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const size = 16 * 1024 * 1024

/** A disk of 16 MB in memory, mounted on a folder until disposed. */
export class SmallDisk {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Mounts one, or says why not. It takes root, or a mount namespace (npm run chaos makes one). */
  static mount(folder: string): SmallDisk | { reason: string } {
    if (process.platform !== 'linux') return { reason: 'a disk in memory is mounted on Linux only' }
    mkdirSync(folder, { recursive: true })
    const { status, stderr } = spawnSync(
      'mount',
      ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'greenlight-chaos', folder],
      { encoding: 'utf8' },
    )
    if (status === 0) return new SmallDisk(folder)
    return { reason: `no disk can be mounted by this account: ${(stderr ?? 'no mount program').trim()}` }
  }

  /** Fills it until no byte more fits. */
  fill(): void {
    const file = openSync(join(this.#folder, 'filler'), 'w')
    try {
      for (let bytes = 1024 * 1024; bytes >= 1;) {
        try {
          writeSync(file, Buffer.alloc(bytes))
        } catch {
          bytes = Math.floor(bytes / 2)
        }
      }
    } finally {
      closeSync(file)
    }
  }

  free(): void {
    rmSync(join(this.#folder, 'filler'), { force: true })
  }

  /**
   * Makes it read-only, or writable again. A mount with files open for writing cannot be made read-only, so a read-only
   * view is mounted over it.
   */
  lock(isReadOnly: boolean): void {
    const folder = this.#folder
    if (!isReadOnly) return run('umount', ['--lazy', folder])
    run('mount', ['--bind', folder, folder])
    run('mount', ['-o', 'remount,bind,ro', folder])
  }

  dispose(): void {
    // The read-only view too, if it is still there.
    while (spawnSync('umount', ['--lazy', this.#folder]).status === 0);
  }
}

function run(program: string, words: readonly string[]): void {
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`)
}
