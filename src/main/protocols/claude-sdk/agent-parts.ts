import type { z } from 'zod'
import type { AgentCommand, AgentPart, ConversationControl } from '../../../shared/contract/conversations'
import { firstOf } from '../../../shared/rpc/message-pieces'
import { claudeToolTitle } from '../../../shared/conversation/claude-tools'
import { modeChoices } from '../claude-tools/permission-modes'
import { sourceWords } from '../claude-tools/permission-reason'
import { effortChoices } from './begin-form'
import type { Initialized, InitMessage, mcpStatus, permissionRules } from './wire-messages'

type Entry = AgentPart['entries'][number]

const plain = (name: string, detail = ''): Entry => ({ name, detail, state: 'plain', acts: [] })

/** The tools, skills, plugins and sub-agents that a turn begins with. */
export function partsOfInit(init: InitMessage, described: Initialized | null): AgentPart[] {
  const agents = new Map(described?.agents.map(({ name, description }) => [name, description]))
  const failed = init.plugin_errors.map(({ plugin, message }): Entry => ({
    ...plain(plugin, message),
    state: 'bad',
  }))
  const parts: AgentPart[] = [
    { id: 'tools', label: 'Tools', entries: init.tools.map((name) => plain(claudeToolTitle(name))) },
    { id: 'skills', label: 'Skills', entries: init.skills.map((name) => plain(name)) },
    {
      id: 'plugins',
      label: 'Plugins',
      entries: [...init.plugins.map(({ name, version }) => plain(name, version ?? '')), ...failed],
    },
    {
      id: 'agents',
      label: 'Sub-agents',
      entries: init.agents.map((name) => plain(name, inShort(agents.get(name) ?? ''))),
    },
  ]
  return parts.filter(({ entries }) => entries.length > 0)
}

const serverStates: Record<string, Pick<Entry, 'detail' | 'state'>> = {
  connected: { detail: 'connected', state: 'good' },
  failed: { detail: 'failed', state: 'bad' },
  'needs-auth': { detail: 'needs you to sign in', state: 'bad' },
  pending: { detail: 'connecting', state: 'plain' },
  disabled: { detail: 'off', state: 'off' },
}
const reconnect = { id: 'reconnect', label: 'Reconnect' }
const enable = { id: 'enable', label: 'Turn on' }
const disable = { id: 'disable', label: 'Turn off' }

/** The MCP servers, with what can be done about each. */
export function mcpPart({ mcpServers }: z.infer<typeof mcpStatus>): AgentPart {
  const entries = mcpServers.map(({ name, status, error, tools }): Entry => {
    const known = serverStates[status] ?? { detail: status, state: 'plain' as const }
    const counted = status === 'connected' && tools ? `${tools.length} tools` : ''
    const detail = [known.detail, counted, error ?? ''].filter((part) => part !== '').join(', ')
    return { name, detail, state: known.state, acts: status === 'disabled' ? [enable] : [reconnect, disable] }
  })
  return { id: 'mcp', label: 'MCP servers', entries }
}

const behaviors = { allow: 'allowed', deny: 'denied', ask: 'asked' } as const
/** Claude's own permission rules. They can only be read here. */
export function rulesPart({ state }: z.infer<typeof permissionRules>): AgentPart {
  const entries = state.rules.map(({ rule, behavior, source, notInEffect }) => ({
    ...plain(
      rule,
      `${behaviors[behavior]}, by ${sourceWords(source)}${notInEffect ? ', not in effect' : ''}`,
    ),
    state: notInEffect === true ? ('off' as const) : ('plain' as const),
  }))
  return { id: 'rules', label: 'Claude’s permission rules', entries }
}

/** Parts anew; those without entries are left out. The order stays the same. */
export function withParts(parts: readonly AgentPart[], changed: readonly AgentPart[]): AgentPart[] {
  const order = ['tools', 'mcp', 'skills', 'plugins', 'agents', 'rules']
  const all = new Map([...parts, ...changed].map((part) => [part.id, part]))
  return [...all.values()]
    .filter(({ entries }) => entries.length > 0)
    .sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

/** What is chosen now. */
export interface Chosen {
  model: string
  permissionMode: string
  effort: string
}

/** Model, mode and effort as controls, with what this version and model have. */
export function controlsOf(
  chosen: Chosen,
  models: Initialized['models'],
  { mayBypass }: { mayBypass: boolean },
): ConversationControl[] {
  const known =
    models.find(({ value }) => value === chosen.model) ?? models.find(({ value }) => value === 'default')
  const modelOptions = models.map(({ value, displayName, description }) => ({
    value,
    label: displayName ?? value,
    ...(description === undefined ? {} : { description }),
  }))
  const modes = modeChoices.filter(
    ({ value }) =>
      value === chosen.permissionMode ||
      ((value !== 'bypassPermissions' || mayBypass) &&
        (value !== 'auto' || known?.supportsAutoMode !== false)),
  )
  const efforts = effortChoices.filter(
    ({ value }) =>
      value === 'default' ||
      value === chosen.effort ||
      (known?.supportedEffortLevels?.includes(value) ?? true),
  )
  const optionsOf = (choices: typeof modeChoices) =>
    choices.map(({ value, label, help }) => ({
      value,
      label,
      ...(help === null ? {} : { description: help }),
    }))
  return [
    { id: 'model', label: 'Model', value: chosen.model, options: withChosen(modelOptions, chosen.model) },
    {
      id: 'permissionMode',
      label: 'Permission mode',
      value: chosen.permissionMode,
      options: optionsOf(modes),
    },
    ...(known?.supportsEffort === false
      ? []
      : [{ id: 'effort', label: 'Effort', value: chosen.effort, options: optionsOf(efforts) }]),
  ]
}

function withChosen(options: ConversationControl['options'], value: string): ConversationControl['options'] {
  return options.some((option) => option.value === value) ? options : [{ value, label: value }, ...options]
}

/** Descriptions are written for the model and may be pages long; the person needs their beginning, in characters. */
const longestDescription = 200

/** The slash commands. */
export function commandsOf(commands: Initialized['commands']): AgentCommand[] {
  return commands.map(({ name, description, argumentHint }) => ({
    name,
    description: inShort(argumentHint === '' ? description : `${argumentHint} — ${description}`),
  }))
}

function inShort(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim()
  return line.length > longestDescription ? `${firstOf(line, longestDescription - 1)}…` : line
}
