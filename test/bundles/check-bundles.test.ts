import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkBundles } from './check-bundles'

const declarations = join(
  dirname(createRequire(import.meta.url).resolve('electron/package.json')),
  'electron.d.ts',
)

const page = (body = '', policy = "default-src 'self'; style-src 'self' 'unsafe-inline'"): string =>
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}" />
   <script type="module" crossorigin src="./assets/index.js"></script><link rel="stylesheet" href="./assets/index.css">${body}`

const good: Record<string, string> = {
  'main/index.js': `import { app, BrowserWindow, shell } from 'electron/main'
    import electron from 'electron'
    const { dialog } = electron
    new BrowserWindow({ webPreferences: { sandbox: true, contextIsolation: !0, nodeIntegration: false } })
    let whole = require('electron'); whole.default.ipcRenderer; whole.default.app.quit()
    electron.app.quit(); app.commandLine.appendSwitch('lang', 'en'); shell.beep(); dialog.showErrorBox('', '')`,
  'preload/index.cjs': `let e = require('electron/renderer'); let u = require('node:url')
    const map = { require: 1 }; map.require; typeof require
    e.contextBridge.exposeInMainWorld('x', { u })`,
  'renderer/index.html': page(),
  'renderer/assets/index.js': `import './chunk.js'; export * from '../other.js'; import('./later.js')`,
  'renderer/assets/index.css': `a { background: url(./a.svg) } b { background: url("data:image/png;base64,AA") }`,
}

let out: string

beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'check-bundles-'))
})
afterEach(() => rmSync(out, { recursive: true, force: true }))

/** What the check says of a build that is in order but for these files. */
function problemsOf(changed: Record<string, string>): string[] {
  for (const [name, text] of Object.entries({ ...good, ...changed })) {
    mkdirSync(dirname(join(out, name)), { recursive: true })
    writeFileSync(join(out, name), text)
  }
  return checkBundles(out, declarations)
}

test('a build that is in order has no problem', () => {
  expect(problemsOf({})).toEqual([])
})

test('a build that is not there has one for each part', () => {
  expect(checkBundles(out, declarations)).toEqual([
    'preload: no preload script has been built',
    'renderer: no page has been built',
    'renderer: no script has been built',
    'main: no main script has been built',
  ])
})

test('declarations that are laid out in another way are not passed over', () => {
  const other = join(out, 'electron.d.ts')
  writeFileSync(other, 'declare module "electron" {}')
  expect(() => checkBundles(out, other)).toThrow('no namespace Main in electron.d.ts')
})

test.each([
  [`require('node:fs')`, `requires 'node:fs', which a sandboxed preload cannot`],
  [`require('electron/main')`, `requires 'electron/main', which a sandboxed preload cannot`],
  [`require('./chunk.cjs')`, `requires './chunk.cjs', which a sandboxed preload cannot`],
  [`require(\`zod\`)`, `requires 'zod', which a sandboxed preload cannot`],
  [`require('f' + 's')`, 'requires something whose name is worked out at run time'],
  [`const r = require; r('fs')`, 'hands require on, so that its names cannot be checked'],
  [`const all = { require }`, 'hands require on, so that its names cannot be checked'],
  [`import fs from 'electron'`, 'Cannot use import statement outside a module'],
  [`export const a = 1`, 'Cannot use export statement outside a module'],
])('preload: %s', (text, problem) => {
  expect(problemsOf({ 'preload/index.cjs': text })).toEqual([`preload/index.cjs: ${problem}`])
})

test('a preload that loads later, and one that is an ES module', () => {
  expect(problemsOf({ 'preload/index.cjs': `import('electron')`, 'preload/two.mjs': '' })).toEqual([
    'preload/index.cjs: uses import(), which a sandboxed preload cannot',
    'preload/two.mjs: an .mjs preload is an ES module, which a sandboxed page cannot load',
  ])
})

