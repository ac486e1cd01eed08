import type { ESTree } from 'vite'
import {
  fixedName,
  literalBoolean,
  literalText,
  parseScript,
  visit,
  type BuiltFile,
  type BuiltScript,
} from './syntax'

/** Window preferences that must never be written down with this value. */
const dangerous: Record<string, boolean> = {
  nodeIntegration: true,
  nodeIntegrationInWorker: true,
  nodeIntegrationInSubFrames: true,
  webviewTag: true,
  allowRunningInsecureContent: true,
  experimentalFeatures: true,
  contextIsolation: false,
  sandbox: false,
  webSecurity: false,
}

/** Switches of Chromium that take a wall away. */
const dangerousSwitches = new Set(['no-sandbox', 'disable-web-security', 'disable-site-isolation-trials'])

const mainModules = new Set(['electron', 'electron/main', 'electron/common'])

/**
 * The names that Electron's main process has, read from its type declarations.
 * @throws when the declarations are not laid out as they were
 */
export function readMainNames(declarations: string): Set<string> {
  const names = ['Main', 'Common'].flatMap((namespace) => {
    const body = new RegExp(`^  namespace ${namespace} \\{\\n(.*?)^  \\}`, 'ms').exec(declarations)?.[1]
    if (body === undefined) throw new Error(`no namespace ${namespace} in electron.d.ts`)
    return [...body.matchAll(/^    (?:const|class|function) (\w+)/gm)].map(([, name = '']) => name)
  })
  return new Set(names)
}

/** The main process takes only what Electron has there, and asks for no window without its walls. */
export function checkMain(file: BuiltFile, mainNames: ReadonlySet<string>): void {
  const script = parseScript(file, 'module')
  if (!script) return
  checkElectronNames(script, mainNames)
  visit(script, {
    Property: ({ key, value, computed }) => {
      const name = fixedName(key, computed)
      if (name === undefined || !Object.hasOwn(dangerous, name)) return
      if (literalBoolean(value) === dangerous[name]) file.complain(`${name}: ${String(dangerous[name])}`)
    },
    CallExpression: ({ callee, arguments: [first] }) => {
      if (
        callee.type !== 'MemberExpression' ||
        fixedName(callee.property, callee.computed) !== 'appendSwitch'
      )
        return
      const given = literalText(first)?.replace(/^--/, '')
      if (given !== undefined && dangerousSwitches.has(given)) file.complain(`the switch ${given}`)
    },
  })
}

function checkElectronNames(script: BuiltScript, mainNames: ReadonlySet<string>): void {
  /** Local names that stand for the whole module. */
  const whole = new Set<string>()
  const take = (name: string | undefined): void => {
    if (name !== undefined && !mainNames.has(name))
      script.complain(`Electron's main process has no '${name}'`)
  }
  const takeFrom = (pattern: ESTree.Node): void => {
    if (pattern.type === 'Identifier') whole.add(pattern.name)
    if (pattern.type !== 'ObjectPattern') return
    for (const property of pattern.properties) {
      if (property.type === 'Property') take(fixedName(property.key, property.computed))
    }
  }
  visit(script, {
    ImportDeclaration: ({ source, specifiers }) => {
      if (source.value === 'electron/renderer')
        script.complain("takes 'electron/renderer' in the main process")
      if (!mainModules.has(source.value)) return
      for (const specifier of specifiers) {
        if (specifier.type !== 'ImportSpecifier') whole.add(specifier.local.name)
        else if (fixedName(specifier.imported, false) === 'default') whole.add(specifier.local.name)
        else take(fixedName(specifier.imported, false))
      }
    },
    VariableDeclarator: ({ id, init }) => {
      if (init && isElectron(init, whole)) takeFrom(id)
    },
    MemberExpression: ({ object, property, computed }) => {
      const name = fixedName(property, computed)
      if (name === 'default' || !isElectron(object, whole)) return
      // electron-store, which takes all by `default`, has a way for pages, where it is never run.
      if (name !== 'ipcRenderer' || object.type !== 'MemberExpression') take(name)
    },
  })
}

/** The whole module: a local name of it, `require('electron')`, `await import('electron')`, or the `default` of these. */
function isElectron(node: ESTree.Node, whole: ReadonlySet<string>): boolean {
  if (node.type === 'Identifier') return whole.has(node.name)
  if (node.type === 'MemberExpression')
    return fixedName(node.property, node.computed) === 'default' && isElectron(node.object, whole)
  if (node.type === 'AwaitExpression') return isElectron(node.argument, whole)
  if (node.type === 'ParenthesizedExpression') return isElectron(node.expression, whole)
  if (node.type === 'ImportExpression') return mainModules.has(literalText(node.source) ?? '')
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return false
  return /^(__)?require$/.test(node.callee.name) && mainModules.has(literalText(node.arguments[0]) ?? '')
}
