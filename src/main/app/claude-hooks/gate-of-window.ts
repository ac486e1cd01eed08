import { join } from 'node:path'
import type { Check, Connection } from '../../../shared/contract/connections'
import { type Disposable, disposable } from '../../../shared/lifetime'
import type { Done } from '../../../shared/result'
import { isWithin } from '../../../shared/text/path-name'
import { claude } from '../../core/agents/claude'
import type { GateQuestion } from '../../core/gate/gate-states'
import { type NotedStatus, statusOf } from '../../core/history/running-sessions'
import { readNote } from '../../core/history/session-note'
import { notesFolder } from '../../core/history/session-places'
import { findCommandLines } from '../../core/platform/command-lines'
import { dialectId } from '../../protocols/claude-hooks/dialect-id'
import { terminalVariable, tokenVariable } from '../../protocols/claude-hooks/hook-entry'
import { describeNotInForce, describeOld, offByPolicy } from '../../protocols/claude-hooks/not-in-force'
import { configFolders } from '../../protocols/claude-ide/lock-files'
import type { DialectWindow } from '../dialect-kit/dialect'
import { GateWatch } from './gate-watch'
import { findHooksOff, type HooksOff, isOffByPolicy, settingsFiles, shortName } from './hooks-off'

/** The watch of a window's gate. `isGiven`: whether a terminal was given the hooks. */
export function gateOfWindow(window: DialectWindow, isGiven: (terminal: string) => boolean): GateWatch {
  const { agents, gated } = window
  return new GateWatch({
    ...{ connections: agents.connections, states: gated, isGiven },
    followStatus: (pid, listener) => followStatus(window, pid, listener),
    explain: (connection, refusal) => explain(window, connection, refusal),
    areSwitchedOff: async (folder) => {
      // A session that went into a subfolder keeps the settings of where it began.
      const top = window.folders.paths.find((one) => isWithin(one, folder)) ?? folder
      const said = await Promise.all([...new Set([folder, top])].map((one) => describeHooksOff(window, one)))
      return said.some((sentence) => sentence !== null)
    },
  })
}

/** Why nothing would be asked of what is started in a folder, and what to do, by its settings; null if they say nothing. */
export async function describeHooksOff(window: DialectWindow, folder: string): Promise<string | null> {
  if (await isOffByPolicy())
    return 'Your organisation’s policy keeps Greenlight’s hooks out, so nothing could be reviewed. Start claude itself; what it writes is shown afterwards.'
  if (window.settings.get().claudeHooksDespiteOff === 'on') return null
  const off = await hooksOff(window, folder)
  return (
    off &&
    `Hooks are switched off in ${shortName(off.file, window.machine.home)}, so nothing could be reviewed. Switch them on in Connections, then try again.`
  )
}

const switchOn = 'Switch them on in Greenlight'

/** What is asked where settings switch hooks off, and the person hasn't said yet what then; null where they don't. */
export async function questionOfHooks(window: DialectWindow): Promise<GateQuestion | null> {
  const { settings, machine } = window
  const [off, isPolicy] = await Promise.all([hooksOff(window), isOffByPolicy()])
  // What an organisation says can't be overruled.
  if (isPolicy || off === null || settings.get().claudeHooksDespiteOff !== 'ask') return null
  const own = ownHooks(off, machine.home)
  const also = own === null ? '' : ` Switching them on also switches on your own: ${own}.`
  return {
    words: `Hooks are switched off in ${shortName(off.file, machine.home)}, so Greenlight can’t review every change of Claude Code.${also}`,
    agree: switchOn,
    decline: 'Leave them off',
    answer: (agrees) => settings.change('person', { claudeHooksDespiteOff: agrees ? 'on' : 'off' }, []),
  }
}

/** "3 in ~/.claude/settings.json"; null if the person has none. */
function ownHooks({ own }: HooksOff, home: string): string | null {
  return own.map(({ file, count }) => `${count} in ${shortName(file, home)}`).join(', ') || null
}

/** What the check list says of hooks that aren't called: an old version, a policy, or settings that can be overruled. */
export function hookChecks(window: DialectWindow) {
  const { settings, machine } = window
  return {
    async find(): Promise<Check[]> {
      const [off, isPolicy, found] = await Promise.all([
        hooksOff(window),
        isOffByPolicy(),
        machine.programs.find(claude),
      ])
      const old = found?.version == null ? null : describeOld(found.version)
      const checks: Check[] =
        old === null ? [] : [{ id: `hooks-old ${dialectId}`, state: 'unsure', words: old, mend: null }]
      if (isPolicy)
        return [
          ...checks,
          { id: `hooks-policy ${dialectId}`, state: 'unsure', words: offByPolicy, mend: null },
        ]
      const { claudeHooksDespiteOff: word } = settings.get()
      if (!off || word === 'on') return checks
      const own = ownHooks(off, machine.home)
      return [
        ...checks,
        {
          id: `hooks-off ${dialectId}`,
          state: word === 'ask' ? 'bad' : 'unsure',
          words: `Hooks are switched off in ${shortName(off.file, machine.home)}, so changes of Claude Code aren’t reviewed in every mode.`,
          mend: {
            id: `hooks-on ${dialectId}`,
            label: switchOn,
            asks: own === null ? null : `This also switches on your own hooks: ${own}.`,
          },
        },
      ]
    },
    mend: (): Done => settings.change('person', { claudeHooksDespiteOff: 'on' }, []),
  }
}

/** Follows what a command line notes of its work; the watcher looks soon after each change. */
function followStatus(
  { machine: { home, env, watcher } }: DialectWindow,
  pid: number,
  listener: (status: NotedStatus) => void,
): Disposable {
  let isOver = false
  const paths = configFolders(home, env['CLAUDE_CONFIG_DIR']).map((folder) =>
    join(notesFolder(folder), `${pid}.json`),
  )
  const watches = paths.map((path) => {
    const look = async () => {
      const note = await readNote(path)
      if (note && !isOver) listener(statusOf(note.status))
    }
    const watching = watcher.watchFile(path, () => void look())
    void watching.then(look)
    return watching
  })
  return disposable(() => {
    isOver = true
    for (const watching of watches) void watching.then((watch) => watch.dispose())
  })
}

async function explain(
  window: DialectWindow,
  { pid, version }: Connection,
  refusal: string | null,
): Promise<{ sentence: string; terminal: string | null }> {
  const { home, programs } = window.machine
  const [isPolicy, off, found] = await Promise.all([
    isOffByPolicy(),
    hooksOff(window),
    version === null ? programs.find(claude) : null,
  ])
  const lines = pid === null ? [] : await findCommandLines(() => true)
  const start = lines.find((line) => line.pid === pid) ?? null
  const isOverridden = window.settings.get().claudeHooksDespiteOff === 'on'
  const sentence = describeNotInForce({
    ...{ refusal, isOffByPolicy: isPolicy, start, version: version ?? found?.version ?? null },
    off: off && { file: shortName(off.file, home), isOverridden },
    hasVariables: start?.variables ? tokenVariable in start.variables : null,
  })
  return { sentence, terminal: start?.variables?.[terminalVariable] ?? null }
}

function hooksOff({ folders, machine: { home, env } }: DialectWindow, folder = folders.paths[0]) {
  return findHooksOff(settingsFiles(folder, env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')))
}
