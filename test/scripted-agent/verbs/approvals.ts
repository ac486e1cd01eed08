import { z } from 'zod'
import type { DialectWindow } from '../../../src/main/app/dialect-kit/dialect'
import type { Field } from '../../../src/shared/approval/approval-fields'
import type { ApprovalOption } from '../../../src/shared/approval/approval'
import { questionOf, responseTo } from '../../../src/main/protocols/claude-sdk/questions'
import { controlRequest } from '../../../src/main/protocols/claude-sdk/wire-messages'
import { usualOptions } from '../../usual-options'
import type { Verbs } from '../verbs'

const question = z.object({
  kind: z.enum(['run', 'fetch', 'plan', 'question', 'other']).default('run'),
  title: z.string().default('Run a command'),
  subject: z.string(),
  tool: z.string().nullable().default('Bash'),
  folder: z.string().nullable().default(null),
  path: z.string().nullable().default(null),
  why: z.string().nullable().default(null),
  fields: z.array(z.custom<Field>()).default([]),
  options: z.array(z.custom<ApprovalOption>()).optional(),
  needsPerson: z.boolean().default(false),
  /** The conversation it is asked in. */
  conversation: z.string().optional(),
})

const asClaude = z.object({ folder: z.string().nullable().default(null), request: z.unknown() })

/**
 * `ask`: asks a question, with the usual options unless it brings its own. Gives the answer. `endSession`: the session
 * that the agent said it has is over. `askAsClaude`: asks what Claude's stream protocol asks with `request`, and gives what is
 * sent back.
 */
export function approvalVerbs({ approvals }: Pick<DialectWindow, 'approvals'>): Verbs {
  return {
    endSession: ({ origin }) => approvals.endSession(origin.session ?? ''),
    askAsClaude: async ({ params, origin, signal }) => {
      const { folder, request: given } = asClaude.parse(params)
      const request = controlRequest.parse(given)
      if (request.subtype === 'hook_callback' || request.subtype === 'mcp_message')
        throw new Error('not asked')
      const asked = questionOf(request, origin, folder)
      if (!asked.ok) throw new Error(asked.failure.message)
      return responseTo(request, await approvals.ask(asked.value, signal))
    },
    ask: ({ params, origin, signal }) => {
      const { options, conversation, ...asked } = question.parse(params)
      const whole = { ...asked, requester: { ...origin, ...(conversation && { conversation }) } }
      return approvals.ask({ ...whole, options: options ?? usualOptions(whole) }, signal)
    },
  }
}
