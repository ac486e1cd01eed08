import { z } from 'zod'
import { objectOf } from '../../../shared/json'

/** How a command line writes, as far as its session file has shown it since it was started. */
export interface WritingManner {
  /** Its permission mode, as it calls it: default (which is manual), acceptEdits, plan, auto, bypassPermissions … */
  mode?: string
  /**
   * The last file it has changed without a question, what allowed it, and the id of the tool's call if it is known; gone
   * when it asks again.
   */
  wrote?: { path: string; allowedBy: 'mode' | 'rule'; call: string | null }
}

/** What is carried from line to line. */
export interface SessionKnowledge extends WritingManner {
  /** Whether what comes was written by the process that runs, and not by an earlier one in the same session. */
  current: boolean
}

/** Who decides where nobody is asked; a source that is not known says nothing. */
const askNobody: ReadonlySet<string> = new Set(['config', 'hook', 'classifier'])

/** As much of a line as matters here; other lines have other things in these places. */
const sessionLine = z.object({
  type: z.string(),
  timestamp: z.iso.datetime().optional().catch(undefined),
  isSidechain: z.boolean().optional().catch(undefined),
  permissionMode: z.string().min(1).max(100).optional().catch(undefined),
  permissionDecision: z
    .object({
      decision: z.string(),
      source: z.string(),
      grantScope: z.string().optional(),
      reasonType: z.string().optional(),
    })
    .optional()
    .catch(undefined),
  message: z
    .object({ content: z.array(z.object({ tool_use_id: z.string().optional() })) })
    .optional()
    .catch(undefined),
  /** Edit and Write have these two, Read has not. */
  toolUseResult: z
    .object({ filePath: z.string(), structuredPatch: z.array(z.unknown()) })
    .optional()
    .catch(undefined),
})

/**
 * What is known after one more line of the session file. Three kinds of lines tell something (measured with 2.1.330):
 * a prompt has the mode it was sent in; a `permission-mode` line, which comes now and then, the mode of its moment; and
 * the result of an edit says who allowed it. Changing the mode alone is not written down before one of these comes.
 */
export function hearLine(before: SessionKnowledge, record: unknown, startedAt: number): SessionKnowledge {
  const line = objectOf(record)
  // Most of a session is other things, and a schema takes its time.
  if (!line || !('permissionMode' in line || 'permissionDecision' in line)) return before
  const read = sessionLine.safeParse(line)
  if (!read.success || read.data.isSidechain === true) return before
  const { type, timestamp, permissionMode } = read.data
  const knowledge =
    timestamp === undefined ? before : { ...before, current: Date.parse(timestamp) >= startedAt }
  if (!knowledge.current) return knowledge
  if (permissionMode !== undefined && (type === 'user' || type === 'permission-mode')) {
    return { ...inMode(knowledge, permissionMode), ...ruleOf(knowledge) }
  }
  return type === 'user' ? hearEdit(knowledge, read.data) : knowledge
}

function hearEdit(
  knowledge: SessionKnowledge,
  { permissionDecision, toolUseResult, message }: z.infer<typeof sessionLine>,
): SessionKnowledge {
  if (permissionDecision?.decision !== 'accept' || toolUseResult === undefined) return knowledge
  const { source, grantScope, reasonType } = permissionDecision
  // "Yes, and switch to accept edits", answered in the terminal.
  if (grantScope === 'session') return inMode(knowledge, 'acceptEdits')
  const { wrote: _, ...asking } = knowledge
  if (source.startsWith('user')) return asking
  if (!askNobody.has(source)) return knowledge
  const allowedBy = reasonType === 'rule' ? 'rule' : 'mode'
  const call = message?.content[0]?.tool_use_id ?? null
  return { ...asking, wrote: { path: toolUseResult.filePath, allowedBy, call } }
}

function inMode({ current }: SessionKnowledge, mode: string): SessionKnowledge {
  return { current, mode }
}

/** A rule goes on whatever the mode is. */
function ruleOf({ wrote }: SessionKnowledge): Pick<WritingManner, 'wrote'> {
  return wrote?.allowedBy === 'rule' ? { wrote } : {}
}
