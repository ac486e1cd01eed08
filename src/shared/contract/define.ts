import { z } from 'zod'

/** A request of the page. Its parameters are validated; results are the host's own and aren't. */
export function defineCall<P extends z.ZodType, R extends z.ZodType>(params: P, result: R) {
  return { params, result }
}

/** Host state that the page mirrors: a snapshot, then deltas. */
export function defineTopic<P extends z.ZodType, S extends z.ZodType, D extends z.ZodType>(
  params: P,
  snapshot: S,
  delta: D,
) {
  return { params, snapshot, delta }
}

/** No parameters, or no result. */
export const nothing = z.object({})

/** A code for programs, and a sentence for the person with a next step. */
export const failure = z.object({ code: z.string(), message: z.string() })

/** The result of something that is expected to fail sometimes. */
export function resultOf<T extends z.ZodType>(value: T) {
  return z.union([z.object({ ok: z.literal(true), value }), z.object({ ok: z.literal(false), failure })])
}

/** An absolute path of at most 4,096 characters without NUL. */
export const path = z
  .string()
  .min(1)
  .max(4096)
  .refine((value) => !value.includes('\0'), 'a path has no NUL')

/**
 * A text for the page; if it is longer than 256 K characters, a handle to fetch it in pieces with `text.read`. `length`
 * counts UTF-16 units.
 */
export const textRef = z.union([
  z.object({ text: z.string() }),
  z.object({ handle: z.string(), length: z.number() }),
])
export type TextRef = z.infer<typeof textRef>

/** What a file's bytes say beside its text: see `TextFacts` in shared/text. */
export const textFacts = z.object({
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'latin-1']),
  bom: z.boolean(),
  eol: z.enum(['lf', 'crlf', 'cr', 'mixed']),
})

/** A change set as `ChangeSet.toJSON` gives it; its content is checked where it is applied. */
export const changeSet = z.array(z.unknown()).max(2_000_000)

/** A place in a text, 0-based, in UTF-16 units. */
export const position = z.object({ line: z.number().int().min(0), character: z.number().int().min(0) })
export const range = z.object({ start: position, end: position })
export type Range = z.infer<typeof range>

/** Pieces of a long text. */
export const textCalls = {
  'text.read': defineCall(
    z.object({ handle: z.string().max(100), from: z.number().int().min(0) }),
    z.object({ piece: z.string(), done: z.boolean() }),
  ),
}
