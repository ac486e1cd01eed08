import type { ApprovalAnswer, Question } from '../../../shared/approval/approval'
import { type Result, fail, succeed } from '../../../shared/result'
import type { Origin } from '../../../shared/review/proposal'
import { permissionResult, toolQuestion } from '../claude-tools/tool-question'
import type { CanUseTool } from '../claude-tools/tool-wire'
import { elicitationFields, elicitationOptions, elicitationResult } from './elicitation-form'
import { dialogResult, shownDialog } from './user-dialog'
import type { Elicitation, UserDialog } from './wire-messages'

/** What Claude asks the person beside changes of files. */
export type PersonsRequest = CanUseTool | Elicitation | UserDialog

/** A request as a question. Fails for what can't be shown, which nobody may answer in the person's name. */
export function questionOf(request: PersonsRequest, origin: Origin, folder: string | null): Result<Question> {
  const any = { requester: origin, folder, path: null, tool: null, fields: [], needsPerson: true }
  switch (request.subtype) {
    case 'can_use_tool':
      return succeed(toolQuestion(request, origin, folder))
    case 'elicitation':
      return request.mode === 'url' && !/^https?:\/\/\S+$/i.test(request.url ?? '')
        ? fail('unknown', 'Greenlight opens web addresses only, and this has none. Ask in another way.')
        : succeed({ ...any, ...elicitationQuestion(request) })
    case 'request_user_dialog': {
      const shown = shownDialog(request)
      if (shown) return succeed({ ...any, kind: 'question', ...shown })
      return fail('unknown', 'Greenlight can’t show this dialog. Go on without it.')
    }
  }
}

/** What the agent is told. An allowed tool is always given its input. */
export function responseTo(request: PersonsRequest, answer: ApprovalAnswer): object {
  switch (request.subtype) {
    case 'can_use_tool':
      return permissionResult(request, answer)
    case 'elicitation':
      return elicitationResult(request, answer)
    case 'request_user_dialog':
      return dialogResult(answer)
  }
}

type Told = Omit<Question, 'requester' | 'folder'>
type Shown = Pick<Told, 'kind' | 'title' | 'subject'> & Partial<Told> & Pick<Told, 'options' | 'why'>

function elicitationQuestion(request: Elicitation): Shown {
  const { mcp_server_name: server, message, title, display_name: shown, description } = request
  const isAddress = request.mode === 'url'
  return {
    kind: 'question',
    title: title ?? `${isAddress ? 'Open an address for' : 'Fill in a form of'} ${shown ?? server}`,
    subject: isAddress ? `${message}\n\n${request.url}` : message,
    tool: shown ?? server,
    why: description ?? null,
    fields: isAddress ? [] : elicitationFields(request),
    options: elicitationOptions(request),
  }
}
