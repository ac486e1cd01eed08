import { basename } from 'node:path'
import { z } from 'zod'
import { fail, type Result, succeed } from '../../../shared/result'
import { byteOrderMark, readAsClaude, withLf, writtenByClaude } from './file-text'
import { hasOwnId, holdsWithOwnId, notebookAfter, notebookEdit, ownId, sourceFor } from './notebook-edit'
import { type TextReplacement, replaceAsClaude } from './text-replacement'

/**
 * Claude Code's tools that change a file: what they make of it, and the input with which they write what the person has
 * accepted. Texts are raw, with the file's own line ends and byte order mark; `current` is null if there is no file.
 * Measured with the real program; see docs/protocols/claude-sdk.md.
 */
export const editTools = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'] as const
export type EditTool = (typeof editTools)[number]

export type ToolInput = Record<string, unknown>

const replacement = { old_string: z.string(), new_string: z.string(), replace_all: z.boolean().optional() }
const edit = z.looseObject({ file_path: z.string(), ...replacement })
const multiEdit = z.looseObject({ file_path: z.string(), edits: z.array(z.looseObject(replacement)).min(1) })
const write = z.looseObject({ file_path: z.string(), content: z.string() })

export function isEditTool(tool: string): tool is EditTool {
  return editTools.some((one) => one === tool)
}

/** The file that a call changes, as it is named there. */
export function editedPath(tool: EditTool, input: unknown): Result<string> {
  const call = readCall(tool, input)
  return call.ok ? succeed(call.value.path) : call
}

/** What a call makes of the file. */
export interface ToolProposal {
  path: string
  proposed: string
  /** Whether a file holds an accepted text, of which the program makes up a part itself; null if it makes up nothing. */
  holds: ((disk: string, accepted: string) => boolean) | null
}

/** What a call makes of the file, or why it makes nothing of it. */
export function proposedBy(tool: EditTool, input: unknown, current: string | null): Result<ToolProposal> {
  const call = readCall(tool, input)
  if (!call.ok) return call
  const { path } = call.value
  const proposed = call.value.applied(current)
  if (!proposed.ok) return proposed
  const holds = tool === 'NotebookEdit' && hasOwnId(proposed.value) ? holdsWithOwnId : null
  return succeed({ path, proposed: proposed.value, holds })
}

/**
 * The input with which the call writes exactly the accepted text; except that Edit ends all lines of a file alike, if
 * most of them end in CRLF. Fails as `unchanged` if there is nothing to write, which the program would refuse.
 */
export function inputFor(
  tool: EditTool,
  input: unknown,
  current: string | null,
  accepted: string,
): Result<ToolInput> {
  const call = readCall(tool, input)
  if (!call.ok) return call
  if (accepted === current) return unchanged
  const told = call.value.inputFor(current, accepted)
  if (!told.ok) return told
  const again = readCall(tool, told.value)
  const led = again.ok ? again.value.applied(current) : again
  if (!led.ok) return led
  if (led.value === accepted) return told
  if (led.value === current) return unchanged
  return haveSameLines(led.value, accepted) ? told : untellable
}

/** For a proposal: why the program can't be told to write a text, or null. */
export function objectionTo(
  tool: EditTool,
  input: unknown,
  current: string | null,
): (text: string) => string | null {
  return (text) => {
    const told = inputFor(tool, input, current, text)
    return told.ok || told.failure.code === 'unchanged' ? null : told.failure.message
  }
}

/** A sentence on what will stand in the file otherwise than the review shows it, or null. */
export function remarkOn(
  tool: EditTool,
  { path, holds }: ToolProposal,
  current: string | null,
): string | null {
  if (holds)
    return `Claude gives the new cell in ${basename(path)} its id as it writes it. The review shows “${ownId}” in its place.`
  return lineEndsRemark(tool, path, current)
}

/** A sentence if the program will also change the ends of lines that nobody edited, or null. */
export function lineEndsRemark(tool: EditTool, path: string, current: string | null): string | null {
  if (tool === 'Write' || current === null) return null
  const read = readAsClaude(current)
  const isKept = !read.isCrlf || writtenByClaude(read.text, read) === current
  return isKept
    ? null
    : `${basename(path)} has mixed line endings. Claude’s edit writes all of them as CRLF, whatever the review shows.`
}

