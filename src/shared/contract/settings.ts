import { z } from 'zod'
import { defineCall, defineTopic, nothing } from './define'

/** A program that the person wants in the New terminal menu. */
export const ownProfile = z.object({
  id: z.string().min(1).max(100),
  title: z.string().min(1).max(100),
  command: z.string().min(1).max(4096),
  args: z.array(z.string().max(4096)).max(100),
})

/** All settings with their defaults; an unknown key is kept in the file and ignored. */
export const settings = z.object({
  theme: z.enum(['system', 'light', 'dark', 'high-contrast']).default('system'),
  editorFontSize: z.number().min(8).max(32).default(13),
  editorFontFamily: z.string().max(200).default(''),
  terminalFontSize: z.number().min(8).max(32).default(13),
  terminalShell: z.string().max(4096).default(''),
  terminalProfiles: z.array(ownProfile).max(50).default([]),
  terminalPosition: z.enum(['bottom', 'right']).default('bottom'),
  /** Permission mode with which Claude Code is started; '' leaves it to the CLI's own settings. */
  claudePermissionMode: z
    .enum(['manual', 'acceptEdits', 'plan', 'auto', 'bypassPermissions', ''])
    .default('manual'),
  reviewLayout: z.enum(['unified', 'side-by-side']).default('unified'),
  reviewWrap: z.boolean().default(false),
  reviewFoldUnchanged: z.boolean().default(true),
  reviewIgnoreWhitespace: z.boolean().default(false),
  reviewNextAfterDecision: z.boolean().default(false),
  /** What agents write without asking is shown as a review after the fact. */
  reviewUnasked: z.boolean().default(true),
  /** Files that no agent is told of, as patterns in the syntax of a .gitignore. */
  contextNeverShared: z
    .array(z.string().min(1).max(500))
    .max(200)
    .default(['.env*', '*.pem', '*.key', 'id_*', '.git/']),
  /** Whether files that git ignores are not shared either. */
  contextIgnoredByGit: z.boolean().default(false),
  /** What the file tree, go to file and search leave out, as patterns in the syntax of a .gitignore. */
  filesExclude: z
    .array(z.string().min(1).max(500))
    .max(200)
    .default(['.git', '.svn', '.hg', 'CVS', '.DS_Store', 'Thumbs.db']),
})
export type Settings = z.infer<typeof settings>

export const settingsCalls = {
  /** Changes some settings; the rest stay. */
  'settings.set': defineCall(settings.partial(), nothing),
}

export const settingsTopics = {
  settings: defineTopic(nothing, settings, settings.partial()),
}
