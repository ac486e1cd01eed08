import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChangeSet } from '@codemirror/state'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toText } from '../../../shared/text/text-facts'
import { FileSwapper } from '../files/compare-and-swap'
import { Ledger } from '../files/ledger'
import { FileWatcher } from '../files/watcher'
import { Backups } from './backups'
import type { DocumentMeta } from '../../../shared/contract/documents'
import { Documents, type OpenDocument } from './documents'
import { readFormatRules } from './editor-config'
import { tidyText } from './tidy-text'

let folder: string
let path: string
let documents: Documents
let close: () => Promise<void>

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'formats-')))
  path = join(folder, 'file.txt')
  const backups = await Backups.open(join(folder, '.data'), { delay: 5 })
  const watcher = new FileWatcher({ interval: 50 })
  documents = new Documents({ watcher, ledger: new Ledger(), swapper: new FileSwapper(), backups })
  close = async () => {
    documents.dispose()
    watcher.dispose()
    await backups.flush()
    backups.dispose()
  }
})
afterEach(async () => {
  await close()
  await rm(folder, { recursive: true })
})

async function openWith(content: string | Uint8Array): Promise<OpenDocument> {
  await writeFile(path, content)
  return documents.open(path)
}

function textOf(open: OpenDocument) {
  const state = open.state()
  if (state.kind !== 'text') throw new Error(`it is ${state.kind}`)
  return { content: state.text.toString(), ...state.meta }
}

function append(open: OpenDocument, insert: string): void {
  const { length } = textOf(open).content
  expect(documents.edit(path, ChangeSet.of({ from: length, insert }, length, '\n'))).toBe(true)
}

const saved = async () => (await readFile(path)).toString('latin1')

test('line ends that are chosen are written by the next save, and count as unsaved until then', async () => {
  const open = await openWith('one\ntwo\n')
  documents.reformat(path, { eol: 'crlf' })
  expect(textOf(open)).toMatchObject({ eol: 'crlf', dirty: true, content: 'one\ntwo\n' })
  expect(await saved()).toBe('one\ntwo\n')
  expect(await documents.save(path)).toMatchObject({ ok: true })
  expect(await saved()).toBe('one\r\ntwo\r\n')
  expect(textOf(open)).toMatchObject({ eol: 'crlf', dirty: false })
  documents.reformat(path, { eol: 'lf' })
  documents.reformat(path, { eol: 'crlf' })
  expect(textOf(open).dirty).toBe(false)
})

test('mixed ends become one kind', async () => {
  const open = await openWith('one\r\ntwo\nthree\r\n')
  expect(textOf(open)).toMatchObject({ eol: 'mixed', dirty: false })
  documents.reformat(path, { eol: 'lf' })
  expect(textOf(open)).toMatchObject({ eol: 'lf', dirty: true, content: 'one\ntwo\nthree\n' })
  await documents.save(path)
  expect(await saved()).toBe('one\ntwo\nthree\n')
})

test('what is not UTF-8 is shown as Latin-1 by a guess, and written once that is confirmed', async () => {
  const open = await openWith(Buffer.from('caf\xe9\n', 'latin1'))
  expect(textOf(open)).toMatchObject({ encoding: 'latin-1', guessed: true, content: 'café\n' })
  expect(await documents.reopen(path, 'latin-1')).toMatchObject({ ok: true })
  expect(textOf(open)).toMatchObject({ encoding: 'latin-1', guessed: false })
  append(open, 'è')
  await documents.save(path)
  expect(await saved()).toBe('caf\xe9\n\xe8')
  append(open, '€')
  expect(await documents.save(path)).toMatchObject({ ok: false, failure: { code: 'encoding' } })
  expect(await saved()).toBe('caf\xe9\n\xe8')
  expect(await documents.reopen(path, 'utf-8')).toMatchObject({ ok: false, failure: { code: 'unsaved' } })
  documents.reformat(path, { encoding: 'utf-8' })
  await documents.save(path)
  expect((await readFile(path)).toString('utf8')).toBe('café\nè€')
  expect(textOf(open)).toMatchObject({ encoding: 'utf-8', dirty: false })
})

test('a mark or another encoding is put before the text and taken away again', async () => {
  const open = await openWith('é')
  documents.reformat(path, { encoding: 'utf-16le', bom: true })
  await documents.save(path)
  expect(await saved()).toBe('\xff\xfe\xe9\x00')
  documents.reformat(path, { encoding: 'utf-8', bom: false })
  await documents.save(path)
  expect(await saved()).toBe('\xc3\xa9')
  expect(textOf(open).dirty).toBe(false)
})

test('a picture is one by its content, a file with control characters is no text', async () => {
  const picture = join(folder, 'a.png')
  await writeFile(picture, Buffer.from('89504e470d0a1a0a0000', 'hex'))
  expect((await documents.open(picture)).state()).toMatchObject({
    kind: 'image',
    type: 'image/png',
    size: 10,
  })
  const text = join(folder, 'b.png')
  await writeFile(text, 'not a picture')
  expect((await documents.open(text)).state().kind).toBe('text')
  expect((await openWith(Buffer.from([0xff, 1, 2, 3]))).state().kind).toBe('binary')
})

