import { homedir } from 'node:os'
import type { NeededProgram } from '../../../shared/contract/first-run'
import { outputOf } from '../platform/child-process'
import type { Environment } from '../platform/environment'
import { type ProgramPlace, findProgram, startable } from '../platform/programs'
import { installCommandOf, versionIn } from './agent'
import { agents } from './agents'

/** In milliseconds; some command lines are slow on their first start. */
const answerTime = 10_000

interface Needed {
  id: string
  kind: NeededProgram['kind']
  title: string
  sentence: string
  /** Names under which it may be found, the best first. */
  commands: (platform: NodeJS.Platform) => readonly string[]
  install: (place: ProgramPlace) => string
}

/** What the person may want to install, in the order shown. */
const needed: readonly Needed[] = [
  ...agents
    .filter(({ isSuggested }) => isSuggested)
    .map((agent) => ({
      id: agent.id,
      kind: 'agent' as const,
      title: agent.title,
      sentence: 'A coding agent. You need one.',
      commands: () => [agent.command],
      install: () => installCommandOf(agent),
    })),
  {
    id: 'git',
    kind: 'tool',
    title: 'Git',
    sentence: 'Shows branches and changed files, and restores old versions.',
    commands: () => ['git'],
    install: (place) => systemPackage(place, 'git', { mac: 'xcode-select --install', winget: 'Git.Git' }),
  },
  {
    id: 'node',
    kind: 'tool',
    title: 'Node.js',
    sentence: 'Most agents need it, and are installed with its npm.',
    commands: () => ['node'],
    install: (place) =>
      systemPackage(place, 'nodejs npm', { mac: 'brew install node', winget: 'OpenJS.NodeJS.LTS' }),
  },
  {
    id: 'python',
    kind: 'tool',
    title: 'Python',
    sentence: 'Agents often run Python scripts.',
    commands: (platform) => (platform === 'win32' ? ['python', 'py'] : ['python3', 'python']),
    install: (place) =>
      systemPackage(place, 'python3', { mac: 'brew install python', winget: 'Python.Python.3.13' }),
  },
]

const packageManagers: readonly [program: string, install: string][] = [
  ['apt-get', 'sudo apt-get install'],
  ['dnf', 'sudo dnf install'],
  ['pacman', 'sudo pacman -S'],
  ['zypper', 'sudo zypper install'],
  ['apk', 'sudo apk add'],
]

/** The command that installs a package on this system; on Linux, with the first package manager found. */
function systemPackage(place: ProgramPlace, name: string, others: { mac: string; winget: string }): string {
  if (place.platform === 'darwin') return others.mac
  if (place.platform === 'win32') return `winget install --exact --id ${others.winget}`
  const [, install] = packageManagers.find(([program]) => findProgram(program, place) !== null) ?? [
    '',
    'sudo apt-get install',
  ]
  // Arch calls the interpreter `python`.
  return `${install} ${install.includes('pacman') ? name.replace('python3', 'python') : name}`
}

/**
 * Which of the programs that Greenlight works with are on this machine. Each is looked up on PATH and asked for
 * `--version`, with a time limit; nothing else is run. One that doesn't answer is found without a version.
 */
export async function findNeededPrograms(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<NeededProgram[]> {
  const place: ProgramPlace = { platform, env }
  return Promise.all(
    needed.map(async ({ id, kind, title, sentence, commands, install }) => {
      const path =
        commands(platform)
          .map((command) => findProgram(command, place))
          .find((found) => found !== null) ?? null
      const version = path === null ? null : await askVersion(path, place, env)
      return { id, kind, title, sentence, path, version, install: install(place) }
    }),
  )
}

async function askVersion(program: string, place: ProgramPlace, env: Environment): Promise<string | null> {
  const start = startable(program, ['--version'], place)
  const options = {
    cwd: homedir(),
    env,
    timeout: answerTime,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 16,
  } as const
  const { output, complaints } = await outputOf(start.program, start.args, options)
  // Older Pythons print it to stderr.
  return versionIn(output) ?? versionIn(complaints)
}
