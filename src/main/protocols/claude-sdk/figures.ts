import type { z } from 'zod'
import type { ConversationFigures } from '../../../shared/contract/conversations'
import type { Usage } from '../../../shared/conversation/transcript'
import type { contextUsage, ModelUsage, sessionUsage } from './wire-messages'

const number = (value: number) => value.toLocaleString('en-US')
const dollars = (value: number) => `$${value.toFixed(value < 1 ? 4 : 2)}`

/** Tokens of all models together; null if there are none. */
export function usageOfModels(models: Record<string, ModelUsage>): Usage | null {
  const all = Object.values(models)
  if (all.length === 0) return null
  const sum = (of: (usage: ModelUsage) => number) => all.reduce((total, usage) => total + of(usage), 0)
  return {
    input: sum(({ inputTokens }) => inputTokens),
    output: sum(({ outputTokens }) => outputTokens),
    cacheRead: sum(({ cacheReadInputTokens }) => cacheReadInputTokens),
    cacheWrite: sum(({ cacheCreationInputTokens }) => cacheCreationInputTokens),
  }
}

/** What fills the model's context. */
export function contextFigures({
  categories,
  totalTokens,
  maxTokens,
}: z.infer<typeof contextUsage>): ConversationFigures {
  const rows = categories
    .filter(({ kind, tokens }) => kind !== 'deferred' && tokens > 0)
    .map(({ name, tokens }) => ({ label: name, value: `${number(tokens)} tokens` }))
  const whole = { label: 'In use', value: `${number(totalTokens)} of ${number(maxTokens)} tokens` }
  return [{ title: 'Context', rows: [whole, ...rows] }]
}

/** What results have told so far. */
export interface ResultCounts {
  /** Answers of the model. */
  turns: number
  /** Uses of tools that were not allowed. */
  refused: number
}

/** What the session has cost, in money, time and tokens. */
export function usageFigures(
  { session }: z.infer<typeof sessionUsage>,
  { turns, refused }: ResultCounts,
): ConversationFigures {
  const seconds = (ms: number) => `${number(Math.round(ms / 1000))} s`
  const total = {
    title: 'Session',
    rows: [
      { label: 'Estimated cost', value: dollars(session.total_cost_usd) },
      { label: 'Model time', value: seconds(session.total_api_duration_ms) },
      { label: 'Time in all', value: seconds(session.total_duration_ms) },
      { label: 'Model turns', value: number(turns) },
      { label: 'Tools not allowed', value: number(refused) },
      {
        label: 'Lines',
        value: `${number(session.total_lines_added)} added, ${number(session.total_lines_removed)} removed`,
      },
    ],
  }
  const models = Object.entries(session.model_usage).map(([model, usage]) => ({
    title: model,
    rows: [
      { label: 'Input', value: `${number(usage.inputTokens)} tokens` },
      { label: 'Output', value: `${number(usage.outputTokens)} tokens` },
      { label: 'Read from the cache', value: `${number(usage.cacheReadInputTokens)} tokens` },
      { label: 'Written to the cache', value: `${number(usage.cacheCreationInputTokens)} tokens` },
      ...(usage.costUSD === undefined ? [] : [{ label: 'Estimated cost', value: dollars(usage.costUSD) }]),
    ],
  }))
  return [total, ...models]
}
