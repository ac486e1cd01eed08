import type { Settings } from '../../shared/contract/settings'
import { client } from './client'
import { mergeDelta, mirrorTopic, readMirror, useMirror } from './mirror'

/** All settings with their defaults, as the host has them. */
export const settingsMirror = mirrorTopic(client, 'settings', {}, mergeDelta<Settings>)

/** What holds until the host has told its settings; the same defaults as in the contract, which has zod in it. */
const first: Settings = {
  theme: 'system',
  editorFontSize: 13,
  editorFontFamily: '',
  terminalFontSize: 13,
  terminalShell: '',
  terminalProfiles: [],
  terminalPosition: 'bottom',
  claudePermissionMode: 'manual',
  reviewLayout: 'unified',
  reviewWrap: false,
  reviewFoldUnchanged: true,
  reviewIgnoreWhitespace: false,
  reviewNextAfterDecision: false,
  reviewUnasked: true,
  contextNeverShared: ['.env*', '*.pem', '*.key', 'id_*', '.git/'],
  contextIgnoredByGit: false,
  filesExclude: ['.git', '.svn', '.hg', 'CVS', '.DS_Store', 'Thumbs.db'],
}

/** One setting, followed. */
export function useSetting<K extends keyof Settings>(key: K): Settings[K] {
  return useMirror(settingsMirror, (state) => (state ?? first)[key])
}

/** One setting as it is now. */
export function readSetting<K extends keyof Settings>(key: K): Settings[K] {
  return (readMirror(settingsMirror) ?? first)[key]
}
