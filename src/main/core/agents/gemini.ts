import type { AgentDescription } from './agent'

/** Gemini CLI; in a terminal it finds the app by itself. */
export const gemini: AgentDescription = {
  id: 'gemini',
  title: 'Gemini CLI',
  name: 'Gemini',
  command: 'gemini',
  npmPackage: '@google/gemini-cli',
  connectsSince: '0.5.0',
  isSuggested: true,
  start: { helpArgs: null, argsFor: () => [] },
}
