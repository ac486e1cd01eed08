/**
 * The words to put before a command to run it in a network namespace with only loopback up and how that was possible,
 * or why it is not possible here. With `mounts` it may also mount what nobody outside sees; without `net` it keeps the
 * network.
 */
export function isolation(options?: {
  net?: boolean
  mounts?: boolean
}): { prefix: readonly string[]; name: string } | { reason: string }
