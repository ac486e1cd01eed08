import { startProgram } from './child-process'
import { dirname, win32 } from 'node:path'

/** The program that shows a file in the system's file manager, and its arguments. */
export function showCommand(
  path: string,
  platform: NodeJS.Platform,
): { program: string; args: string[]; verbatim?: true } {
  switch (platform) {
    case 'darwin':
      return { program: '/usr/bin/open', args: ['-R', '--', path] }
    case 'win32':
      // The Explorer reads its own line; a quote cannot be in a path of Windows.
      return { program: 'explorer.exe', args: [`/select,"${win32.normalize(path)}"`], verbatim: true }
    default:
      // No desktop of Linux has one way to select a file in its folder.
      return { program: 'xdg-open', args: [dirname(path)] }
  }
}

/** Shows a file in the system's file manager. False where no program for it can be started. */
export function showInFileManager(path: string, platform: NodeJS.Platform = process.platform): boolean {
  const { program, args, verbatim = false } = showCommand(path, platform)
  const options = { stdio: 'ignore', detached: true, windowsVerbatimArguments: verbatim } as const
  const child = startProgram(program, args, options)
  child?.unref()
  return child !== null
}
