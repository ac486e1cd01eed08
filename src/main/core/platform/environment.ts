import { joinSearchPaths } from './programs'

/** A process's variables; undefined means not set. */
export type Environment = Record<string, string | undefined>

/** What a terminal's environment is made of. */
export interface TerminalEnvironmentQuestion {
  /** The app's own environment. */
  base: Environment
  /** The app's version, for TERM_PROGRAM_VERSION. */
  version: string
  platform: NodeJS.Platform
  /** Variables from other parts of the app; undefined removes one that an outer program may have left. */
  additions: Environment
  /** A folder of programs for the end of PATH, so that what a person has installed comes first; null for none. */
  programs: string | null
  /** A folder of programs for the front of PATH, found before what a person has installed; null for none. */
  front: string | null
}

/**
 * The environment for programs in the app's terminals: the person's own without what the app, npm, Electron or an outer
 * terminal added; with a terminal's description; with loopback excluded from proxies; and with the additions last.
 */
export function terminalEnvironment(question: TerminalEnvironmentQuestion): Record<string, string> {
  const env: Environment = withoutAppImage(withoutNpm(question.base))
  for (const name of Object.keys(env)) {
    if (isInternal(name)) delete env[name]
  }
  env.TERM = 'xterm-256color'
  env.COLORTERM = 'truecolor'
  env.TERM_PROGRAM = 'Greenlight'
  env.TERM_PROGRAM_VERSION = question.version
  // Without a locale, programs assume that the terminal is ASCII; a person who set one keeps it.
  if (question.platform !== 'win32' && !env.LC_ALL && !env.LC_CTYPE && !env.LANG) env.LANG = 'C.UTF-8'
  const direct = withLoopback(env.NO_PROXY ?? env.no_proxy)
  env.NO_PROXY = direct
  env.no_proxy = direct
  const name = env.PATH === undefined && env.Path !== undefined ? 'Path' : 'PATH'
  const paths = [question.front, env[name], question.programs].filter((path) => path != null)
  if (paths.length > 0) env[name] = paths.reduce((all, path) => joinSearchPaths(all, path, question.platform))
  Object.assign(env, question.additions)
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value?.includes('\0') === false ? [[name, value]] : [])),
  )
}

/** A NO_PROXY value that includes 127.0.0.1 and localhost; the rest and its order stay. */
export function withLoopback(value: string | undefined): string {
  const entries = (value ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  if (entries.includes('*')) return '*'
  for (const host of ['127.0.0.1', 'localhost']) {
    if (!entries.includes(host)) entries.push(host)
  }
  return entries.join(',')
}

/** Set by the app, by Electron, or by a terminal or multiplexer that the app was started in. */
const internalPrefixes = ['ELECTRON_', 'GREENLIGHT_', 'VSCODE_', 'ITERM_', 'KITTY_', 'WEZTERM_', 'ALACRITTY_']
const internalNames = new Set([
  'CHROME_DESKTOP',
  'TERMCAP',
  'COLUMNS',
  'LINES',
  'WINDOWID',
  'WINDOW',
  'STY',
  'TMUX',
  'TMUX_PANE',
  'VTE_VERSION',
  'TERM_SESSION_ID',
  'KONSOLE_VERSION',
  'WT_SESSION',
  'WT_PROFILE_ID',
])

function isInternal(name: string): boolean {
  return internalNames.has(name) || internalPrefixes.some((prefix) => name.startsWith(prefix))
}

/** What an AppImage sets for its program. ARGV0 alone changes what zsh calls every program. */
const appImageNames = new Set(['APPIMAGE', 'APPDIR', 'ARGV0', 'OWD', 'APPIMAGE_SILENT_INSTALL'])

/**
 * The environment as it was before an AppImage started its program: without its variables, and without its folder in
 * lists of folders, where other programs would find libraries and schemas not meant for them.
 */
function withoutAppImage(base: Environment): Environment {
  const { APPDIR: folder } = base
  if (base.APPIMAGE === undefined || folder === undefined || folder === '') return base
  const isOfIt = (entry: string) => entry === folder || entry.startsWith(`${folder}/`)
  const env: Environment = {}
  for (const [name, value] of Object.entries(base)) {
    if (appImageNames.has(name)) continue
    if (value === undefined || !value.split(':').some(isOfIt)) {
      env[name] = value
      continue
    }
    const others = value.split(':').filter((entry) => !isOfIt(entry))
    if (others.some((entry) => entry !== '')) env[name] = others.join(':')
  }
  return env
}

/** What npm sets for every script it runs, apart from settings that a person may have set themselves. */
const npmNames = new Set([
  'INIT_CWD',
  'NODE',
  'COLOR',
  'npm_execpath',
  'npm_node_execpath',
  'npm_command',
  'npm_config_cache',
  'npm_config_global_prefix',
  'npm_config_globalconfig',
  'npm_config_init_module',
  'npm_config_local_prefix',
  'npm_config_node_gyp',
  'npm_config_noproxy',
  'npm_config_npm_version',
  'npm_config_prefix',
  'npm_config_user_agent',
  'npm_config_userconfig',
])

/**
 * The environment as it was before npm ran a script: `npm start` must leave neither its folders in PATH nor its prefix
 * in the variables, or version managers in the person's shell complain.
 */
function withoutNpm(base: Environment): Environment {
  if (base.npm_lifecycle_event === undefined) return { ...base }
  const isOfNpm = (name: string) => npmNames.has(name) || /^npm_(lifecycle|package)_/.test(name)
  const env: Environment = Object.fromEntries(Object.entries(base).filter(([name]) => !isOfNpm(name)))
  for (const name of ['PATH', 'Path']) {
    const path = env[name]
    if (path === undefined) continue
    const delimiter = path.includes(';') ? ';' : ':'
    const folders = path.split(delimiter)
    const first = folders.findIndex((folder) => !/[\\/](?:node_modules[\\/]\.bin|node-gyp-bin)$/.test(folder))
    env[name] = folders.slice(Math.max(first, 0)).join(delimiter)
  }
  return env
}
