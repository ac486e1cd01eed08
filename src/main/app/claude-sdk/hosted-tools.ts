import { claude } from '../../core/agents/claude'
import { ideName } from '../../protocols/claude-ide/lock-files'
import { type ModelToolContext, modelTools } from '../../protocols/claude-ide/tools'
import { HostedMcp } from '../../protocols/kit/hosted-mcp'
import { describeServer } from '../../protocols/kit/mcp-methods'
import { diagnostics, editorPort } from '../claude-ide/editor-port'
import type { DialectWindow } from '../dialect-kit/dialect'

/** The editor's tools for the model of a conversation, which doesn't connect to the window's server itself. */
export function hostedTools(window: DialectWindow, connection: string): HostedMcp<ModelToolContext> {
  const { editor, context, desk, machine } = window
  return new HostedMcp<ModelToolContext>({
    methods: describeServer({ name: ideName, version: machine.version, tools: modelTools }),
    context: {
      editor: editorPort(editor, context),
      diagnostics,
      review: { mayHaveBeenWritten: (path) => desk.look(path) },
      handed: (item) => context.sent({ connection, agent: claude.name }, 'asked', item),
    },
    onToolFailure: (tool, error) => machine.log.error('tool failed', { tool, error }),
  })
}
