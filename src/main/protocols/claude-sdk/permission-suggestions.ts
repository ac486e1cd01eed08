import { z } from 'zod'
import type { ApprovalOption } from '../../../shared/approval/approval'
import { ruleText } from './permission-reason'
import type { CanUseTool, PermissionUpdate } from './wire-messages'

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
type Suggestion = z.infer<typeof known>

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
    ...(forSession.length === 0 ? [] : [rememberedOption('session', labels.session, forSession)]),
    ...kept.map((place) => {
      const updates = [place, 'session'].flatMap((at) => lasting.filter((one) => one.destination === at))
      return rememberedOption(place, labels[place], updates)
    }),
    ...[...new Map(modes.map((one) => [one.mode, one])).values()].map((one) =>
      rememberedOption(`mode-${one.mode}`, `Allow and switch to ${modeName(one.mode)}`, [one]),
    ),
  ]
}

function rememberedOption(id: string, label: string, updates: readonly Suggestion[]): RememberedOption {
  const words = [...new Set(updates.map((one) => one.destination))].map((place) => {
    const there = updates.filter((one) => one.destination === place).map(describe)
    return `${there.join(', ')}, ${places[place]}`
  })
  const remembers = { by: 'agent', words: `${words.join('; ')}.` } as const
  return { option: { id, label, leadsTo: { kind: 'allow', remembers } }, updates }
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

function describe(one: Suggestion): string {
  switch (one.type) {
    case 'addRules':
      return one.rules.map(({ toolName, ruleContent }) => ruleText(toolName, ruleContent)).join(', ')
    case 'addDirectories':
      return one.directories.map((folder) => `the folder ${folder}`).join(', ')
    case 'setMode':
      return modeWords(one.mode)
  }
}

const modes: Readonly<Record<string, { name: string; meaning: string }>> = {
  default: { name: 'Ask before each change', meaning: 'asks before each change and command' },
  acceptEdits: { name: 'Accept edits', meaning: 'edits files in its folders without asking' },
  bypassPermissions: { name: 'Bypass permissions', meaning: 'does everything without asking' },
  auto: { name: 'Auto', meaning: 'decides itself what it asks about' },
  plan: { name: 'Plan', meaning: 'plans and changes nothing' },
  dontAsk: { name: 'Don’t ask', meaning: 'refuses whatever no rule allows' },
}

/** What a permission mode is called. */
export function modeName(mode: string): string {
  return (Object.hasOwn(modes, mode) ? modes[mode]?.name : undefined) ?? mode
}

/** A permission mode and what an agent does in it. */
export function modeWords(mode: string): string {
  const meaning = Object.hasOwn(modes, mode) ? modes[mode]?.meaning : undefined
  return `the mode “${modeName(mode)}”${meaning === undefined ? '' : `, which ${meaning}`}`
}
