import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isolation } from '../../scripts/isolation.mjs'

/** Shows the machine's own /etc at another place, mounts ours over it, and becomes the command. */
const enter = 'mount --rbind /etc "$1/machine" && mount --rbind "$1/etc" /etc && shift && exec "$@"'

/**
 * The words to put before a command that is to see files in /etc (by their paths there), or why that is not possible here.
 * Only the command and what it starts see them: the machine's own /etc isn't touched. `folder` is made for it.
 */
export function withInEtc(
  files: Record<string, string>,
  folder: string,
): { prefix: readonly string[] } | { skipped: string } {
  const isolated = isolation({ net: false, mounts: true })
  if ('reason' in isolated) return { skipped: isolated.reason }
  const etc = join(folder, 'etc')
  mkdirSync(join(folder, 'machine'), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(etc, path)), { recursive: true })
    writeFileSync(join(etc, path), text)
  }
  const own = new Set(readdirSync(etc))
  for (const name of readdirSync('/etc').filter((one) => !own.has(one))) {
    const isLink = lstatSync(join('/etc', name)).isSymbolicLink()
    symlinkSync(isLink ? readlinkSync(join('/etc', name)) : join(folder, 'machine', name), join(etc, name))
  }
  const prefix = [...isolated.prefix, 'sh', '-c', enter, 'sh', folder]
  const [program = '', ...rest] = prefix
  const { status, stderr } = spawnSync(program, [...rest, 'true'], { encoding: 'utf8' })
  return status === 0 ? { prefix } : { skipped: `nothing can be mounted over /etc: ${stderr.trim()}` }
}
