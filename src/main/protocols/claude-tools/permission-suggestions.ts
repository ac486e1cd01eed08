import { z } from 'zod'
import type { ApprovalOption } from '../../../shared/approval/approval'
import { modeChoices } from './permission-modes'
import { ruleText } from './permission-reason'
import type { CanUseTool, PermissionUpdate } from './tool-wire'

const destination = z.enum(['userSettings', 'projectSettings', 'localSettings', 'session'])
type Destination = z.infer<typeof destination>

/** The suggestions that can be said in words; any other isn't offered. */
const known = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('addRules'),
    rules: z.array(z.looseObject({ toolName: z.string(), ruleContent: z.string().optional() })).min(1),
    behavior: z.literal('allow'),
    destination,
  }),
  z.looseObject({
    type: z.literal('addDirectories'),
    directories: z.array(z.string()).min(1),
    destination,
  }),
  z.looseObject({ type: z.literal('setMode'), mode: z.string(), destination: z.literal('session') }),
])
type Lasting = Exclude<z.infer<typeof known>, { type: 'setMode' }>

/** An option that the agent remembers, and what it is told to remember. */
export interface RememberedOption {
  option: ApprovalOption
  updates: readonly PermissionUpdate[]
}

/**
 * The suggestions of a request as options: for the session everything that isn't a mode; for each of the agent's
 * settings files what it would write there, with what it suggests for the session; and each mode to go on in.
 */
export function rememberedOptions(request: CanUseTool): RememberedOption[] {
  if (request.suppress_always_allow_rule === true) return []
  const suggestions = (request.permission_suggestions ?? []).flatMap((one) => {
    const read = known.safeParse(one)
    return read.success ? [read.data] : []
  })
  const modes = suggestions.filter((one) => one.type === 'setMode')
  const lasting = suggestions.filter((one) => one.type !== 'setMode')
  const forSession = lasting.map((one) => ({ ...one, destination: 'session' as const }))
  const kept = [...new Set(lasting.map((one) => one.destination))].filter((place) => place !== 'session')
  return [
    ...(forSession.length === 0 ? [] : [lastingOption('session', labels.session, forSession)]),
    ...kept.map((place) => {
      const updates = [place, 'session'].flatMap((at) => lasting.filter((one) => one.destination === at))
      return lastingOption(place, labels[place], updates)
    }),
    ...[...new Map(modes.map((one) => [one.mode, one])).values()].map((one) =>
      remembered(`mode-${one.mode}`, `Allow and switch to ${modeName(one.mode)}`, modeWords(one.mode), [one]),
    ),
  ]
}

function lastingOption(id: string, label: string, updates: readonly Lasting[]): RememberedOption {
  const words = [...new Set(updates.map((one) => one.destination))].map((place) => {
    const there = updates.filter((one) => one.destination === place).map(describe)
    return `${there.join(', ')}, ${places[place]}`
  })
  return remembered(id, label, `${words.join('; ')}.`, updates)
}

function remembered(
  id: string,
  label: string,
  words: string,
  updates: readonly PermissionUpdate[],
): RememberedOption {
  return { option: { id, label, leadsTo: { kind: 'allow', remembers: { by: 'agent', words } } }, updates }
}

const labels: Readonly<Record<Destination, string>> = {
  session: 'Allow for session',
  localSettings: 'Always allow here',
  projectSettings: 'Always allow in this project',
  userSettings: 'Always allow everywhere',
}

const places: Readonly<Record<Destination, string>> = {
  session: 'until this session ends',
  localSettings: 'for you in this project (.claude/settings.local.json)',
  projectSettings: 'for everybody in this project (.claude/settings.json)',
  userSettings: 'for you in every project (~/.claude/settings.json)',
}

function describe(one: Lasting): string {
  switch (one.type) {
    case 'addRules':
      return one.rules.map(({ toolName, ruleContent }) => ruleText(toolName, ruleContent)).join(', ')
    case 'addDirectories':
      return one.directories.map((folder) => `the folder ${folder}`).join(', ')
  }
}

/** What a permission mode is called. */
export function modeName(mode: string): string {
  return modeChoices.find(({ value }) => value === mode)?.label ?? mode
}

/** A permission mode, how long it holds and what it does. */
export function modeWords(mode: string): string {
  const help = modeChoices.find(({ value }) => value === mode)?.help
  return `the mode “${modeName(mode)}”, ${places.session}.${help ? ` ${help}` : ''}`
}
