import type { Connection } from '../../../../shared/contract/connections'
import type { GatedAgent } from '../../../../shared/contract/gate'

/**
 * What is said of how the connected command lines of an agent write; nothing where it isn't known of each.
 * `mayWriteByRule`: a rule of the person's lets some files be written.
 */
export function gateWords(
  connections: readonly Pick<Connection, 'id' | 'unasked'>[],
  gated: readonly GatedAgent[],
  mayWriteByRule = false,
): { words: string; isWarning: boolean } {
  const mine = connections.map(({ id }) => gated.find(({ connection }) => connection === id))
  const isBypassed = mine.some(
    (one) => one?.isExpected && one.mode === 'every' && one.state === 'not-in-force',
  )
  if (isBypassed) return { words: 'not every change reviewed', isWarning: true }
  if (connections.some(({ unasked }) => unasked?.certain === true)) {
    return { words: 'writes without asking', isWarning: true }
  }
  if (mine.length === 0 || !mine.every((one) => one?.state === 'in-force'))
    return { words: '', isWarning: false }
  const isEvery = mine.every((one) => one?.mode === 'every')
  const every = mayWriteByRule ? 'reviewed but for your rules' : 'every change reviewed'
  return { words: isEvery ? every : 'as its mode says', isWarning: false }
}
