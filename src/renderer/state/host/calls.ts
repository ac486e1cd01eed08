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

/** What such a call gives when it succeeds. */
export type ResultValue<N extends ResultCallName> = Extract<Calls[N]['result'], { ok: true }>['value']

/** Runs a call that may fail; a lost link and a fault of the host are failures with a sentence too. Never rejects. */
export async function attempt<N extends ResultCallName>(
  name: N,
  params: Calls[N]['params'],
  signal?: AbortSignal,
): Promise<Result<ResultValue<N>>> {
  try {
    return (await client.call(name, params, signal)) as Result<ResultValue<N>>
  } catch (error) {
    return failureOf(name, error)
  }
}

/** Like `attempt`, and tells the person a failure as a notice. Undefined when it failed. */
export async function ask<N extends ResultCallName>(
  name: N,
  params: Calls[N]['params'],
): Promise<ResultValue<N> | undefined> {
  const result = await attempt(name, params)
  if (result.ok) return result.value
  if (result.failure.code !== 'cancelled') tell('error', result.failure.message)
  return undefined
}

/** Sends a call whose answer does not matter. While the link is lost it is dropped: the frame says that already. */
export function send<N extends CallName>(name: N, params: Calls[N]['params']): void {
  client.call(name, params).catch((error: unknown) => {
    if (error instanceof RpcError && (error.code === 'disconnected' || error.code === 'cancelled')) return
    console.error(error)
  })
}

/** A call that was rejected, as a failure with a sentence. */
export function failureOf(name: string, error: unknown): ReturnType<typeof fail> {
  const code = error instanceof RpcError ? error.code : 'failed'
  if (code === 'disconnected') return fail(code, 'Greenlight isn’t connected. Try again in a few seconds.')
  if (code === 'cancelled') return fail(code, 'Cancelled.')
  console.error(name, error)
  return fail('failed', 'Something went wrong in Greenlight. See its log.')
}
