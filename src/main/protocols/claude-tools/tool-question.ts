import type { ApprovalAnswer, ApprovalOption, Question } from '../../../shared/approval/approval'
import type { Json } from '../../../shared/json'
import type { Origin } from '../../../shared/review/proposal'
import {
  answeredInput,
  questionFields,
  questionOptions,
  questionsSubject,
  readQuestions,
} from './ask-user-question'
import { planFields, planModes, planOf, planOptions, plannedInput } from './exit-plan'
import { reasonOf } from './permission-reason'
import { rememberedOptions } from './permission-suggestions'
import { isUnboxed, toolSubject } from './tool-subject'
import type { CanUseTool, PermissionResult } from './tool-wire'

/** The use of a tool as a question. `folder`: where the agent works. */
export function toolQuestion(request: CanUseTool, origin: Origin, folder: string | null): Question {
  const any = { requester: origin, folder, path: null, fields: [], needsPerson: true }
  return { ...any, ...shown(request) }
}

/** What the agent is told. An allowed tool is always given its input. */
export function permissionResult(request: CanUseTool, answer: ApprovalAnswer): PermissionResult {
  switch (answer.kind) {
    case 'allowed':
      return {
        behavior: 'allow',
        updatedInput: { ...allowedInput(request, answer) },
        ...updatesOf(request, answer.option),
      }
    case 'denied':
      return {
        behavior: 'deny',
        message: answer.reason ?? (answer.by === 'rule' ? ruledOut : denied(request)),
        ...(answer.stops ? { interrupt: true } : {}),
      }
    case 'withdrawn':
      return { behavior: 'deny', message: 'Nobody asks this any more.' }
    case 'refused':
      return { behavior: 'deny', message: answer.message }
  }
}

type Shown = Omit<Question, 'requester' | 'folder' | 'path' | 'fields' | 'needsPerson'> & Partial<Question>

const denials: readonly ApprovalOption[] = [
  { id: 'deny', label: 'Deny', leadsTo: { kind: 'deny', stops: false } },
  { id: 'stop', label: 'Deny and stop', leadsTo: { kind: 'deny', stops: true, dropsReason: true } },
]

function shown(request: CanUseTool): Shown {
  const { tool_name: tool, input, blocked_path: path } = request
  const why = reasonOf(request)
  const questions = tool === 'AskUserQuestion' ? readQuestions(input) : null
  if (questions) {
    return {
      kind: 'question',
      title: questions.length === 1 ? 'Answer a question' : `Answer ${questions.length} questions`,
      subject: questionsSubject(questions),
      tool,
      why,
      fields: questionFields(questions),
      options: questionOptions,
    }
  }
  if (tool === 'ExitPlanMode') {
    return {
      kind: 'plan',
      title: 'Follow a plan',
      subject: planOf(input) ?? 'It wrote no plan.',
      tool,
      why,
      fields: planFields(input),
      options: planOptions(request),
    }
  }
  const subject = toolSubject(request)
  const allowing: ApprovalOption[] = [
    { id: 'allow', label: 'Allow once', leadsTo: { kind: 'allow', remembers: null } },
    ...rememberedOptions(request).map(({ option }) => option),
  ]
  return {
    ...subject,
    tool,
    why,
    path: path === undefined || path === subject.subject ? null : path,
    // What should not be allowed by mistake begins with the ways to say no.
    options: request.default_to_no === true ? [...denials, ...allowing] : [...allowing, ...denials],
    needsPerson: isForPerson(request),
  }
}

/** Whether no rule of Greenlight's may answer: somebody or something asks for a person. */
function isForPerson(request: CanUseTool): boolean {
  return (
    request.requires_user_interaction === true ||
    request.default_to_no === true ||
    request.matched_ask_rule !== undefined ||
    request.decision_reason_type === 'rule' ||
    request.decision_reason_type === 'sandboxOverride' ||
    request['classifier_approvable'] === false ||
    isUnboxed(request.input)
  )
}

const ruledOut = 'A rule of the user’s does not allow this. Go on without it.'

function denied({ tool_name: tool }: CanUseTool): string {
  if (tool === 'AskUserQuestion') return 'The user does not answer this. Go on without an answer.'
  if (tool === 'ExitPlanMode') return 'The user does not approve this plan. Keep planning.'
  return 'The user does not allow this. Go on without it, or ask what they want instead.'
}

function allowedInput(
  { tool_name: tool, input }: CanUseTool,
  answer: ApprovalAnswer & { kind: 'allowed' },
): Json {
  if (tool === 'AskUserQuestion') return answeredInput(input, answer)
  return tool === 'ExitPlanMode' ? plannedInput(input, answer) : input
}

function updatesOf(
  request: CanUseTool,
  option: string,
): Pick<PermissionResult & { behavior: 'allow' }, 'updatedPermissions'> {
  const remembered = request.tool_name === 'ExitPlanMode' ? planModes(request) : rememberedOptions(request)
  const found = remembered.find((one) => one.option.id === option)
  return found ? { updatedPermissions: [...found.updates] } : {}
}
