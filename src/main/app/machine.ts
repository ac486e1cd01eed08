import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { z } from 'zod'
import type { ServerState } from '../../shared/contract/connections'
import type { AgentDescription } from '../core/agents/agent'
import { AgentSearch } from '../core/agents/agent-search'
import { claude } from '../core/agents/claude'
import { gemini } from '../core/agents/gemini'
import { agentOfCommandLine, knownAgents } from '../core/agents/running-agents'
import { type Finding, type FoundFile, examine } from '../core/connections/machine-checks'
import { readText } from '../core/files/regular-file'
import { findCommandLines } from '../core/platform/command-lines'
import { runsInContainer } from '../core/platform/container'
import { processExists } from '../core/platform/process-tree'
import { configFolders, ideName, lockFolder } from '../protocols/claude-ide/lock-files'
import { connectCommandOf, dialects, geminiSwitch, leadersOf } from './dialects'

/** Who asks about this machine, and in which surroundings. */
export interface MachineQuestion {
  home: string
  variables: Readonly<Record<string, string | undefined>>
}

/** What agents on this machine have, lack and find, a part for each kind of server. Changes nothing. */
export async function examineMachine(
  question: MachineQuestion,
): Promise<{ title: string; findings: Finding[] }[]> {
  const { home, variables } = question
  const search = new AgentSearch()
  const running = await findCommandLines((words) => agentOfCommandLine(words) !== null)
  const parts: { dialect: ServerState['dialect']; agents: AgentDescription[]; files: FoundFile[] }[] = [
    { dialect: 'claude-ide', agents: [claude], files: await findClaudeFiles(question) },
    { dialect: 'gemini-companion', agents: [gemini], files: await findGeminiFiles(question) },
  ]
  return Promise.all(
    parts.map(async ({ dialect, agents, files }) => {
      const { known, ...peculiar } = dialects[dialect]
      const isOfThese = (words: readonly string[]) => {
        const agent = agentOfCommandLine(words)
        return agent !== null && known.includes(agent)
      }
      const clis = leadersOf(running, ({ words }) => agentOfCommandLine(words)).filter(({ words }) =>
        isOfThese(words),
      )
      const installed = await Promise.all(
        agents.map(async (agent) => {
          const found = await search.find(agent, variables)
          return {
            agent: agent.title,
            version: found?.version ?? null,
            isInstalled: found !== null,
            install: agent.install.command,
            needs: knownAgents[agent.id === 'gemini' ? 'gemini' : 'claude'].oldest,
          }
        }),
      )
      const clientSwitch = dialect === 'gemini-companion' ? await geminiSwitch(home) : null
      const findings = examine({
        dialect,
        ...peculiar,
        installed,
        files,
        clis: clis.map((cli) => {
          const agent = agentOfCommandLine(cli.words)
          return {
            ...cli,
            agent: agent === null ? 'An agent' : knownAgents[agent].title,
            isConnected: false,
            terminal: null,
          }
        }),
        clientSwitch,
        connectCommand: connectCommandOf(peculiar.connectCommand, clientSwitch),
        isContainer: runsInContainer(),
        variables,
      })
      return { title: peculiar.agents, findings }
    }),
  )
}

const claudeFile = z.object({
  pid: z.number().optional(),
  workspaceFolders: z.array(z.string()).default([]),
  ideName: z.string().default('An editor'),
})

async function findClaudeFiles({ home, variables }: MachineQuestion): Promise<FoundFile[]> {
  const folders = configFolders(home, variables['CLAUDE_CONFIG_DIR']).map(lockFolder)
  return readFiles(folders, /^\d{1,5}\.lock$/, (name, content) => {
    const parsed = claudeFile.safeParse(content)
    if (!parsed.success) return null
    const { pid, workspaceFolders, ideName: editor } = parsed.data
    return {
      editor,
      isOurs: editor === ideName,
      pid: pid ?? null,
      port: Number.parseInt(name, 10),
      folders: workspaceFolders,
    }
  })
}

const geminiFile = z.object({
  port: z.number().optional(),
  workspacePath: z.string().default(''),
  pid: z.number().optional(),
  ideInfo: z.object({ displayName: z.string().default('An editor') }).default({ displayName: 'An editor' }),
})

async function findGeminiFiles({ variables }: MachineQuestion): Promise<FoundFile[]> {
  const folder = join(variables['TMPDIR'] ?? tmpdir(), 'gemini', 'ide')
  return readFiles([folder], /^gemini-ide-server-\d+-\d+\.json$/, (name, content) => {
    const parsed = geminiFile.safeParse(content)
    if (!parsed.success) return null
    const { port, workspacePath, pid, ideInfo } = parsed.data
    const named = /^gemini-ide-server-(\d+)-/.exec(name)?.[1]
    return {
      editor: ideInfo.displayName,
      isOurs: ideInfo.displayName === ideName,
      pid: pid ?? (named === undefined ? null : Number(named)),
      port: port ?? null,
      folders: workspacePath.split(delimiter).filter((path) => path !== ''),
    }
  })
}

type Content = Omit<FoundFile, 'path' | 'isAlive' | 'isOpen' | 'written'> & { pid: number | null }

async function readFiles(
  folders: readonly string[],
  wanted: RegExp,
  understand: (name: string, content: unknown) => Content | null,
): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const folder of folders) {
    for (const name of (await readdir(folder).catch(() => [])).filter((one) => wanted.test(one)).sort()) {
      const path = join(folder, name)
      try {
        const [text, { mode, mtimeMs }] = await Promise.all([readText(path), stat(path)])
        const content = understand(name, JSON.parse(text))
        if (content === null) continue
        const { pid, ...rest } = content
        found.push({
          path,
          ...rest,
          isAlive: pid === null ? null : processExists(pid),
          isOpen: process.platform !== 'win32' && (mode & 0o077) !== 0,
          written: mtimeMs,
        })
      } catch {
        // It is gone or no JSON: no agent can use it either.
      }
    }
  }
  return found
}
