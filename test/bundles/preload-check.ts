import { loadedNames, parseScript, visit, type BuiltFile } from './syntax'

/** All that a sandboxed preload script can require. */
const allowed = new Set([
  'electron',
  'electron/renderer',
  'electron/common',
  ...['events', 'timers', 'url'].flatMap((name) => [name, `node:${name}`]),
])

/** A sandboxed preload is one CommonJS script, and its require knows a handful of names. */
export function checkPreload(file: BuiltFile): void {
  if (file.name.endsWith('.mjs'))
    file.complain('an .mjs preload is an ES module, which a sandboxed page cannot load')
  const script = parseScript(file, 'commonjs')
  if (!script) return
  for (const name of loadedNames(script)) {
    if (name === undefined) file.complain('requires something whose name is worked out at run time')
    else if (!allowed.has(name)) file.complain(`requires '${name}', which a sandboxed preload cannot`)
  }
  const harmless = new Set<number>()
  visit(script, {
    ImportExpression: () => file.complain('uses import(), which a sandboxed preload cannot'),
    CallExpression: ({ callee }) => void harmless.add(callee.start),
    UnaryExpression: ({ operator, argument }) => void (operator === 'typeof' && harmless.add(argument.start)),
    MemberExpression: ({ property, computed }) => void (!computed && harmless.add(property.start)),
    Property: ({ key, computed, shorthand }) => void (!computed && !shorthand && harmless.add(key.start)),
    Identifier: ({ name, start }) => {
      if (name !== 'require' || harmless.has(start)) return
      harmless.add(start)
      file.complain('hands require on, so that its names cannot be checked')
    },
  })
}
