import { isAbsolute } from 'node:path'
import { z } from 'zod'
import type { Seen, Selected } from '../../../shared/agent-view'
import type { SentItem } from '../../../shared/contract/context'
import { fileUri, pathOfFileUri, type PathFlavour } from '../../../shared/file-uri'
import { describeSelected } from '../../core/context/sent-record'
import { defineTool, errorResult, jsonResult, textResult, type Tool } from '../kit/mcp-tool'
import type { DiffCalls } from './diff-calls'
import type { ClaudeIdePorts, ReviewPort } from './ports'
import { findStretch } from './text-stretch'

/** What the tools of one connection work on. */
export interface ToolContext extends Omit<ClaudeIdePorts, 'connections' | 'review'> {
  review: Pick<ReviewPort, 'mayHaveBeenWritten'>
  diffs: DiffCalls
  /** The client begins a turn. */
  turnBegins(): void
  /** Notes what an answer of this connection gives away. */
  handed(item: SentItem): void
}

/** What those tools work on that a model may use. */
export type ModelToolContext = Pick<ToolContext, 'editor' | 'diagnostics' | 'review' | 'handed'>

/** How this system writes paths. */
export const pathFlavour: PathFlavour = process.platform === 'win32' ? 'windows' : 'posix'

const path = z.string().min(1).max(32_768)
const noArguments = z.object({})
const notOpen = (filePath: string) =>
  jsonResult({ success: false, message: `Document not open: ${filePath}` })

const openFile = defineTool({
  name: 'openFile',
  description: 'Opens a file in the editor and selects a part of it, if one is named by its text.',
  input: z.object({
    filePath: path.describe('The absolute path of the file.'),
    preview: z.boolean().default(false).describe('Whether the next file opened this way may replace it.'),
    startText: z.string().optional().describe('The text at which the selection starts.'),
    endText: z.string().optional().describe('The text with which the selection ends.'),
    selectToEndOfLine: z.boolean().default(false).describe('Whether to select to the end of the last line.'),
    makeFrontmost: z.boolean().default(true).describe('Whether the file becomes the active tab.'),
  }),
  async run(args, { editor }: ModelToolContext) {
    const { filePath, preview, startText, endText, selectToEndOfLine, makeFrontmost } = args
    if (!isAbsolute(filePath)) return errorResult('openFile needs an absolute path.')
    const opened = await editor.open({
      path: filePath,
      preview,
      makeFrontmost,
      find: (text) =>
        startText === undefined
          ? undefined
          : findStretch(text, { startText, endText, toEndOfLine: selectToEndOfLine }),
    })
    if (!opened.ok) return errorResult(opened.failure.message)
    if (makeFrontmost || opened.value === null) return textResult(`Opened file: ${filePath}`)
    return jsonResult({ success: true, filePath, ...opened.value })
  },
})

const openDiff = defineTool({
  name: 'openDiff',
  description: 'Asks the person to review a proposed text of a file, and waits for the decision.',
  input: z.object({
    old_file_path: path.describe('The absolute path of the file.'),
    new_file_path: path.describe('The same path.'),
    new_file_contents: z.string().describe('The whole text that the file shall have.'),
    tab_name: z.string().max(4096).default('').describe('A name for the review, to close it by.'),
  }),
  run: (args, { diffs }: ToolContext, call) => diffs.propose(args, call),
})

const selectionTool = (
  name: string,
  description: string,
  pick: (seen: Seen) => Selected | null,
  otherwise: string,
) =>
  defineTool({
    name,
    description,
    input: noArguments,
    async run(_args, { context, handed }: ToolContext) {
      await context.settle()
      const selection = pick(context.seen())
      if (selection === null) return jsonResult({ success: false, message: otherwise })
      handed(describeSelected(selection))
      const { text, path: filePath, start, end } = selection
      return jsonResult({ success: true, text, filePath, selection: { start, end } })
    },
  })

const getCurrentSelection = selectionTool(
  'getCurrentSelection',
  'Gives the selection of the active editor.',
  (seen) => seen.current,
  'No active editor found',
)

const getLatestSelection = selectionTool(
  'getLatestSelection',
  'Gives what was selected last, also where that editor is not the active one any more.',
  (seen) => seen.latest,
  'No selection available',
)

const getOpenEditors = defineTool({
  name: 'getOpenEditors',
  description: 'Lists the tabs of the editor.',
  input: noArguments,
  run(_args, { context, handed }: ToolContext) {
    const { files } = context.seen()
    if (files.length > 0) handed({ kind: 'files', paths: files.map((file) => file.path) })
    const tabs = files.map(({ path: filePath, isActive, label, languageId, isDirty }) => ({
      uri: fileUri(filePath, pathFlavour),
      isActive,
      label,
      languageId,
      isDirty,
    }))
    return jsonResult({ tabs })
  },
})

