import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

let tools = ''
let base = ''
let kept = ''
let scripts = ''

beforeAll(async () => {
  tools = mkdtempSync(join(tmpdir(), 'greenlight-compiled-'))
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(import.meta.dirname, 'compiled-code.ts'),
      outDir: tools,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'compiled-code.cjs' } },
    },
  })
})

afterAll(() => rmSync(tools, { recursive: true }))

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'greenlight-compiled-'))
  kept = join(base, 'data', 'code-cache')
  scripts = join(base, 'out')
  mkdirSync(scripts)
  writeApp('one')
})

afterEach(() => rmSync(base, { recursive: true }))

/** An app whose word stands in a function that a start calls, in a file beside its first one. */
function writeApp(word: string, name = 'words-aaaaaaaa.js'): void {
  writeFileSync(join(scripts, name), `exports.word = () => '${word}'\n`)
  const begin = `
    const { keepCompiledCode } = require(${JSON.stringify(join(tools, 'compiled-code.cjs'))})
    const compiled = keepCompiledCode(${JSON.stringify(join(base, 'data'))}, __dirname)
    const { word } = require('./${name}')
    process.stdout.write(word())
    compiled.save()
  `
  writeFileSync(join(scripts, 'begin.js'), begin)
}

/** Starts the app. Gives its word, and whether it had to compile (something was kept anew). */
function start(): { word: string; compiled: boolean } {
  const before = describeKept()
  const word = execFileSync(process.execPath, [join(scripts, 'begin.js')], { encoding: 'utf8' })
  return { word, compiled: describeKept() !== before }
}

const filesKept = () => {
  try {
    return readdirSync(kept, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return []
  }
}
const describeKept = () =>
  filesKept()
    .map((path) => `${path} ${statSync(path).mtimeMs} ${statSync(path).ino}`)
    .join('\n')

// Where Node keeps it by itself there is nothing of ours to look at.
describe('compiled code', () => {
  beforeEach((context) =>
    context.skip(
      'enableCompileCache' in process.getBuiltinModule('node:module'),
      'this Node keeps compiled code itself',
    ),
  )

  it('is kept at the first end and used by the next start', () => {
    expect(start()).toEqual({ word: 'one', compiled: true })
    expect(filesKept()).toHaveLength(1)
    expect(start()).toEqual({ word: 'one', compiled: false })
  })

  it('is for its owner only', () => {
    start()
    for (const path of filesKept()) expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(kept).mode & 0o777).toBe(0o700)
  })

  it('is of a source to the last letter: one of the same length compiles anew', () => {
    start()
    writeApp('two')
    expect(start()).toEqual({ word: 'two', compiled: true })
    expect(start()).toEqual({ word: 'two', compiled: false })
  })

  it('goes with the app that it was of', () => {
    start()
    writeApp('three', 'words-bbbbbbbb.js')
    expect(start()).toEqual({ word: 'three', compiled: true })
    expect(filesKept()).toHaveLength(1)
    expect(start()).toEqual({ word: 'three', compiled: false })
  })

  it('counts as not there where it was cut or altered, and is kept again', () => {
    start()
    const [path = ''] = filesKept()
    const whole = readFileSync(path)
    const altered = Buffer.from(whole)
    const at = altered.length - 9
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    for (const broken of [
      Buffer.alloc(0),
      whole.subarray(0, 40),
      whole.subarray(0, whole.length - 1),
      altered,
    ]) {
      writeFileSync(path, broken)
      expect(start()).toEqual({ word: 'one', compiled: true })
      expect(start()).toEqual({ word: 'one', compiled: false })
    }
  })

  it('is not kept where nothing can be written, and the app starts all the same', () => {
    mkdirSync(join(base, 'data'))
    writeFileSync(kept, 'a file where the folder should be')
    expect(start()).toEqual({ word: 'one', compiled: false })
    rmSync(kept)
    mkdirSync(kept, { mode: 0o500 })
    chmodSync(kept, 0o500)
    expect(start().word).toBe('one')
    chmodSync(kept, 0o700)
  })
})
