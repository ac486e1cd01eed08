import { nameOfPath } from '../../../shared/text/path-name'
import type { AgentDescription } from './agent'
import { agents } from './agents'

const runtime = /^(?:node|bun|deno)(?:\.exe)?$/

/** Which agent a command line starts: known by its program's name, or by its script if Node runs it. */
export function agentOfCommandLine(words: readonly string[]): AgentDescription | null {
  const [program = '', ...rest] = words
  const isRun = runtime.test(nameOfPath(program))
  const script = isRun ? rest.find((word) => !word.startsWith('-')) : program
  if (script === undefined) return null
  const path = script.replaceAll('\\', '/')
  const name = nameOfPath(path).replace(/\.(?:exe|cmd|js|mjs)$/, '')
  return (
    agents.find(({ npmPackage }) => path.includes(`/${npmPackage}`)) ??
    agents.find(({ command }) => command === name) ??
    null
  )
}