const getWorkspaceFolders = defineTool({
  name: 'getWorkspaceFolders',
  description: 'Lists the folders that are open.',
  input: noArguments,
  run(_args, context: ToolContext) {
    const folders = context.folders.folders().map((folder) => ({
      name: folder.name,
      uri: fileUri(folder.path, pathFlavour),
      path: folder.path,
    }))
    return jsonResult({ success: true, folders, rootPath: folders[0]?.path ?? '' })
  },
})

const getDiagnostics = defineTool({
  name: 'getDiagnostics',
  description: 'Gives the errors and warnings that language servers found in one file or in all.',
  input: z.object({
    uri: z.string().max(100_000).optional().describe('The URI of one file; all without it.'),
  }),
  async run({ uri }, { diagnostics, review, handed }: ModelToolContext) {
    const asked = uri === undefined || uri === '' ? undefined : pathOf(uri)
    if (asked !== undefined) review.mayHaveBeenWritten?.(asked)
    if (uri !== undefined && uri !== '' && asked === undefined) return textResult('[]')
    const files = await diagnostics.diagnostics(asked)
    const found = files.filter((file) => file.diagnostics.length > 0)
    if (found.length > 0) {
      const count = found.reduce((sum, file) => sum + file.diagnostics.length, 0)
      handed({ kind: 'diagnostics', paths: found.map((file) => file.path), count })
    }
    const answer = files.map((file) => ({
      // Claude Code compares it with the one that it asked for, letter by letter.
      uri: uri !== undefined && file.path === asked ? uri : fileUri(file.path, pathFlavour),
      diagnostics: file.diagnostics.map(({ start, end, ...rest }) => ({ ...rest, range: { start, end } })),
    }))
    return textResult(JSON.stringify(answer))
  },
})

const checkDocumentDirty = defineTool({
  name: 'checkDocumentDirty',
  description: 'Tells whether an open document has unsaved changes.',
  input: z.object({ filePath: path.describe('The absolute path of the file.') }),
  run({ filePath }, { editor }: ToolContext) {
    const state = editor.dirtyState(filePath)
    return state ? jsonResult({ success: true, filePath, ...state }) : notOpen(filePath)
  },
})

const saveDocument = defineTool({
  name: 'saveDocument',
  description: 'Saves an open document.',
  input: z.object({ filePath: path.describe('The absolute path of the file.') }),
  async run({ filePath }, { editor }: ToolContext) {
    const saved = await editor.save(filePath)
    if (saved === undefined) return notOpen(filePath)
    if (!saved.ok)
      return jsonResult({ success: false, filePath, saved: false, message: saved.failure.message })
    return jsonResult({ success: true, filePath, saved: true, message: 'Document saved successfully' })
  },
})

const closeTab = defineTool({
  name: 'close_tab',
  description: 'Closes a tab by its name.',
  input: z.object({ tab_name: z.string().max(4096).describe('The name of the tab.') }),
  async run({ tab_name: tab }, { diffs, editor }: ToolContext) {
    if (!diffs.close(tab)) await editor.closeTab(tab)
    return textResult('TAB_CLOSED')
  },
})

const closeAllDiffTabs = defineTool({
  name: 'closeAllDiffTabs',
  description: 'Says that a turn begins. What is still asked stays open.',
  input: noArguments,
  run(_args, { diffs, turnBegins }: ToolContext) {
    turnBegins()
    diffs.turnBegins()
    return textResult('CLOSED_0_DIFF_TABS')
  },
})

/** Those that a model may use, where all that a server lists is offered to it. */
export const modelTools: readonly Tool<ModelToolContext>[] = [openFile, getDiagnostics]

/** The tools in the order in which they are listed. */
export const claudeTools: readonly Tool<ToolContext>[] = [
  openFile,
  openDiff,
  getCurrentSelection,
  getLatestSelection,
  getOpenEditors,
  getWorkspaceFolders,
  getDiagnostics,
  checkDocumentDirty,
  saveDocument,
  closeTab,
  closeAllDiffTabs,
]

/** The path of a URI, of one that was not percent-encoded, or of a plain absolute path. */
function pathOf(uri: string): string | undefined {
  const decoded = pathOfFileUri(uri, pathFlavour)
  if (decoded !== undefined) return decoded
  const plain = uri.startsWith('file://') ? uri.slice('file://'.length) : uri
  return isAbsolute(plain) && !plain.includes('\0') ? plain : undefined
}
