import { RpcError } from '../../../shared/rpc/rpc'

/** What to say of a call that failed for a reason that it did not foresee. Throws what is no such failure. */
export function sentenceFor(error: unknown): string {
  if (!(error instanceof RpcError)) throw error
  return error.code === 'disconnected'
    ? 'Greenlight isn’t connected. Nothing was decided; try again in a few seconds.'
    : 'Something went wrong in Greenlight. See its log.'
}
