import { z } from 'zod'
import type { ApprovalAnswer, ApprovalOption } from '../../../shared/approval/approval'
import type { Field, FieldValues } from '../../../shared/approval/approval-fields'
import type { Json } from '../../../shared/json'

const asked = z.looseObject({
  questions: z
    .array(
      z.looseObject({
        question: z.string(),
        options: z.array(
          z.looseObject({
            label: z.string(),
            description: z.string().optional(),
            preview: z.string().optional(),
          }),
        ),
        multiSelect: z.boolean().optional(),
      }),
    )
    .min(1),
})
type Asked = z.infer<typeof asked>['questions'][number]

/** What the tool AskUserQuestion asks; null if its input can't be read. */
export function readQuestions(input: Json): readonly Asked[] | null {
  const read = asked.safeParse(input)
  return read.success ? read.data.questions : null
}

/** Everything that is asked, a question to a line. */
export function questionsSubject(questions: readonly Asked[]): string {
  return questions.map(({ question }) => question).join('\n')
}

/** The questions as a form, in their order. Each can be answered in the person's own words. */
export function questionFields(questions: readonly Asked[]): Field[] {
  return questions.map(({ question, options, multiSelect }, index) => {
    const choices = options.map(({ label, description, preview }) => ({
      value: label,
      label,
      help: description?.trim() ? description : null,
      ...(preview?.trim() ? { preview } : {}),
    }))
    const any = {
      id: fieldId(index),
      label: question,
      help: null,
      required: true,
      choices,
      allowsOther: true,
    }
    return multiSelect === true
      ? { ...any, kind: 'choices', fewest: null, most: null, initial: [] }
      : { ...any, kind: 'choice', initial: null }
  })
}

export const questionOptions: readonly ApprovalOption[] = [
  { id: 'answer', label: 'Answer', leadsTo: { kind: 'allow', remembers: null } },
  { id: 'deny', label: 'Don’t answer', leadsTo: { kind: 'deny', stops: false } },
  { id: 'stop', label: 'Don’t answer and stop', leadsTo: { kind: 'deny', stops: true, dropsReason: true } },
]

/**
 * What the tool is given with the answers: by the question's own text, several joined by commas, and the sketch of the
 * chosen one.
 */
export function answeredInput(input: Json, { values }: ApprovalAnswer & { kind: 'allowed' }): Json {
  const questions = readQuestions(input)
  if (!questions) return input
  const answers: Record<string, string> = {}
  const annotations: Record<string, { preview: string }> = {}
  for (const [index, { question, options }] of questions.entries()) {
    const words = answerWords(values, fieldId(index))
    if (words === null) continue
    answers[question] = words
    const preview = options.find(({ label }) => label === words)?.preview
    if (preview !== undefined) annotations[question] = { preview }
  }
  return { ...input, answers, ...(Object.keys(annotations).length > 0 && { annotations }) }
}

function answerWords(values: FieldValues, id: string): string | null {
  const value = Object.hasOwn(values, id) ? values[id] : undefined
  if (typeof value === 'string') return value.trim() === '' ? null : value
  return Array.isArray(value) && value.length > 0 ? value.join(', ') : null
}

function fieldId(index: number): string {
  return `question-${index}`
}
