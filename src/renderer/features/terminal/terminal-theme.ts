import type { ITheme } from '@xterm/xterm'
import { resolveColor, theme } from '../../ui/theme/theme'

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

/**
 * The terminal's colours by the page's current tokens. xterm selects the current match and paints the selection above
 * the match's own colour, so while the find bar is open a selection without the focus gets the match's colour.
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

/** The minimum contrast for a program's own colours: 1 leaves them as they are. */
export function leastContrast(): number {
  return theme.getState().contrast === 'more' ? 7 : 1
}

/** The page's monospace font. */
export function terminalFont(): string {
  return getComputedStyle(document.documentElement).getPropertyValue('--font-mono').trim() || 'monospace'
}
