import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/**
 * Session files for tests and benchmarks, in the shapes that Claude Code 2.1.330 writes (docs/protocols/claude-code.md)
 * and of about the same sizes: 1,000 messages are some 2.4 MB. Only shapes are kept; the words mean nothing.
 */
export interface GeneratedSession {
  /** How many lines of the person and the model, about. */
  messages: number
  /** The same seed makes the same session, but for its ids. Default 1. */
  seed?: number
  sessionId?: string
  folder?: string
  branch?: string
  /** When it begins, in milliseconds since the epoch. */
  startedAt?: number
  /** Every so many turns the person goes back and says something else. Default: never. */
  forkEvery?: number
  /** Every so many messages the conversation is compacted. Default 5,000. */
  compactEvery?: number
}

const words =
  'able base card dock east file grid hall idea jump kind lamp mark node open path quiet road save tree unit view wave zone'.split(
    ' ',
  )
const tools = ['Bash', 'Read', 'Edit', 'Grep', 'Write', 'Glob']

/** Numbers from 0 to 1 that look random and are the same for a seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Line = Record<string, unknown>

/** The records of a session, one after another. */
export function* sessionRecords(options: GeneratedSession): Generator<Line> {
  const { messages, seed = 1, folder = '/home/person/project', branch = 'main', forkEvery = 0 } = options
  const { sessionId = randomUUID(), compactEvery = 5000 } = options
  const next = numbers(seed)
  const whole = (most: number) => Math.floor(next() * most)
  const id = () => {
    const hex = Array.from({ length: 4 }, () => whole(0x1_0000_0000).toString(16).padStart(8, '0')).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  const say = (count: number) => Array.from({ length: count }, () => words[whole(words.length)]).join(' ')
  const text = (lines: number) => Array.from({ length: lines }, () => say(6 + whole(8))).join('\n')
  let time = options.startedAt ?? Date.UTC(2026, 0, 1)
  let parent: string | null = null
  let said = 0
  let turn = 0
  let compacted = 0

  const common = () => ({
    userType: 'external',
    entrypoint: 'cli',
    cwd: folder,
    sessionId,
    version: '2.1.330',
    gitBranch: branch,
  })
  const line = (more: Line): Line => {
    const uuid = id()
    time += 200 + whole(3000)
    const made = {
      parentUuid: parent,
      isSidechain: false,
      ...more,
      uuid,
      timestamp: new Date(time).toISOString(),
      ...common(),
    }
    parent = uuid
    return made
  }
  const user = (content: unknown, more: Line = {}) => {
    said++
    return line({ type: 'user', message: { role: 'user', content }, ...more })
  }
  const assistant = (message: string, request: string, part: Line, index: number, stop: string) => {
    said++
    const usage = {
      input_tokens: 3 + whole(20),
      cache_creation_input_tokens: whole(4000),
      cache_read_input_tokens: 10_000 + whole(90_000),
      output_tokens: 20 + whole(800),
      service_tier: 'standard',
    }
    const content = [part]
    const body = { id: message, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content }
    return line({
      type: 'assistant',
      message: { ...body, stop_reason: stop, stop_sequence: null, usage },
      apiBlockIndex: index,
      requestRef: request,
    })
  }

  yield { type: 'mode', mode: 'normal', sessionId }
  yield { type: 'permission-mode', permissionMode: 'default', sessionId }
  while (said < messages) {
    turn++
    const before: string | null = parent
    const prompt = say(4 + whole(20))
    yield user(prompt, { permissionMode: 'default', origin: { kind: 'human' }, promptSource: 'typed' })
    if (turn % 5 === 1) {
      yield line({
        type: 'attachment',
        attachment: { type: 'environment', snapshot: { workingDirectory: folder } },
      })
      yield line({ type: 'attachment', attachment: { type: 'skill_listing', content: text(60) } })
    }
    const steps = 1 + whole(6)
    for (let step = 0; step < steps && said < messages; step++) {
      const message = `msg_${turn}_${step}_${seed}`
      const request = id()
      const call = `toolu_${turn}_${step}_${seed}`
      let index = 0
      if (next() < 0.5) {
        const thinking = {
          type: 'thinking',
          thinking: text(1 + whole(12)),
          signature: say(60).replaceAll(' ', ''),
        }
        yield assistant(message, request, thinking, index++, 'tool_use')
      }
      if (next() < 0.6) {
        yield assistant(message, request, { type: 'text', text: text(1 + whole(4)) }, index++, 'tool_use')
      }
      const name = tools[whole(tools.length)] ?? 'Bash'
      const path = `${folder}/src/${say(1)}.ts`
      const content = text(2 + whole(90))
      const input = inputOf(name, path, say, text)
      yield assistant(message, request, { type: 'tool_use', id: call, name, input }, index, 'tool_use')
      const isError = next() < 0.05
      const result = {
        type: 'tool_result',
        tool_use_id: call,
        content,
        ...(isError ? { is_error: true } : {}),
      }
      yield user([result], {
        toolUseResult: isError ? `Error: ${say(6)}` : detailOf(name, path, content, input),
        sourceToolAssistantUUID: parent,
      })
    }
    const markdown = `${text(2)}\n\n- ${say(5)}\n- ${say(6)}\n\n\`\`\`ts\nconst ${say(1)} = ${whole(100)}\n\`\`\`\n`
    const last = `msg_${turn}_end_${seed}`
    yield assistant(last, id(), { type: 'text', text: markdown }, 0, 'end_turn')
    yield line({ type: 'system', subtype: 'turn_duration', durationMs: 1000 + whole(60_000), isMeta: false })
    if (turn % 3 === 0) {
      yield { type: 'last-prompt', lastPrompt: prompt, leafUuid: parent, sessionId }
      yield { type: 'custom-title', customTitle: `Session ${seed}`, sessionId }
      yield { type: 'mode', mode: 'normal', sessionId }
    }
    if (forkEvery > 0 && turn % forkEvery === 0) parent = before
    if (said - compacted >= compactEvery) {
      compacted = said
      const logicalParentUuid = parent
      parent = null
      const boundary = {
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Compacted',
        logicalParentUuid,
      }
      yield line(boundary)
      yield user(text(40), { isCompactSummary: true, isVisibleInTranscriptOnly: true })
    }
  }
  yield { type: 'cost-state', sessionId, totalCostUSD: said / 100, startTime: 1 }
}

type Words = (count: number) => string

function inputOf(name: string, path: string, say: Words, text: Words): Line {
  switch (name) {
    case 'Bash':
      return { command: say(4), description: say(3) }
    case 'Edit':
      return { file_path: path, old_string: text(4), new_string: text(5), replace_all: false }
    case 'Write':
      return { file_path: path, content: text(20) }
    case 'Grep':
    case 'Glob':
      return { pattern: say(1), path }
    default:
      return { file_path: path }
  }
}

function detailOf(name: string, path: string, content: string, input: Line): unknown {
  switch (name) {
    case 'Bash':
      return { stdout: content, stderr: '', interrupted: false, isImage: false }
    case 'Edit': {
      const [oldText, newText] = [String(input['old_string']), String(input['new_string'])]
      const lines = [
        ...oldText.split('\n').map((line) => `-${line}`),
        ...newText.split('\n').map((line) => `+${line}`),
      ]
      const patch = { oldStart: 1, oldLines: 4, newStart: 1, newLines: 5, lines }
      const edit = { filePath: path, oldString: oldText, newString: newText, originalFile: oldText }
      return { ...edit, structuredPatch: [patch], userModified: false }
    }
    case 'Write':
      return { type: 'create', filePath: path, content: input['content'], structuredPatch: [] }
    default:
      return { type: 'text', file: { filePath: path, content, numLines: content.split('\n').length } }
  }
}

/** Writes a session to a file, and gives its size in bytes. */
export async function writeSession(path: string, options: GeneratedSession): Promise<number> {
  const file = createWriteStream(path)
  let size = 0
  let batch = ''
  for (const record of sessionRecords(options)) {
    batch += `${JSON.stringify(record)}\n`
    if (batch.length < 1_000_000) continue
    size += Buffer.byteLength(batch)
    if (!file.write(batch)) await once(file, 'drain')
    batch = ''
  }
  file.end(batch)
  await finished(file)
  return size + Buffer.byteLength(batch)
}
