import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Check, ServerState } from '../../../shared/contract/connections'
import { client } from '../host/client'
import { connectionsMirror } from './connections-mirror'
import { link } from '../host/link'

interface Checks {
  /** The last result by server; null before the first check. */
  found: ReadonlyMap<ServerState['dialect'], readonly Check[]> | null
  isChecking: boolean
}

const store = createStore<Checks>()(() => ({ found: null, isChecking: false }))
let again = false

/** Asks the host why agents are or aren't connected. A call during a check runs another one after it. */
export async function checkConnections(): Promise<void> {
  if (store.getState().isChecking) {
    again = true
    return
  }
  store.setState({ isChecking: true })
  do {
    again = false
    try {
      const { servers } = await client.call('connections.check', {})
      store.setState({ found: new Map(servers.map(({ dialect, checks }) => [dialect, checks])) })
    } catch {
      // The link is lost, as the frame says; the check runs again when it is back.
    }
  } while (again as boolean)
  store.setState({ isChecking: false })
}

/** The results of the checks, which run when the component mounts and when connections or the link change. */
export function useChecks(): { checks: Checks['found']; isChecking: boolean; check: () => void } {
  const { found, isChecking } = useStore(store)
  useEffect(() => {
    const look = () => void checkConnections()
    look()
    const ends = [connectionsMirror.store.subscribe(look), link.subscribe(look)]
    return () => ends.forEach((end) => end())
  }, [])
  return { checks: found, isChecking, check: () => void checkConnections() }
}
