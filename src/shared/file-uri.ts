/** Whose rules a path follows. The page doesn't know: the host says which flavour its paths have. */
export type PathFlavour = 'posix' | 'windows'

/**
 * The file URI (RFC 8089) of an absolute path: `file:///a%20b`, `file:///C:/x`, `file://server/share/x`. Everything
 * but letters, digits and `-_.!~*'()` is percent-encoded as UTF-8, so `#`, `?` and `%` in a name survive.
 */
export function fileUri(path: string, flavour: PathFlavour): string {
  if (flavour === 'posix') return 'file://' + encodeSegments(path.split('/'))
  const slashed = path.replaceAll('\\', '/')
  if (slashed.startsWith('//')) {
    const [host = '', ...rest] = slashed.slice(2).split('/')
    return `file://${encodeSegment(host)}/${encodeSegments(rest)}`
  }
  const drive = /^[A-Za-z]:/.exec(slashed)?.[0] ?? ''
  return `file:///${drive}${encodeSegments(slashed.slice(drive.length).split('/'))}`
}

/** The path of a file URI; undefined if it has none: another scheme, bad encoding, NUL or an encoded `/`. */
export function pathOfFileUri(uri: string, flavour: PathFlavour): string | undefined {
  const match = /^file:\/\/([^/?#]*)(\/[^?#]*)?$/i.exec(uri)
  if (!match) return undefined
  const host = decodeSegment(match[1] ?? '')
  const segments = (match[2] ?? '/').split('/').map(decodeSegment)
  if (host === undefined || segments.includes(undefined)) return undefined
  const path = segments.join('/')
  const local = host === '' || host.toLowerCase() === 'localhost'
  if (flavour === 'posix') return local && !segments.some((part) => part?.includes('/')) ? path : undefined
  if (segments.some((part) => /[\\/]/.test(part ?? ''))) return undefined
  if (!local) return `\\\\${host}${path.replaceAll('/', '\\')}`
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1).replaceAll('/', '\\') : undefined
}

function encodeSegments(segments: readonly string[]): string {
  return segments.map(encodeSegment).join('/')
}

/** Half a surrogate pair can't be encoded and becomes U+FFFD; paths from a file system have none. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\ufffd'))
}

function decodeSegment(segment: string): string | undefined {
  try {
    const decoded = decodeURIComponent(segment)
    return decoded.includes('\0') ? undefined : decoded
  } catch {
    return undefined
  }
}
