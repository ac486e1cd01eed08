import type { Result } from '../../../shared/result'
import type { Environment } from '../platform/environment'

/** What a profile starts, with everything resolved. */
export interface Launch {
  title: string
  program: string
  args: readonly string[]
  /** The person's shell, with arguments that Greenlight has chosen. */
  isShell?: boolean
}

/** What terminals need from the rest of the app. */
export interface TerminalsSurroundings {
  /** Resolves a profile from the New terminal menu; a failure is a sentence for the person. */
  launch(profile: string): Promise<Result<Launch>>
  /** The environment for the person's programs. */
  environment(): Promise<Environment>
  /** Variables that other parts add when a terminal starts, which is given by its id; undefined removes one. */
  variables(terminal: string): Environment
  /** A folder of programs for the end of PATH; null if there is none. */
  programs(): string | null
  /** A folder of programs for the front of PATH; null if there is none. */
  front(): string | null
  /** Changes a launch right before its start, given the environment that it would have. */
  integrate(
    launch: Launch,
    env: Record<string, string>,
  ): { args: readonly string[]; env: Record<string, string> }
  /** The window's folders; a new terminal starts in the first. */
  folders(): readonly string[]
  /** Where a terminal starts if the window has no folder, or the folder is gone. */
  home: string
  version: string
  /** Called with errors that nobody waits for. */
  report(error: unknown): void
}
