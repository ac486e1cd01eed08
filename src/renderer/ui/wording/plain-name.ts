import { escapeSigns } from '../../../shared/text/plain-text'

/**
 * A name on one line and in its own order: a control character that would break the line, or turn the reading
 * direction of what follows, is shown as an escape.
 */
export function plainName(name: string): string {
  return escapeSigns(name)
}
