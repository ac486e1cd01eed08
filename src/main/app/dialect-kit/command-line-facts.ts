import type { ClientSwitch } from '../../core/connections/server-checks'

/**
 * Gemini CLI knows `/ide enable` while its own switch is off, and after it has lost a connection, but not where it has
 * found no editor at its start (measured with 0.61.0). With its switch on nothing tells the last two apart, so nothing is
 * offered: to start it anew is right for both.
 */
export function connectCommandOf(command: string | null, clientSwitch: ClientSwitch | null): string | null {
  const isOn = clientSwitch !== null && 'enabled' in clientSwitch && clientSwitch.enabled === true
  return isOn ? null : command
}

/** Of command lines that start others of their own kind, the first of each family: the one that a person knows. */
export function leadersOf<T extends { pid: number; parent: number }>(
  running: readonly T[],
  kindOf: (one: T) => string | null,
): T[] {
  const kinds = new Map(running.map((one) => [one.pid, kindOf(one)]))
  return running.filter((one) => kinds.get(one.parent) !== kindOf(one))
}
