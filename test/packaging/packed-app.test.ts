import { spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeElectronDist, shippedFuses } from './electron-dist.mjs'

/*
 * The app packed for Linux as `npm run dist` packs it, around a stand-in for Electron's program: what is in it, and that
 * nothing it needs is missing. Whether Electron starts it is not proven here.
 */

/** electron-builder's own reader of archives. */
interface Archives {
  listPackage(archive: string, options: { isPack: boolean }): string[]
  extractAll(archive: string, folder: string): void
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const { extractAll, listPackage } = createRequire(
  join(root, 'node_modules', 'electron-builder', 'package.json'),
)('@electron/asar') as Archives
const base = mkdtempSync(join(tmpdir(), 'greenlight-packed-'))
const packed = join(base, 'dist', 'linux-unpacked')
const archive = join(packed, 'resources', 'app.asar')
/** The archive as files, far from any other node_modules. */
const app = join(base, 'app')
let names: string[] = []

beforeAll(() => {
  const electron = join(base, 'electron')
  mkdirSync(electron)
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8'),
  ) as { version: string }
  makeElectronDist(electron, version)
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js')
  const words = ['--config', 'electron-builder.yml', '--publish', 'never', '--linux', 'dir']
  const given = {
    electronVersion: version,
    electronDist: electron,
    'directories.output': join(base, 'dist'),
    'publish.provider': 'generic',
    'publish.url': 'https://updates.example.org',
  }
  const settings = Object.entries(given).map(([name, value]) => `-c.${name}=${value}`)
  const { status, stdout, stderr } = spawnSync(process.execPath, [builder, ...words, ...settings], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`)
  names = listPackage(archive, { isPack: false }).map((name) => name.split(sep).join('/').replace(/^\//, ''))
  extractAll(archive, app)
}, 240_000)
afterAll(() => rmSync(base, { recursive: true, force: true }))

describe('the archive', () => {
  test('holds the built app, and neither sources, tests, maps nor tools', () => {
    for (const name of [
      'package.json',
      'LICENSE',
      'out/main/package.json',
      'out/main/index.js',
      'out/main/headless.js',
    ]) {
      expect(names).toContain(name)
    }
    expect(names).toEqual(
      expect.arrayContaining(['out/main/errand.js', 'out/preload/index.cjs', 'out/renderer/index.html']),
    )
    const own = names.filter((name) => !name.startsWith('node_modules'))
    expect(
      own.filter((name) => !/^(package\.json|LICENSE|out(\/(main|preload|renderer)(\/.*)?)?)$/.test(name)),
    ).toEqual([])
    expect(names.filter((name) => /\.(map|tsx?|mts|cts)$|\.test\./.test(name))).toEqual([])
  })

  test('holds no dependency of development', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>
    }
    const inside = new Set(
      names.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/@]+)(?:\/|$)/.exec(name)?.[1] ?? []),
    )
    expect(Object.keys(devDependencies).filter((name) => inside.has(name))).toEqual([])
  })

  test('has everything that the built main and preload load, down to the last dependency', () => {
    const { missing, seen } = follow([
      ...readdirSync(join(app, 'out', 'main'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.js'))
        .map((name) => join(app, 'out', 'main', name)),
      join(app, 'out', 'preload', 'index.cjs'),
    ])
    expect(missing).toEqual([])
    // A walk that finds nothing would miss nothing.
    for (const name of ['electron-updater', 'editorconfig', 'node-pty', '@xterm/headless', 'minimatch']) {
      expect([...seen].some((path) => path.startsWith(`node_modules/${name}/`))).toBe(true)
    }
  })

  test('runs: the headless host starts from it, with a terminal’s screen and pty', async () => {
    const home = join(base, 'home')
    mkdirSync(home)
    const words = [
      join(app, 'out', 'main', 'headless.js'),
      '--headless',
      '--data-dir',
      join(home, 'data'),
      home,
    ]
    const host = spawn(process.execPath, words, { env: { PATH: process.env['PATH'], HOME: home }, cwd: home })
    let [said, complained] = ['', '']
    host.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text))
    const ready = await new Promise<string>((resolve, reject) => {
      host.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('\n')) resolve(said)
      })
      host.once('close', (code) => reject(new Error(`ended with ${code}: ${complained}`)))
    })
    expect(JSON.parse(ready)).toMatchObject({ ready: true, workspace: [home] })
    const ended = new Promise((resolve) => host.once('close', resolve))
    host.kill('SIGTERM')
    expect(await ended).toBe(0)
    // The native parts load from where they are unpacked.
    const unpacked = join(packed, 'resources', 'app.asar.unpacked', 'node_modules')
    const load = `require(${JSON.stringify(join(unpacked, 'node-pty'))}).spawn('/bin/true', [], {}).onExit(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 1))`
    expect(spawnSync(process.execPath, ['-e', load], { encoding: 'utf8' })).toMatchObject({ status: 0 })
    const [ripgrep = ''] = readdirSync(join(unpacked, '@vscode'))
    const searched = spawnSync(join(unpacked, '@vscode', ripgrep, 'bin', 'rg'), ['--version'])
    expect(searched.status).toBe(0)
  })
})

test('only what the system itself loads lies beside the archive', () => {
  const unpacked = join(packed, 'resources', 'app.asar.unpacked')
  const files = readdirSync(unpacked, { recursive: true, encoding: 'utf8' })
  expect(files.some((name) => name.endsWith('pty.node'))).toBe(true)
  const folders = files.map((name) => name.split(sep).slice(0, 2).join('/'))
  expect([...new Set(folders)].sort()).toEqual([
    'node_modules',
    'node_modules/@lydell',
    'node_modules/@vscode',
    'node_modules/node-pty',
  ])
})

test('beside the program is one for machines without a display, which runs it as Node', () => {
  const script = join(packed, 'greenlight-headless')
  expect(statSync(script).mode & 0o111).toBe(0o111)
  // In the place of the program one that says how it was called.
  const place = join(base, 'called')
  mkdirSync(place)
  copyFileSync(script, join(place, 'greenlight-headless'))
  writeFileSync(join(place, 'greenlight'), '#!/bin/sh\necho "$ELECTRON_RUN_AS_NODE" "$@"\n', { mode: 0o755 })
  symlinkSync(join(place, 'greenlight-headless'), join(base, 'linked'))
  const called = spawnSync(join(base, 'linked'), ['a folder', '--port', '4000'], { encoding: 'utf8' })
  const main = join(place, 'resources', 'app.asar', 'out', 'main', 'headless.js')
  expect(called.stdout).toBe(`1 ${main} --headless a folder --port 4000\n`)
  expect(names).toContain('out/main/headless.js')
})

test('the program has the fuses that are asked for, and the address for updates', () => {
  const program = readFileSync(join(packed, 'greenlight'), 'latin1')
  const at = program.indexOf('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX') + 32 + 2
  // Run as Node, cookies, NODE_OPTIONS, --inspect, integrity of the archive, the archive only, snapshot, files' rights.
  expect(program.slice(at, at + shippedFuses.length)).toBe('10001101')
  expect(readFileSync(join(packed, 'resources', 'app-update.yml'), 'utf8')).toContain(
    'https://updates.example.org',
  )
})

/** Follows what scripts import and require, from file to file, and tells what cannot be found below the app. */
function follow(entries: readonly string[]): { missing: string[]; seen: Set<string> } {
  const missing = new Set<string>()
  const seen = new Set<string>()
  const left = [...entries]
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    const name = relative(app, file).split(sep).join('/')
    if (seen.has(name)) continue
    seen.add(name)
    if (!/\.[cm]?js$/.test(file)) continue
    for (const wanted of modulesOf(file)) {
      if (isBuiltin(wanted) || isElectrons(wanted) || optional.has(wanted)) continue
      const found = resolveFrom(file, wanted)
      if (found === null || !found.startsWith(app + sep)) missing.add(`${name}: ${wanted}`)
      else left.push(found)
    }
  }
  return { missing: [...missing].sort(), seen }
}

/** What Electron itself has. */
const isElectrons = (name: string) => /^electron(\/(main|common|renderer))?$|^original-fs$/.test(name)
/** What packages try and do without. */
const optional = new Set(['supports-color', 'electron-webauthn-mac'])

function resolveFrom(file: string, wanted: string): string | null {
  try {
    const found = createRequire(pathToFileURL(file)).resolve(wanted)
    return existsSync(found) ? found : null
  } catch {
    return resolveModule(file, wanted)
  }
}

/** A package that only answers to `import`: its folder's exports say nothing to require. */
function resolveModule(file: string, wanted: string): string | null {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(wanted)?.[0] ?? wanted
  for (let folder = dirname(file); folder.startsWith(app); folder = dirname(folder)) {
    const manifest = join(folder, 'node_modules', name, 'package.json')
    if (!existsSync(manifest)) continue
    const { exports, main } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      exports?: unknown
      main?: string
    }
    const target = name === wanted ? (importTarget(exports) ?? main ?? 'index.js') : null
    const path = target === null ? null : join(dirname(manifest), target)
    return path !== null && existsSync(path) ? path : null
  }
  return null
}

function importTarget(exports: unknown): string | null {
  if (typeof exports === 'string') return exports
  if (typeof exports !== 'object' || exports === null) return null
  const { '.': whole, import: imported, default: otherwise } = exports as Record<string, unknown>
  return importTarget(whole ?? imported ?? otherwise)
}

/** Every module that a script names in an import, a require or an import(). */
function modulesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const parsed = parseSync(file, text, { lang: 'js' })
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== 'object' || value === null) return
    const node = value as Record<string, unknown>
    const source = /^(Import|Export).*Declaration$|^ImportExpression$/.test(String(node['type']))
      ? node['source']
      : isRequire(node)
        ? (node['arguments'] as unknown[])[0]
        : null
    const literal = source as { type?: string; value?: unknown } | null | undefined
    if (literal?.type === 'Literal' && typeof literal.value === 'string') found.push(literal.value)
    Object.values(node).forEach(visit)
  }
  visit(parsed.program)
  return found
}

function isRequire(node: Record<string, unknown>): boolean {
  const callee = node['callee'] as { type?: string; name?: string } | undefined
  return node['type'] === 'CallExpression' && callee?.type === 'Identifier' && callee.name === 'require'
}
