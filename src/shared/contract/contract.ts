import type { z } from 'zod'
import { approvalsCalls, approvalsTopics } from './approvals'
import { attentionCalls, attentionTopics } from './attention'
import { changesCalls, changesTopics } from './changes'
import { checksCalls, connectionsCalls, connectionsTopics } from './connections'
import { comparisonTopics } from './comparison'
import { conversationsCalls, conversationsTopics } from './conversations'
import { contextCalls, contextTopics } from './context'
import { textCalls } from './define'
import { documentsCalls, documentsTopics } from './documents'
import { filePiecesCalls } from './file-pieces'
import { firstRunCalls, firstRunTopics } from './first-run'
import { filesCalls, filesTopics } from './files'
import { gateCalls, gateTopics } from './gate'
import { gitCalls, gitTopics } from './git'
import { logCalls, logTopics } from './log'
import { menuCalls, menuTopics } from './menu'
import { noticesCalls, noticesTopics } from './notices'
import { reviewCalls, reviewTopics } from './review'
import { searchCalls, searchTopics } from './search'
import { sessionsCalls, sessionsTopics } from './sessions'
import { settingsCalls, settingsTopics } from './settings'
import { tabsCalls, tabsTopics } from './tabs'
import { terminalsCalls, terminalsTopics } from './terminals'
import { trustCalls, trustTopics } from './trust'
import { windowCalls, windowTopics } from './window'
import { recordCalls, recordTopics } from './write-record'

/**
 * Everything that passes between a page and its host. The host validates parameters with it; the page uses its types.
 */
export const contract = {
  calls: {
    ...textCalls,
    ...windowCalls,
    ...trustCalls,
    ...filesCalls,
    ...gitCalls,
    ...gateCalls,
    ...documentsCalls,
    ...filePiecesCalls,
    ...tabsCalls,
    ...reviewCalls,
    ...recordCalls,
    ...approvalsCalls,
    ...changesCalls,
    ...terminalsCalls,
    ...connectionsCalls,
    ...checksCalls,
    ...contextCalls,
    ...logCalls,
    ...searchCalls,
    ...sessionsCalls,
    ...conversationsCalls,
    ...settingsCalls,
    ...menuCalls,
    ...firstRunCalls,
    ...noticesCalls,
    ...attentionCalls,
  },
  topics: {
    ...windowTopics,
    ...trustTopics,
    ...filesTopics,
    ...gitTopics,
    ...gateTopics,
    ...documentsTopics,
    ...comparisonTopics,
    ...tabsTopics,
    ...reviewTopics,
    ...recordTopics,
    ...approvalsTopics,
    ...changesTopics,
    ...terminalsTopics,
    ...connectionsTopics,
    ...contextTopics,
    ...logTopics,
    ...searchTopics,
    ...sessionsTopics,
    ...conversationsTopics,
    ...settingsTopics,
    ...menuTopics,
    ...firstRunTopics,
    ...noticesTopics,
    ...attentionTopics,
  },
}

/** The types of every call: parameters as the handler gets them, and results. */
export type Calls = {
  [N in keyof typeof contract.calls]: {
    params: z.infer<(typeof contract.calls)[N]['params']>
    result: z.infer<(typeof contract.calls)[N]['result']>
  }
}

export type Topics = {
  [N in keyof typeof contract.topics]: {
    params: z.infer<(typeof contract.topics)[N]['params']>
    snapshot: z.infer<(typeof contract.topics)[N]['snapshot']>
    delta: z.infer<(typeof contract.topics)[N]['delta']>
  }
}
