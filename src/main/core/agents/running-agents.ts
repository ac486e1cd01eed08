/** The agents whose running command lines we know by sight. */
export type KnownAgent = 'claude' | 'gemini' | 'qwen'

/** What we know of an agent's connecting. `oldest`: the first version known to connect to an editor as we are one. */
export const knownAgents: Record<KnownAgent, { title: string; oldest: string }> = {
  claude: { title: 'Claude Code', oldest: '1.0.44' },
  gemini: { title: 'Gemini CLI', oldest: '0.5.0' },
  qwen: { title: 'Qwen Code', oldest: '0.15.0' },
}

const packages: Record<string, KnownAgent> = {
  '@anthropic-ai/claude-code': 'claude',
  '@google/gemini-cli': 'gemini',
  '@qwen-code/qwen-code': 'qwen',
}
const programs: readonly KnownAgent[] = ['claude', 'gemini', 'qwen']
const runtime = /^(?:node|bun|deno)(?:\.exe)?$/

/** Which agent a command line is: by its program's name, or for one that Node runs by its script. */
export function agentOfCommandLine(words: readonly string[]): KnownAgent | null {
  const [program = '', ...rest] = words
  const isRun = runtime.test(nameOf(program))
  const script = isRun ? rest.find((word) => !word.startsWith('-')) : program
  if (script === undefined) return null
  const path = script.replaceAll('\\', '/')
  for (const [name, agent] of Object.entries(packages)) if (path.includes(`/${name}`)) return agent
  const name = nameOf(path).replace(/\.(?:exe|cmd|js|mjs)$/, '')
  return programs.find((known) => known === name) ?? null
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
