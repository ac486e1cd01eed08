import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { fail, type Result, succeed } from '../../../shared/result'

const text = z
  .string()
  .max(100_000)
  .refine((value) => !value.includes('\0'))
const absolutePath = text.min(1).refine((value) => isAbsolute(value))

const processOptions = z.object({
  /** What the person calls it. */
  name: z.string().min(1).max(100),
  /** The program's file, started without a shell. */
  program: absolutePath,
  args: z.array(text).max(1000),
  folder: absolutePath,
  /** The whole environment; nothing is inherited. */
  env: z.record(z.string().regex(/^[^=\0]+$/), text),
  /** The longest line that is read, in bytes. */
  longestLine: z
    .number()
    .int()
    .min(1024)
    .default(32 * 1024 * 1024),
  /** How much may wait for the process to read it, in bytes. */
  mostUnread: z
    .number()
    .int()
    .min(1024)
    .default(64 * 1024 * 1024),
  /** How long it has to end, in milliseconds: half of it after its input is closed, half after a signal. */
  graceMs: z.number().int().min(0).default(5000),
})
export type ProcessOptions = z.infer<typeof processOptions>
/** The options before validation. */
export type WantedProcess = z.input<typeof processOptions>

/** Validates the options, which may come from settings, a registry or an agent. */
export function readProcessOptions(wanted: WantedProcess): Result<ProcessOptions> {
  const read = processOptions.safeParse(wanted)
  if (read.success) return succeed(read.data)
  const field = read.error.issues[0]?.path.join('.') ?? ''
  return fail('bad-options', `This agent cannot be started with its ${field} as it is. Look at its settings.`)
}
