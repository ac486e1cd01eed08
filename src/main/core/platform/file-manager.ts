import { startProgram } from './child-process'
import { dirname, win32 } from 'node:path'

/** The command that shows a file in the system's file manager. */
export function showCommand(
  path: string,
  platform: NodeJS.Platform,
): { program: string; args: string[]; verbatim?: true } {
  switch (platform) {
    case 'darwin':
      return { program: '/usr/bin/open', args: ['-R', '--', path] }
    case 'win32':
      // Explorer parses its own command line; a path on Windows can't contain a quote.
      return { program: 'explorer.exe', args: [`/select,"${win32.normalize(path)}"`], verbatim: true }
    default:
      // Linux desktops share no way to select a file in its folder.
      return { program: 'xdg-open', args: [dirname(path)] }
  }
}

/** Shows a file in the system's file manager. False if no program for it can be started. */
export function showInFileManager(path: string, platform: NodeJS.Platform = process.platform): boolean {
  const { program, args, verbatim = false } = showCommand(path, platform)
  const options = { stdio: 'ignore', detached: true, windowsVerbatimArguments: verbatim } as const
  const child = startProgram(program, args, options)
  child?.unref()
  return child !== null
}
