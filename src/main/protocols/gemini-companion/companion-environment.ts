import { runsInContainer } from '../../core/platform/container'
import { workspacePath } from './discovery'

/** Every variable by which clients are led to an editor; an outer editor's must not be left. */
const names = [
  'GEMINI_CLI_IDE_PID',
  'GEMINI_CLI_IDE_SERVER_PORT',
  'GEMINI_CLI_IDE_WORKSPACE_PATH',
  'GEMINI_CLI_IDE_AUTH_TOKEN',
  'GEMINI_CLI_IDE_SERVER_STDIO_COMMAND',
  'GEMINI_CLI_IDE_SERVER_STDIO_ARGS',
  'QWEN_CODE_IDE_SERVER_PORT',
  'QWEN_CODE_IDE_WORKSPACE_PATH',
  'QWEN_CODE_IDE_SERVER_STDIO_COMMAND',
  'QWEN_CODE_IDE_SERVER_STDIO_ARGS',
] as const

/**
 * What a terminal's environment needs so that a client started in it connects to this server; without a server, that
 * it finds no other editor's either.
 */
export function companionEnvironment(
  server: { port: number; token: string; pid: number; folders: readonly string[] } | null,
  isContainer: boolean = runsInContainer(),
): Record<string, string | undefined> {
  const variables: Record<string, string | undefined> = Object.fromEntries(
    names.map((name) => [name, undefined]),
  )
  if (server === null) return variables
  const port = String(server.port)
  const folders = workspacePath(server.folders)
  return {
    ...variables,
    GEMINI_CLI_IDE_PID: String(server.pid),
    GEMINI_CLI_IDE_SERVER_PORT: port,
    GEMINI_CLI_IDE_WORKSPACE_PATH: folders,
    GEMINI_CLI_IDE_AUTH_TOKEN: server.token,
    QWEN_CODE_IDE_SERVER_PORT: port,
    QWEN_CODE_IDE_WORKSPACE_PATH: folders,
    // Inside a container, clients take the editor to be outside of it unless this says otherwise.
    ...(isContainer ? { REMOTE_CONTAINERS: '1' } : {}),
  }
}
