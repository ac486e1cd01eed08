import { z } from 'zod'
import type { DialectWindow } from '../../../src/main/app/dialect-kit/dialect'
import type { Verbs } from '../verbs'

const proposal = z.object({ path: z.string(), proposed: z.string(), title: z.string().default('A change') })

/** `propose`: asks for a change, which the host writes. Gives the verdict. */
export function reviewVerbs({ desk }: Pick<DialectWindow, 'desk'>): Verbs {
  return {
    propose: ({ params, origin, signal }) =>
      desk.open({ ...proposal.parse(params), origin, effect: 'host' }, signal),
  }
}
