import type { Calls } from '../../../shared/contract/contract'
import { type Result, fail } from '../../../shared/result'
import { RpcError } from '../../../shared/rpc/rpc'
import { client } from './client'
import { tell } from '../window/notices-mirror'

type CallName = keyof Calls & string

/** The calls that may fail as expected. */
export type ResultCallName = {
  [N in CallName]: Extract<Calls[N]['result'], { ok: false }> extends never ? never : N
}[CallName]

/** The value of such a call when it succeeds. */
export type ResultValue<N extends ResultCallName> = Extract<Calls[N]['result'], { ok: true }>['value']

/** How many calls of each name the host hasn't answered yet. */
const underWay = new Map<CallName, number>()

function call<N extends CallName>(
  name: N,
  params: Calls[N]['params'],
  signal?: AbortSignal,
): Promise<Calls[N]['result']> {
  const count = (by: number) => underWay.set(name, (underWay.get(name) ?? 0) + by)
  count(1)
  return client.call(name, params, signal).finally(() => count(-1))
}

/** Whether the host has yet to answer one of these calls, so that the mirrors may not show yet what it does. */
export function isUnderWay(names: readonly CallName[]): boolean {
  return names.some((name) => (underWay.get(name) ?? 0) > 0)
}

/** Runs a call that may fail. A lost link and an error in the host are failures with a sentence too. Never rejects. */
export async function attempt<N extends ResultCallName>(
  name: N,
  params: Calls[N]['params'],
  signal?: AbortSignal,
): Promise<Result<ResultValue<N>>> {
  try {
    return (await call(name, params, signal)) as Result<ResultValue<N>>
  } catch (error) {
    return failureOf(name, error)
  }
}

/** Like `attempt`, but shows a failure as a notice and gives undefined. */
export async function ask<N extends ResultCallName>(
  name: N,
  params: Calls[N]['params'],
): Promise<ResultValue<N> | undefined> {
  const result = await attempt(name, params)
  if (result.ok) return result.value
  if (result.failure.code !== 'cancelled') tell('error', result.failure.message)
  return undefined
}

/**
 * Sends a call whose answer doesn't matter. Dropped while the link is lost, which the frame shows already. `onEnd` is called
 * once it is answered or dropped, with whether the host has taken it.
 */
export function send<N extends CallName>(
  name: N,
  params: Calls[N]['params'],
  onEnd?: (isTaken: boolean) => void,
): void {
  call(name, params).then(
    () => onEnd?.(true),
    (error: unknown) => {
      const isDropped =
        error instanceof RpcError && (error.code === 'disconnected' || error.code === 'cancelled')
      if (!isDropped) console.error(error)
      onEnd?.(false)
    },
  )
}

/** A call that was rejected, as a failure with a sentence. */
export function failureOf(name: string, error: unknown): ReturnType<typeof fail> {
  const code = error instanceof RpcError ? error.code : 'failed'
  if (code === 'disconnected') return fail(code, 'Greenlight isn’t connected. Try again in a few seconds.')
  if (code === 'cancelled') return fail(code, 'Cancelled.')
  console.error(name, error)
  return fail('failed', 'Something went wrong in Greenlight. See its log.')
}
