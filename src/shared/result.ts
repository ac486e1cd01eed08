import { escapeSigns } from './text/plain-text'

/** The result of an operation that is expected to fail sometimes. A throw is a bug; a failure is a value. */
export type Result<T, F = Failure> = { ok: true; value: T } | { ok: false; failure: F }

/** A success without a value, or a failure. */
export type Done = Result<Record<string, never>>

/**
 * An expected failure. `message` is one sentence for the person that ends with what can be done next; it never
 * holds a stack, a token or a file's content.
 */
export interface Failure {
  code: string
  message: string
}

/** A success that carries `value`. */
export function succeed<T>(value: T): { ok: true; value: T } {
  return { ok: true, value }
}

/** The same result without its value. */
export function withoutValue(result: Result<unknown>): Done {
  return result.ok ? succeed({}) : result
}

/**
 * A failure with a code for programs and a sentence for the person. Names in it can't break the line or change the
 * writing direction.
 */
export function fail<C extends string>(
  code: C,
  message: string,
): { ok: false; failure: { code: C; message: string } } {
  return { ok: false, failure: { code, message: escapeSigns(message) } }
}

/** For the end of an exhaustive switch: a compile error when a case is missing, a throw when data lied. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`)
}
