import { rpcErrors, type RpcError } from './json-rpc'
import type { Tool } from './mcp-tool'

/** The protocol versions that these servers speak, the newest first. What they send is the same in each. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/**
 * What a server answers without knowing who asks. Made once per server: the lists are kept as JSON text, so that a
 * connection costs nothing to describe the tools to.
 */
export interface McpMethods<Context> {
  /** The result of a method as JSON text, or its error. */
  answer(method: string, params: unknown): string | RpcError
  tool(name: string): Tool<Context> | undefined
}

/** Describes a server by its name and its tools. */
export function describeServer<Context>(options: {
  name: string
  version: string
  tools: readonly Tool<Context>[]
}): McpMethods<Context> {
  const { name, version, tools } = options
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const about = JSON.stringify({
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name, version },
  })
  let list: string | undefined
  const fixed = new Map([
    ['ping', '{}'],
    ['prompts/list', '{"prompts":[]}'],
    ['resources/list', '{"resources":[]}'],
    ['resources/templates/list', '{"resourceTemplates":[]}'],
  ])

  return {
    tool: (toolName) => byName.get(toolName),
    answer(method, params) {
      if (method === 'initialize') return initialize(params, about)
      // JSON leaves out the functions of a tool.
      if (method === 'tools/list') return (list ??= JSON.stringify({ tools }))
      const text = fixed.get(method)
      if (text !== undefined) return text
      return { code: rpcErrors.unknownMethod, message: 'This server does not know that method.' }
    },
  }
}

/** A version that we speak is taken, for any other the newest is offered; the client may then go (MCP, "Lifecycle"). */
function initialize(params: unknown, about: string): string | RpcError {
  const asked = (params as { protocolVersion?: unknown } | undefined)?.protocolVersion
  if (typeof asked !== 'string') {
    return { code: rpcErrors.invalidParams, message: 'A call of initialize must name a protocolVersion.' }
  }
  const version = protocolVersions.find((known) => known === asked) ?? protocolVersions[0]
  return `{"protocolVersion":"${version}",${about.slice(1)}`
}
