import { z } from 'zod'
import type { ApprovalAnswer, ApprovalOption, Question } from '../../../shared/approval/approval'
import type { UserDialog } from './wire-messages'

/** What a dialog is answered with; cancelled, it takes its own usual way. */
type UserDialogResult = { behavior: 'completed'; result: string } | { behavior: 'cancelled' }

type Shown = Pick<Question, 'title' | 'subject' | 'why' | 'options'>

const refusal = z.looseObject({
  originalModel: z.string(),
  fallbackModel: z.string(),
  apiRefusalCategory: z.string().nullish(),
  guidanceText: z.string().optional(),
})
const autoNotice = z.looseObject({ title: z.string(), paragraphs: z.array(z.string()) })

const allow = (id: string, label: string): ApprovalOption => ({
  id,
  label,
  leadsTo: { kind: 'allow', remembers: null },
})
const dismiss: ApprovalOption = {
  id: 'cancelled',
  label: 'Dismiss',
  leadsTo: { kind: 'deny', stops: false, dropsReason: true },
}

/** The dialogs that can be shown, by kind; the id of an option that allows is what the dialog calls it. */
const dialogs: Readonly<Record<string, (payload: UserDialog['payload']) => Shown | null>> = {
  refusal_fallback_prompt(payload) {
    const { data } = refusal.safeParse(payload)
    if (!data) return null
    return {
      title: 'Try again with another model',
      subject: `${data.originalModel} refused to go on. Try again with ${data.fallbackModel}?`,
      why: [data.guidanceText, data.apiRefusalCategory].filter((one) => one?.trim()).join('\n') || null,
      options: [
        allow('retry_fallback', `Try again with ${data.fallbackModel}`.slice(0, 200)),
        allow('edit_prompt', 'Change what I said'),
        dismiss,
      ],
    }
  },
  auto_mode_server_fallback(payload) {
    const { data } = autoNotice.safeParse(payload)
    if (!data) return null
    return {
      title: data.title.slice(0, 200),
      subject: data.paragraphs.join('\n\n'),
      why: null,
      options: [
        allow('continue', 'Go on'),
        { id: 'interrupt', label: 'Stop', leadsTo: { kind: 'deny', stops: true, dropsReason: true } },
      ],
    }
  },
}

/** The kinds of dialogs that can be shown; the agent sends no others. */
export const dialogKinds: readonly string[] = Object.keys(dialogs)

/** What a dialog asks; null if it can't be shown, so that it isn't answered in the person's name. */
export function shownDialog({ dialog_kind: kind, payload }: UserDialog): Shown | null {
  return (Object.hasOwn(dialogs, kind) ? dialogs[kind]?.(payload) : undefined) ?? null
}

export function dialogResult(answer: ApprovalAnswer): UserDialogResult {
  if (answer.kind === 'allowed' || (answer.kind === 'denied' && answer.stops)) {
    return { behavior: 'completed', result: answer.option }
  }
  return { behavior: 'cancelled' }
}
