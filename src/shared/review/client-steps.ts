/** How many clients are remembered; only the latest ones can still ask. */
const mostClients = 16

/**
 * Adds to the count of steps that a client has sent; the latest client comes last. A page that lost its link learns
 * from the count which of its steps arrived, since they are taken in order and each at most once.
 */
export function countSteps(
  clients: ReadonlyMap<string, number>,
  client: string,
  steps: number,
): ReadonlyMap<string, number> {
  const counted = new Map(clients)
  counted.delete(client)
  counted.set(client, (clients.get(client) ?? 0) + steps)
  for (const oldest of counted.keys()) {
    if (counted.size <= mostClients) break
    counted.delete(oldest)
  }
  return counted
}
