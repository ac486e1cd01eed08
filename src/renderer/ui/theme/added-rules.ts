/** Adds CSS rules to the page: those that are made from a list, of colours for example. Outside a page it does nothing. */
export function addRules(rules: readonly string[]): void {
  if (typeof document === 'undefined') return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(rules.join('\n'))
  document.adoptedStyleSheets.push(sheet)
}
