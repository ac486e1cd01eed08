import { delimiter } from 'node:path'

/** The variable by which Claude Code finds plugins: folders, as in PATH (measured with 2.1.330; it isn't documented). */
export const pluginVariable = 'CLAUDE_CODE_PLUGIN_DIRS'

/** The variable's value with `plugin` of ours, if any, before the person's; without those of other Greenlights. */
export function pluginFolders(plugin: string | null, given: string | undefined): string | undefined {
  const theirs = (given ?? '').split(delimiter).filter((folder) => folder !== '' && !isOurs(folder))
  return [...(plugin === null ? [] : [plugin]), ...theirs].join(delimiter) || undefined
}

/** By where every Greenlight puts them (`pluginFolder`), below a folder of this name. */
export const pluginsName = 'claude-hooks'

function isOurs(folder: string): boolean {
  return /[\\/]claude-hooks[\\/]\d{1,5}[\\/]plugin$/.test(folder)
}
