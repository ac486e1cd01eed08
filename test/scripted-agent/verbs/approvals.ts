import { z } from 'zod'
import type { DialectWindow } from '../../../src/main/app/dialect-kit/dialect'
import type { Field } from '../../../src/shared/approval/approval-fields'
import type { ApprovalOption } from '../../../src/shared/approval/approval'
import { usualOptions } from '../../usual-options'
import type { Verbs } from '../verbs'

const question = z.object({
  kind: z.enum(['run', 'fetch', 'plan', 'question', 'other']).default('run'),
  title: z.string().default('Run a command'),
  subject: z.string(),
  tool: z.string().nullable().default('Bash'),
  folder: z.string().nullable().default(null),
  why: z.string().nullable().default(null),
  fields: z.array(z.custom<Field>()).default([]),
  options: z.array(z.custom<ApprovalOption>()).optional(),
  needsPerson: z.boolean().default(false),
})

/** `ask`: asks a question, with the usual options unless it brings its own. Gives the answer. */
export function approvalVerbs({ approvals }: Pick<DialectWindow, 'approvals'>): Verbs {
  return {
    ask: ({ params, origin, signal }) => {
      const { options, ...asked } = question.parse(params)
      const whole = { ...asked, requester: origin }
      return approvals.ask({ ...whole, options: options ?? usualOptions(whole) }, signal)
    },
  }
}
