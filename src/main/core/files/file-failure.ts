import { escapeSigns } from '../../../shared/text/plain-text'

/** What the file system can refuse and a person can do something about. */
export type FileFailureCode =
  | 'absent'
  | 'no-access'
  | 'read-only'
  | 'not-a-file'
  | 'too-large'
  | 'disk-full'
  | 'taken'
  | 'bad-name'
  | 'failed'

/** An expected failure with files; `message` names the path and says what can be done. */
export interface FileFailure {
  code: FileFailureCode
  message: string
}

/** A failed result with a sentence. Characters of a name that would break it, or change its direction, are escaped. */
export function fileFailure(code: FileFailureCode, message: string): { ok: false; failure: FileFailure } {
  return { ok: false, failure: { code, message: escapeSigns(message) } }
}

/** The code of a system error ("ENOENT"); empty for anything else that was thrown. */
export function systemCode(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' ? code : ''
}

/** A system error as a sentence. `verb` is what was tried: "read", "write", "list". Throws anything else again. */
export function failureOf(error: unknown, verb: string, path: string): { ok: false; failure: FileFailure } {
  const code = systemCode(error)
  switch (code) {
    case '':
      throw error
    case 'ENOENT':
    case 'ENOTDIR':
      return fileFailure('absent', `Can’t ${verb} ${path}: it doesn’t exist. Check the path.`)
    case 'EACCES':
    case 'EPERM':
      return fileFailure(
        'no-access',
        `Can’t ${verb} ${path}: permission denied. Change its permissions and try again.`,
      )
    case 'EROFS':
      return fileFailure(
        'read-only',
        `Can’t ${verb} ${path}: the file system is read-only. Choose another place.`,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return fileFailure(
        'disk-full',
        `Can’t ${verb} ${path}: the disk is full. Free some space and try again.`,
      )
    case 'ENOTREG':
      return fileFailure('not-a-file', `Can’t ${verb} ${path}: it isn’t a regular file. Choose another one.`)
    case 'EAGAIN':
      return fileFailure('not-a-file', `Can’t ${verb} ${path}: it’s an endless stream. Choose another file.`)
    case 'EISDIR':
      return fileFailure('not-a-file', `Can’t ${verb} ${path}: it’s a folder. Choose a file.`)
    case 'ELOOP':
      return fileFailure('failed', `Can’t ${verb} ${path}: its symbolic links form a loop. Fix the link.`)
    case 'ENAMETOOLONG':
      return fileFailure('failed', `Can’t ${verb} ${path}: the name is too long. Choose a shorter one.`)
    default:
      return fileFailure('failed', `Can’t ${verb} ${path} (${code}). Try again.`)
  }
}
