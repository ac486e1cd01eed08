import { escapeSigns } from '../../../shared/text/plain-text'

/** What the file system can refuse, as far as a person can do something about it. */
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

/** A failed outcome with a sentence; signs in a name that would break it, or turn its direction, become escapes. */
export function fileFailure(code: FileFailureCode, message: string): { ok: false; failure: FileFailure } {
  return { ok: false, failure: { code, message: escapeSigns(message) } }
}

/** The code of a system error ("ENOENT"), or an empty string for anything else that was thrown. */
export function systemCode(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' ? code : ''
}

/** Puts a system error in words. `verb` is what was tried: "read", "write", "list". Anything else is thrown again. */
export function failureOf(error: unknown, verb: string, path: string): { ok: false; failure: FileFailure } {
  const code = systemCode(error)
  switch (code) {
    case '':
      throw error
    case 'ENOENT':
    case 'ENOTDIR':
      return fileFailure('absent', `Cannot ${verb} ${path}: it does not exist. Check the path.`)
    case 'EACCES':
    case 'EPERM':
      return fileFailure(
        'no-access',
        `Cannot ${verb} ${path}: no permission. Change its permissions and try again.`,
      )
    case 'EROFS':
      return fileFailure(
        'read-only',
        `Cannot ${verb} ${path}: the file system is read-only. Choose another place.`,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return fileFailure('disk-full', `Cannot ${verb} ${path}: the disk is full. Make room and try again.`)
    case 'ENOTREG':
      return fileFailure('not-a-file', `Cannot ${verb} ${path}: it is no regular file. Choose another one.`)
    case 'EAGAIN':
      return fileFailure(
        'not-a-file',
        `Cannot ${verb} ${path}: its content comes bit by bit and has no end. Choose another one.`,
      )
    case 'EISDIR':
      return fileFailure('not-a-file', `Cannot ${verb} ${path}: it is a folder. Choose a file.`)
    case 'ELOOP':
      return fileFailure(
        'failed',
        `Cannot ${verb} ${path}: its symbolic links lead in a circle. Repair the link.`,
      )
    case 'ENAMETOOLONG':
      return fileFailure('failed', `Cannot ${verb} ${path}: the name is too long. Choose a shorter one.`)
    default:
      return fileFailure('failed', `Cannot ${verb} ${path} (${code}). Try again.`)
  }
}
