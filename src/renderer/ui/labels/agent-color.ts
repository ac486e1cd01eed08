const spare = 5

/** The CSS colour of an agent: its own if tokens.css has one for its name, or always the same one of a fixed set. */
export function agentColor(agent: string): string {
  const name = agent.toLowerCase()
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  const shared = `var(--agent-${(sum % spare) + 1})`
  const own = /[a-z]+/.exec(name)?.[0]
  return own === undefined ? shared : `var(--agent-${own}, ${shared})`
}
