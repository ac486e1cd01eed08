import { spawnSync } from 'node:child_process'

/** Brings up loopback, which a new network namespace has switched off, and becomes the command. */
const enter = '{ ip link set lo up || ifconfig lo up; } 2>/dev/null && exec "$@"'

/**
 * The words to put before a command to run it in a network namespace with only loopback up, or why that is not
 * possible here. With `mounts` it may also mount what nobody outside sees; without `net` it keeps the network. The scripted API, the app, its page and the command line must all be inside, so it is the whole test
 * run that goes in. Install the command line before: inside, npm finds nothing.
 */
export function isolation({ net = true, mounts = false } = {}) {
  const spaces = [...(net ? ['--net'] : []), ...(mounts ? ['--mount'] : [])]
  if (process.platform !== 'linux') return { reason: 'namespaces are a Linux feature' }
  for (const map of [[], ['--map-root-user']]) {
    const prefix = ['unshare', ...map, ...spaces, '--', ...(net ? ['sh', '-c', enter, 'sh'] : [])]
    const [program = '', ...rest] = prefix
    if (spawnSync(program, [...rest, 'true'], { stdio: 'ignore' }).status === 0) {
      return { prefix, name: ['unshare', ...map, ...spaces].join(' ') }
    }
  }
  const kinds = [...(net ? ['network'] : []), ...(mounts ? ['mount'] : [])].join(' and ')
  return { reason: `this account may not make a ${kinds} namespace, or a program for it is missing` }
}
