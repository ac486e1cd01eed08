import type { AgentDescription } from './agent'

/** Gemini CLI in a terminal; it finds the app by itself. */
export const gemini: AgentDescription = {
  id: 'gemini',
  title: 'Gemini CLI',
  command: 'gemini',
  versionArgs: ['--version'],
  helpArgs: null,
  install: {
    sentence:
      'Gemini CLI is not installed on this computer. Install it with npm, then open the terminal again.',
    command: 'npm install -g @google/gemini-cli',
  },
  argsFor: () => [],
}
