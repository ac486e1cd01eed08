// An agent for pictures and for trying the app without a model: runs in the app's terminal, finds the app as Claude
// Code does, and proposes the changes of sample-project.mjs when it is asked for them; some it writes without asking.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import WebSocket from 'ws'
import { proposals, writes } from './sample-project.mjs'

const port = process.env.CLAUDE_CODE_SSE_PORT
const { authToken } = JSON.parse(
  readFileSync(join(process.env.HOME, '.claude', 'ide', `${port}.lock`), 'utf8'),
)
const socket = new WebSocket(`ws://127.0.0.1:${port}/`, ['mcp'], {
  headers: { 'x-claude-code-ide-authorization': authToken },
})
const waiting = new Map()
let nextId = 1

function ask(method, params) {
  const id = nextId++
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  return new Promise((resolve) => waiting.set(id, resolve))
}

socket.on('message', (data) => {
  const message = JSON.parse(String(data))
  waiting.get(message.id)?.(message.result)
  waiting.delete(message.id)
})
socket.on('error', ({ message }) => {
  console.log(message)
  process.exit(1)
})
socket.on('close', () => process.exit(0))

const dim = (text) => `\x1b[2m${text}\x1b[0m`
let lines
const say = (text) => process.stdout.write(`\r\x1b[K${text}\n`)

/** Asks for one file; writes it where the person gave the green light, with the text that came back. */
async function propose(file, text) {
  const path = join(process.cwd(), file)
  const { content } = await ask('tools/call', {
    name: 'openDiff',
    arguments: {
      old_file_path: path,
      new_file_path: path,
      new_file_contents: text,
      tab_name: `${basename(file)} ${randomUUID()}`,
    },
  })
  const [verdict, accepted] = content
  if (verdict.text === 'FILE_SAVED') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, accepted.text)
    say(`  ${file} written${accepted.text === text ? '' : ', as you changed it'}.`)
  } else say(`  ${file} left as it was.`)
  lines.prompt()
}

/** Writes files at once, as an agent does in a mode that accepts its own edits: it says so first. */
async function write(files) {
  const names = Object.keys(files)
  say(dim(`  ${names.length} files …`))
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (const [file, text] of Object.entries(files)) {
    const path = join(process.cwd(), file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  say(`  ${names[0]} ${dim(`and ${names.length - 1} more written without asking`)}`)
  lines.prompt()
}

/** Introduces itself, then proposes what the person asks for. */
async function begin() {
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: 'sample' },
  })
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'ide_connected', params: { pid: process.pid } }))
  console.log(`Sample agent ${dim('· a script, connected')}\n`)
  // Not before: a line reader draws its prompt again whenever the terminal gets another size.
  lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '\x1b[1m>\x1b[0m ' })
  lines.prompt()
  lines.on('line', (line) => {
    const unasked = Object.keys(writes).find((word) => line.includes(word))
    if (unasked) return void write(writes[unasked])
    const wanted = Object.keys(proposals).find((word) => line.includes(word))
    if (!wanted) return lines.prompt()
    const [file, text] = proposals[wanted]
    say(`  ${file} ${dim('waits for your review')}`)
    void propose(file, text)
    lines.prompt()
  })
  lines.on('close', () => socket.close())
}

socket.on('open', () => void begin())
