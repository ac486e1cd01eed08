import { AgentConnections } from '../../src/main/app/dialect-kit/agent-connections'
import type { DialectWindow, OpenDialect, WindowDialect } from '../../src/main/app/dialect-kit/dialect'
import { WindowServer } from '../../src/main/app/dialect-kit/window-server'
import { ScriptedConversations } from './scripted-conversations'
import { ScriptedStarter } from './scripted-starter'
import { scriptedId, startScriptedServer } from './server'
import { verbsOf } from './verbs'

/**
 * A dialect for tests: an agent that does what a spec tells it, through the same doors as a real one. The product does
 * not know it; `host.ts` starts the app with it. What it can do stands in `verbs.ts`.
 */
export const scripted: WindowDialect = {
  scope: 'window',
  id: scriptedId,
  readyAs: scriptedId,
  about: {
    agent: null,
    name: 'Scripted agent',
    toggle: 'Let scripted agents connect',
    protocol: 'scripted',
    address: '127.0.0.1:PORT',
    file: 'Discovery file',
    whenOff: 'Off.',
    command: null,
    noteWhenKnown: null,
  },
  agents: 'scripted agents',
  known: [],
  portVariable: '',
  anywhereByVariable: false,
  containerVariable: null,
  connectCommand: null,
  findFiles: () => Promise.resolve([]),
  open: openScripted,
}

function openScripted(window: DialectWindow): OpenDialect {
  const { machine, folders, agents } = window
  const connections = new AgentConnections(scripted, agents, machine.log)
  const conversations = new ScriptedConversations(window)
  const starter = new ScriptedStarter(conversations)
  const verbs = verbsOf(window, conversations, starter)
  const server = new WindowServer(window, scripted, {
    start: () => startScriptedServer(machine.home, folders.paths, verbs, connections),
    end: (running) => running.dispose(),
    filesOf: (running) => [running.file],
    tokensOf: (running) => [running.token],
  })
  return {
    server,
    readiness: () => (server.running ? { port: server.running.port } : null),
    variables: () => ({}),
    connections,
    starters: [starter],
  }
}
