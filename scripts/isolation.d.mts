/**
 * The words to put before a command to run it in a network namespace with only loopback up and how that was possible,
 * or why it is not possible here.
 */
export function isolation(): { prefix: readonly string[]; name: string } | { reason: string }