test.each([
  [`import fs from 'fs'`, `takes 'fs', which no page has`],
  [`import { readFile } from 'node:fs/promises'`, `takes 'node:fs/promises', which no page has`],
  [`export * from 'electron'`, `takes 'electron', which no page has`],
  [`import('electron/renderer')`, `takes 'electron/renderer', which no page has`],
  [`require('path')`, `takes 'path', which no page has`],
  [`import React from 'react'`, `takes 'react', which a browser cannot find`],
  [`import '/assets/a.js'`, `takes '/assets/a.js', an absolute path that does not load from file:`],
  [`import {`, 'Expected `}` but found `EOF`'],
])('renderer: %s', (text, problem) => {
  expect(problemsOf({ 'renderer/assets/index.js': text })).toEqual([`renderer/assets/index.js: ${problem}`])
})

test.each([
  ['no Content-Security-Policy', page().replace(/<meta[^>]*>/, '')],
  ['a Content-Security-Policy without script-src and default-src', page('', "img-src 'self'")],
  [
    "a Content-Security-Policy that lets scripts come from 'unsafe-eval'",
    page('', "script-src 'self' 'unsafe-eval'"),
  ],
  ['a Content-Security-Policy that lets scripts come from https:', page('', "default-src 'self' https:")],
  ['an inline script, which its policy forbids', page('<script>start()</script>')],
  ['an inline handler (onclick), which its policy forbids', page('<button onclick="start()">x</button>')],
  ['takes /a.png, an absolute path that does not load from file:', page('<img src="/a.png">')],
  ['takes https://example.org/a.js from elsewhere', page("<script src='https://example.org/a.js'></script>")],
  ['takes //example.org/a.css from elsewhere', page('<link href=//example.org/a.css>')],
])('page: %s', (problem, text) => {
  expect(problemsOf({ 'renderer/index.html': text })).toEqual([`renderer/index.html: ${problem}`])
})

test.each([
  ['a { background: url(/a.svg) }', 'takes /a.svg, an absolute path that does not load from file:'],
  ['@import "https://example.org/a.css";', 'takes https://example.org/a.css from elsewhere'],
])('style: %s', (text, problem) => {
  expect(problemsOf({ 'renderer/assets/index.css': text })).toEqual([`renderer/assets/index.css: ${problem}`])
})

test.each([
  [`new W({ webPreferences: { nodeIntegration: true } })`, 'nodeIntegration: true'],
  [`new W({ webPreferences: { nodeIntegration: !0 } })`, 'nodeIntegration: true'],
  [`const p = { 'contextIsolation': false }`, 'contextIsolation: false'],
  [`const p = { ['sandbox']: !1 }`, 'sandbox: false'],
  [`const p = { webSecurity: false }`, 'webSecurity: false'],
  [`const p = { webviewTag: true }`, 'webviewTag: true'],
  [`app.commandLine.appendSwitch('--no-sandbox')`, 'the switch no-sandbox'],
  [`import { ipcRenderer } from 'electron/main'`, `Electron's main process has no 'ipcRenderer'`],
  [`import { BrowserWindows as B } from 'electron'`, `Electron's main process has no 'BrowserWindows'`],
  [`import * as e from 'electron'; e.remote.x()`, `Electron's main process has no 'remote'`],
  [`import e from 'electron'; const { ipcMian } = e`, `Electron's main process has no 'ipcMian'`],
  [`const { contextBridge } = require('electron')`, `Electron's main process has no 'contextBridge'`],
  [`let e = require('electron'); e.default.contextBridge`, `Electron's main process has no 'contextBridge'`],
  [`let e = require('electron'); e.ipcRenderer`, `Electron's main process has no 'ipcRenderer'`],
  [`let e = require('electron'); var { webFrame } = e.default`, `Electron's main process has no 'webFrame'`],
  [`const { webFrame } = await import('electron/main')`, `Electron's main process has no 'webFrame'`],
  [`import { ipcRenderer } from 'electron/renderer'`, `takes 'electron/renderer' in the main process`],
])('main: %s', (text, problem) => {
  expect(problemsOf({ 'main/index.js': text })).toEqual([`main/index.js: ${problem}`])
})
