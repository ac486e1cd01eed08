import { createStore } from 'zustand/vanilla'

/** What is shown now: light or dark, and whether with more contrast. */
export interface Theme {
  scheme: 'light' | 'dark'
  contrast: 'normal' | 'more'
}

/** The person's choice, as in the settings. */
export type ThemeChoice = 'system' | 'light' | 'dark' | 'high-contrast'

/** The current theme. Views that draw colours themselves, such as terminals, follow it and use `resolveColor`. */
export const theme = createStore<Theme>()(() => ({ scheme: 'light', contrast: 'normal' }))

/** The theme of a choice on a system with these preferences. High contrast follows the system's light or dark. */
export function themeOf(choice: ThemeChoice, system: { dark: boolean; more: boolean }): Theme {
  const scheme = choice === 'light' || choice === 'dark' ? choice : system.dark ? 'dark' : 'light'
  const contrast = choice === 'high-contrast' || system.more ? 'more' : 'normal'
  return { scheme, contrast }
}

/** Applies a choice and follows the system's preferences until the result is called. */
export function applyTheme(choice: ThemeChoice): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const more = matchMedia('(prefers-contrast: more)')
  const apply = () => {
    const next = themeOf(choice, { dark: dark.matches, more: more.matches })
    document.documentElement.dataset['theme'] = next.scheme
    document.documentElement.dataset['contrast'] = next.contrast
    const now = theme.getState()
    if (now.scheme !== next.scheme || now.contrast !== next.contrast) theme.setState(next)
  }
  apply()
  for (const query of [dark, more]) query.addEventListener('change', apply)
  return () => {
    for (const query of [dark, more]) query.removeEventListener('change', apply)
  }
}

/** The current colour of a token as `rgb(…)`, for code that can't read CSS variables. */
export function resolveColor(token: `--${string}`): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  probe.hidden = true
  document.documentElement.append(probe)
  const color = getComputedStyle(probe).color
  probe.remove()
  return color
}
