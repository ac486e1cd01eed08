import { resolve } from 'node:path'
import type { RunRequest } from '../core/platform/hand-over-server'
import { readAllowed } from './allow-rules'
import { splitOption } from './split-option'

/** A prompt for an agent, without a window: what to run, and where. Its folder is absolute. */
export interface RunArguments {
  kind: 'run'
  /** `prompt` is null if it comes on stdin. */
  request: Omit<RunRequest, 'prompt'> & { prompt: string | null }
  dataDir: string | null
}

const outputs = ['text', 'json', 'stream-json'] as const

/** Reads what follows `greenlight run`. Gives a sentence if that is wrong. */
export function parseRun(words: readonly string[], cwd: string): RunArguments | { kind: 'help' } | string {
  const options = new Map<string, string>()
  const allowed: string[] = []
  const prompts: string[] = []
  let onlyPrompt = false
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (onlyPrompt || !word.startsWith('-') || word === '-') {
      prompts.push(word)
      continue
    }
    if (word === '--') {
      onlyPrompt = true
      continue
    }
    const { name, given } = splitOption(word)
    if (word === '--help') return { kind: 'help' }
    if (!known.has(name)) return `Unknown option ${name} of greenlight run. See --help.`
    const value = given ?? words[++index]
    if (value === undefined || value === '') return `${name} needs a value.`
    if (name === '--allow') allowed.push(value)
    else if (options.has(name)) return `${name} is given twice.`
    else options.set(name, value)
  }
  if (prompts.length > 1) return 'greenlight run takes one prompt. Put it in quotes.'
  const [prompt] = prompts
  if (prompt?.trim() === '') return 'The prompt is empty.'
  const output = outputs.find((one) => one === (options.get('--output') ?? 'text'))
  if (!output) return `--output is one of ${outputs.join(', ')}, not "${options.get('--output')}".`
  const folder = resolve(cwd, options.get('--folder') ?? '.')
  const rules = readAllowed(allowed, folder)
  if (!rules.ok) return rules.failure.message
  const dataDir = options.get('--data-dir')
  return {
    kind: 'run',
    request: {
      prompt: prompt === undefined || (prompt === '-' && !onlyPrompt) ? null : prompt,
      folder,
      model: options.get('--model') ?? null,
      permissionMode: options.get('--permission-mode') ?? null,
      resume: options.get('--resume') ?? null,
      output,
      allowed: rules.value,
    },
    dataDir: dataDir === undefined ? null : resolve(cwd, dataDir),
  }
}

const known = new Set([
  ...['--folder', '--model', '--permission-mode', '--output', '--resume', '--allow', '--data-dir'],
])
