import type { PathRule } from '../../../shared/gate/path-rule'

/** The person's rules by path. */
export interface GateRules {
  /** The rule for a file, which may not be there yet: of several the strictest; null if there is none. */
  of(path: string): Promise<PathRule | null>
}