interface Call {
  path: string
  applied(current: string | null): Result<string>
  /** An input that may lead to the accepted text. */
  inputFor(current: string | null, accepted: string): Result<ToolInput>
}

function readCall(tool: EditTool, input: unknown): Result<Call> {
  switch (tool) {
    case 'Write': {
      const call = write.safeParse(input)
      if (!call.success) return notUnderstood
      const { file_path: path, content } = call.data
      return succeed({
        path,
        applied: (current) => succeed(overwritten(current, content)),
        inputFor: (_, accepted) => succeed({ ...call.data, content: accepted }),
      })
    }
    case 'Edit': {
      const call = edit.safeParse(input)
      if (!call.success) return notUnderstood
      return succeed({
        path: call.data.file_path,
        applied: (current) => replaced(current, [call.data]),
        inputFor(current, accepted) {
          const one = wholeFile(current, accepted)
          return one ? succeed({ ...call.data, ...one }) : unchanged
        },
      })
    }
    case 'MultiEdit': {
      const call = multiEdit.safeParse(input)
      if (!call.success) return notUnderstood
      const { file_path: path, edits } = call.data
      return succeed({
        path,
        applied: (current) => replaced(current, edits),
        inputFor(current, accepted) {
          const one = wholeFile(current, accepted)
          return one ? succeed({ ...call.data, edits: [one] }) : unchanged
        },
      })
    }
    case 'NotebookEdit': {
      const call = notebookEdit.safeParse(input)
      if (!call.success) return notUnderstood
      const found = call.data
      return succeed({
        path: found.notebook_path,
        applied: (current) => (current === null ? noNotebook : notebookAfter(found, current)),
        inputFor(current, accepted) {
          const source = current === null ? noNotebook : sourceFor(found, current, accepted)
          return source.ok ? succeed({ ...found, new_source: source.value }) : source
        },
      })
    }
  }
}

function overwritten(current: string | null, content: string): string {
  const keepsMark = current?.startsWith(byteOrderMark) === true && content !== ''
  return keepsMark && !content.startsWith(byteOrderMark) ? byteOrderMark + content : content
}

function replaced(current: string | null, edits: readonly TextReplacement[]): Result<string> {
  const read = current === null ? null : readAsClaude(current)
  let text = read?.text ?? ''
  for (const one of edits) {
    const after = replaceAsClaude(text, one)
    if (after === null) return doesNotFit
    text = after
  }
  return succeed(read ? writtenByClaude(text, read) : text)
}

/** One replacement of everything that the file holds; null if it would replace nothing, which the program refuses. */
function wholeFile(current: string | null, accepted: string): TextReplacement | null {
  const read = current === null ? null : readAsClaude(current)
  const body = read?.hasMark === true && accepted.startsWith(byteOrderMark) ? accepted.slice(1) : accepted
  const new_string = read?.isCrlf === true ? withLf(body) : body
  return read?.text === new_string ? null : { old_string: read?.text ?? '', new_string, replace_all: false }
}

/** Whether texts differ in nothing but line ends, however many CRs are before an LF. */
function haveSameLines(a: string, b: string): boolean {
  const plain = (text: string) => text.replace(/(?<!\r)\r+\n/g, '\n')
  return plain(a) === plain(b)
}

const notUnderstood = fail(
  'not-understood',
  'Claude asks for this change in a way that Greenlight doesn’t know. Read what it asks.',
)

const doesNotFit = fail(
  'does-not-fit',
  'The file doesn’t hold what Claude wants to replace. Have Claude read it again.',
)

const noNotebook = fail('absent', 'There is no such notebook. Have Claude look for it again.')

const unchanged = fail(
  'unchanged',
  'Nothing of this change is left to write. Tell Claude what you want instead.',
)

const untellable = fail(
  'untellable',
  'Claude can’t be told to write this text. Reject the file, and edit it yourself.',
)