test('a save follows .editorconfig: white space and the last line end, and says how to indent', async () => {
  const config =
    '[*]\nindent_style = tab\ntab_width = 8\ntrim_trailing_whitespace = true\ninsert_final_newline = true\n'
  await writeFile(join(folder, '.editorconfig'), `root = true\n${config}`)
  const open = await openWith('one  \ntwo\t')
  expect(textOf(open)).toMatchObject({ dirty: false, indent: { style: 'tab', size: 8 } })
  append(open, '3 ')
  await documents.save(path)
  expect(await saved()).toBe('one\ntwo\t3\n')
  expect(textOf(open)).toMatchObject({ content: 'one\ntwo\t3\n', dirty: false })
})

test('a text without line ends takes those of .editorconfig, others keep their own', async () => {
  await writeFile(
    join(folder, '.editorconfig'),
    'root = true\n[*]\nend_of_line = crlf\ncharset = utf-8-bom\n',
  )
  const open = await openWith('')
  append(open, 'one\ntwo')
  await documents.save(path)
  expect((await readFile(path)).toString('utf8')).toBe('\ufeffone\r\ntwo')
  const other = join(folder, 'other.txt')
  await writeFile(other, 'a\nb\n')
  const kept = (await documents.open(other)).state()
  expect(kept.kind === 'text' && kept.meta).toMatchObject({ eol: 'lf', bom: false, dirty: false })
})

test('an .editorconfig that comes, changes or goes takes effect for open files', async () => {
  const metas: DocumentMeta[] = []
  const listening = documents.on((event) => {
    if (event.kind === 'meta') metas.push(event.meta)
    else if (event.kind === 'state' && event.state.kind === 'text') metas.push(event.state.meta)
  })
  const latest = (wanted: Partial<DocumentMeta>) =>
    vi.waitFor(() => expect(metas.at(-1)).toMatchObject(wanted))
  const rules = join(folder, '.editorconfig')
  await mkdir(join(folder, 'deep', 'er'), { recursive: true })
  path = join(folder, 'deep', 'er', 'file.txt')
  const open = await openWith('')
  await writeFile(rules, 'root = true\n[*]\nindent_style = tab\nend_of_line = crlf\ncharset = utf-8-bom\n')
  await latest({ indent: { style: 'tab', size: 4 }, eol: 'crlf', bom: true, dirty: false })
  // What is typed stays, whatever the rules are then.
  append(open, 'one\n  \ntwo  ')
  await writeFile(rules, 'root = true\n[*]\nindent_style = space\nindent_size = 8\nend_of_line = lf\n')
  await latest({ indent: { style: 'space', size: 8 }, eol: 'crlf', dirty: true })
  await writeFile(rules, 'root = true\n[*]\ntrim_trailing_whitespace = true\n')
  await latest({ indent: null })
  await documents.save(path)
  expect(textOf(open).content).toBe('one\n\ntwo')
  expect(await readFile(path, 'utf8')).toBe('\ufeffone\r\n\r\ntwo')
  await rm(rules)
  await writeFile(join(folder, 'deep', '.editorconfig'), '[*.txt]\nindent_size = 3\nindent_style = space\n')
  await latest({ indent: { style: 'space', size: 3 } })
  listening.dispose()
})

test('rules take effect even when the file is looked at before the watcher tells of them', async () => {
  const open = await openWith('')
  writeFileSync(join(folder, '.editorconfig'), 'root = true\n[*]\nend_of_line = crlf\n')
  await documents.refresh(path)
  expect(textOf(open)).toMatchObject({ eol: 'crlf', dirty: false })
  append(open, 'kept')
  await documents.save(path)
  await rm(path)
  writeFileSync(join(folder, '.editorconfig'), 'root = true\n[*]\nend_of_line = lf\n')
  await documents.refresh(path)
  expect(textOf(open)).toMatchObject({ content: 'kept', disk: 'deleted' })
})

test('rules come from all folders above up to the root, the nearest first, by the patterns', async () => {
  await mkdir(join(folder, 'in', 'deep'), { recursive: true })
  await writeFile(join(folder, '.editorconfig'), '[*]\nindent_style = space\nindent_size = 3\n')
  const inner =
    'root = true\n[*.{js,ts}]\nindent_style = space\nindent_size = 2\n[Makefile]\nindent_style = tab\n'
  await writeFile(join(folder, 'in', '.editorconfig'), inner)
  expect(await readFormatRules(join(folder, 'in', 'deep', 'a.ts'))).toEqual({
    indent: { style: 'space', size: 2 },
  })
  expect(await readFormatRules(join(folder, 'in', 'Makefile'))).toEqual({ indent: { style: 'tab', size: 4 } })
  expect(await readFormatRules(join(folder, 'in', 'a.py'))).toEqual({})
  expect((await readFormatRules(join(folder, 'a.py'))).indent).toEqual({ style: 'space', size: 3 })
  await writeFile(join(folder, 'in', '.editorconfig'), '\0[[[not an ini')
  expect(await readFormatRules(join(folder, 'in', 'a.ts'))).toBeDefined()
})

test('tidying takes white space at ends only, and is done when it is done', () => {
  const rules = { trimTrailingWhitespace: true, insertFinalNewline: true } as const
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', ' ', '\t', '\n', '\r\n', 'b c'), { maxLength: 30 }),
      (parts) => {
        const text = toText(parts.join(''))
        const tidy = tidyText(text, rules)?.apply(text) ?? text
        expect(tidyText(tidy, rules)).toBeUndefined()
        expect(tidy.toString().replaceAll(/\s/g, '')).toBe(text.toString().replaceAll(/\s/g, ''))
        expect(/[ \t](\r?\n|$)/.test(tidy.toString())).toBe(false)
        const lineCount = tidy.lines - text.lines
        expect(lineCount === 0 || lineCount === 1).toBe(true)
      },
    ),
  )
})
