import { z } from 'zod'
import { defineTool, type Tool } from '../kit/mcp-tool'
import type { DiffReviews } from './diff-reviews'

/** What the tools of one session work on. */
export interface ToolContext {
  diffs: DiffReviews
}

const path = z.string().min(1).max(32_768)

const openDiff = defineTool({
  name: 'openDiff',
  description:
    'Asks the person to review a proposed text of a file. Answers at once; the decision comes as a notification.',
  input: z.object({
    filePath: path.describe('The absolute path of the file.'),
    newContent: z.string().describe('The whole text that the file shall have.'),
  }),
  run: ({ filePath, newContent }, { diffs }: ToolContext, call) => diffs.open(filePath, newContent, call.id),
})

const closeDiff = defineTool({
  name: 'closeDiff',
  description: 'Ends the review of a file, and gives its text as it stands as JSON: {"content": TEXT}.',
  input: z.object({
    filePath: path.describe('The absolute path of the file.'),
    suppressNotification: z
      .boolean()
      .nullish()
      .describe('Whether the end of the review is not told by a notification.'),
  }),
  run: ({ filePath, suppressNotification }, { diffs }: ToolContext) =>
    diffs.close(filePath, suppressNotification === true),
})

/** The tools in the order in which they are listed. Clients show no diff here unless both are there. */
export const companionTools: readonly Tool<ToolContext>[] = [openDiff, closeDiff]
