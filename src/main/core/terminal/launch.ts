import type { Result } from '../../../shared/result'
import type { Environment } from '../platform/environment'

/** What a profile starts, all found: whoever knows the profiles resolves it. */
export interface Launch {
  title: string
  program: string
  args: readonly string[]
}

/** What terminals need of the rest of the app. */
export interface TerminalsSurroundings {
  /** Resolves a profile of the New terminal menu; a failure is a sentence for the person. */
  launch(profile: string): Promise<Result<Launch>>
  /** The environment of the person's programs. */
  environment(): Promise<Environment>
  /** Variables that other parts add to a terminal's environment at its start; undefined takes one away. */
  variables(): Environment
  /** A folder of programs for the end of PATH; null where there is none. */
  programs(): string | null
  /** The window's folders; a new terminal begins in the first. */
  folders(): readonly string[]
  /** Where a terminal begins when the window has no folder, or the folder is gone. */
  home: string
  version: string
  /** Hears of faults that nobody waits for. */
  report(error: unknown): void
}
