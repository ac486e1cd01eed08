import type { ITheme } from '@xterm/xterm'
import { resolveColor, theme } from '../../ui/theme/theme'

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

/**
 * The terminal's colours as the page's tokens say at present. What is found is selected too, which is painted above its
 * mark: while something is looked for, a selection without the focus looks like the current match.
 */
export function terminalColors(isFinding: boolean): ITheme {
  const colors: Record<string, string> = {
    background: resolveColor('--surface'),
    foreground: resolveColor('--text'),
    cursor: resolveColor('--text'),
    cursorAccent: resolveColor('--surface'),
    selectionBackground: resolveColor('--code-selection'),
    selectionInactiveBackground: resolveColor(isFinding ? '--code-match-active' : '--code-selection-blurred'),
  }
  for (const name of names) {
    colors[name] = resolveColor(`--ansi-${name}`)
    colors[`bright${name.charAt(0).toUpperCase()}${name.slice(1)}`] = resolveColor(`--ansi-bright-${name}`)
  }
  return colors
}

/** The least contrast that a program's own colours are drawn with: as they are, or raised for those who need it. */
export function leastContrast(): number {
  return theme.getState().contrast === 'more' ? 7 : 1
}

/** The page's font of fixed width. */
export function terminalFont(): string {
  return getComputedStyle(document.documentElement).getPropertyValue('--font-mono').trim() || 'monospace'
}
