const spare = 5

/** The CSS colour of an agent: its own, or always the same one of a fixed set for its name. */
export function agentColor(agent: string): string {
  const name = agent.toLowerCase()
  if (name.includes('claude')) return 'var(--agent-claude)'
  if (name.includes('gemini')) return 'var(--agent-gemini)'
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return `var(--agent-${(sum % spare) + 1})`
}
