import { z } from 'zod'
import type { DialectWindow } from '../../../src/main/app/dialect-kit/dialect'
import type { Verbs } from '../verbs'

const proposal = z.object({
  path: z.string(),
  proposed: z.string(),
  title: z.string().default('A change'),
  effect: z.enum(['host', 'agent-then-host']).default('host'),
})

/** `propose`: asks for a change, which the host writes, or the agent whole and then the host. Gives the verdict. */
export function reviewVerbs({ desk }: Pick<DialectWindow, 'desk'>): Verbs {
  return {
    propose: ({ params, origin, signal }) => desk.open({ ...proposal.parse(params), origin }, signal),
  }
}
