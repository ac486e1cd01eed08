import type { AgentDescription } from './agent'
import { agents } from './agents'

const runtime = /^(?:node|bun|deno)(?:\.exe)?$/

/** Which agent a command line is: by its program's name, or for one that Node runs by its script. */
export function agentOfCommandLine(words: readonly string[]): AgentDescription | null {
  const [program = '', ...rest] = words
  const isRun = runtime.test(nameOf(program))
  const script = isRun ? rest.find((word) => !word.startsWith('-')) : program
  if (script === undefined) return null
  const path = script.replaceAll('\\', '/')
  const name = nameOf(path).replace(/\.(?:exe|cmd|js|mjs)$/, '')
  return (
    agents.find(({ npmPackage }) => path.includes(`/${npmPackage}`)) ??
    agents.find(({ command }) => command === name) ??
    null
  )
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
