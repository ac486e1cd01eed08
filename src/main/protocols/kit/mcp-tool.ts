import { z } from 'zod'

/** A tool's whole answer (MCP, "Tool Result"). */
export interface ToolResult {
  content: readonly { type: 'text'; text: string }[]
  isError?: true
}

/** What a tool knows about the call it answers. */
export interface ToolCall {
  /** The call's id on its connection, as text. */
  id: string
  /** Aborts when the client cancels the call or goes away; nothing is sent after that. */
  signal: AbortSignal
}

/** A tool as the session sees it: arguments are checked before `run` is called. */
export interface Tool<Context> {
  name: string
  description: string
  /** The JSON schema of the arguments. */
  inputSchema: unknown
  /** Checks the arguments: gives what to run, or a sentence on what is wrong. */
  prepare(
    args: unknown,
  ): { run: (context: Context, call: ToolCall) => ToolResult | Promise<ToolResult> } | string
}

/** Makes a tool of a zod schema and a function. The schema says which arguments there are, and checks them. */
export function defineTool<Context, Schema extends z.ZodObject>(definition: {
  name: string
  description: string
  input: Schema
  run: (args: z.output<Schema>, context: Context, call: ToolCall) => ToolResult | Promise<ToolResult>
}): Tool<Context> {
  const { name, description, input, run } = definition
  return {
    name,
    description,
    // Made when first asked for: a start doesn't wait for what no client has listed yet.
    get inputSchema() {
      const { $schema: _dialect, ...described } = z.toJSONSchema(input, { io: 'input' })
      return described
    },
    prepare(args) {
      const parsed = input.safeParse(args ?? {})
      if (parsed.success) return { run: (context, call) => run(parsed.data, context, call) }
      return `Wrong arguments for ${name}: ${describeIssues(parsed.error)}.`
    },
  }
}

/** An answer of one or more texts. */
export function textResult(...texts: readonly string[]): ToolResult {
  return { content: texts.map((text) => ({ type: 'text', text })) }
}

/** An answer of one JSON object as text. */
export function jsonResult(value: unknown): ToolResult {
  return textResult(JSON.stringify(value))
}

/** An answer that says in a sentence why the tool could not do it. */
export function errorResult(sentence: string): ToolResult {
  return { content: [{ type: 'text', text: sentence }], isError: true }
}

/** What zod found, as one clause; never a value that was sent. */
function describeIssues(error: z.core.$ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => {
      const where = issue.path.map(String).join('.')
      return where === '' ? lower(issue.message) : `${where}: ${lower(issue.message)}`
    })
    .join('; ')
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
