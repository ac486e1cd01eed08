/** JSON-RPC 2.0 (jsonrpc.org/specification), as far as a server needs it. */

/** The spec's error codes. */
export const rpcErrors = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const

/** A request's id. MCP forbids null. */
export type RpcId = string | number

/** An error as it goes on the wire; `message` is a sentence. */
export interface RpcError {
  code: number
  message: string
}

/** One message by its kind. Responses of a client are ignored: these servers ask nothing. */
export type RpcMessage =
  | { kind: 'request'; id: RpcId; method: string; params: unknown }
  | { kind: 'notification'; method: string; params: unknown }
  | { kind: 'response' }
  | { kind: 'invalid'; id: RpcId | null; error: RpcError }

/** Classifies a parsed value by the spec's rules. */
export function readMessage(value: unknown): RpcMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid(null, 'A message must be a JSON object.')
  }
  const { jsonrpc, id, method, params } = value as Record<string, unknown>
  const usable = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : undefined
  if (jsonrpc !== '2.0') return invalid(usable ?? null, 'A message must say "jsonrpc": "2.0".')
  if (typeof method !== 'string') {
    if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' }
    return invalid(usable ?? null, 'A message must name its method as a string.')
  }
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return invalid(usable ?? null, 'The params must be an object or an array.')
  }
  if (usable !== undefined) return { kind: 'request', id: usable, method, params }
  if (id !== undefined) return invalid(null, 'The id must be a string or a number.')
  return { kind: 'notification', method, params }
}

/** The wire text of a result that is JSON text already. */
export function resultText(id: RpcId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson}}`
}

/** The wire text of an error. */
export function errorText(id: RpcId | null, error: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

/** The wire text of a notification. */
export function notificationText(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}

function invalid(id: RpcId | null, message: string): RpcMessage {
  return { kind: 'invalid', id, error: { code: rpcErrors.invalidRequest, message } }
}
