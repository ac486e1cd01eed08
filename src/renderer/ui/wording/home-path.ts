import { isWithin } from '../../../shared/text/path-name'

/** A path with the home directory as ~. */
export function shorten(path: string, home: string): string {
  return home !== '' && isWithin(home, path) ? `~${path.slice(home.length)}` : path
}
