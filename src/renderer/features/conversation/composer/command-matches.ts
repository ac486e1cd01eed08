import type { AgentCommand } from '../../../../shared/contract/conversations'

/** More are not listed at once: whoever looks for another one types a letter. */
const mostListed = 100

/** The command that is being typed, without its slash; null where the text is none, or goes on behind it. */
function typedCommand(text: string): string | null {
  return /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase() ?? null
}

/**
 * The agent's commands that fit what is typed: those that begin with it, then those that hold it, each in the agent's
 * order. None where no command is being typed.
 */
export function commandMatches(commands: readonly AgentCommand[], text: string): readonly AgentCommand[] {
  const typed = typedCommand(text)
  if (typed === null) return []
  const holds = commands.filter(({ name }) => name.toLowerCase().includes(typed))
  const begins = (command: AgentCommand) => command.name.toLowerCase().startsWith(typed)
  return [...holds.filter(begins), ...holds.filter((command) => !begins(command))].slice(0, mostListed)
}
