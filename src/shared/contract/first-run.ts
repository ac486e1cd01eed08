import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

/** A program that Greenlight works with, and whether it is installed. */
const neededProgram = z.object({
  id: z.string(),
  /** One agent is enough. */
  kind: z.enum(['agent', 'tool']),
  title: z.string(),
  /** A sentence that says what it is for. */
  sentence: z.string(),
  /** Null if it is missing. */
  path: path.nullable(),
  /** As it reports; null if it is missing or doesn't. */
  version: z.string().nullable(),
  /** The command that installs it, for the person to run; never run by the app. */
  install: z.string(),
})
export type NeededProgram = z.infer<typeof neededProgram>

/** The tour's progress. Its steps may be done in any order. */
const tourState = z.object({
  /** `asking`: the review is open. `written`: accepted and written. `ended`: rejected or withdrawn. */
  phase: z.enum(['asking', 'written', 'ended']),
  path,
  name: z.string(),
  review: z.string().nullable(),
  accepted: z.boolean(),
  rejected: z.boolean(),
  edited: z.boolean(),
})
export type TourState = z.infer<typeof tourState>

const tour = z.object({ tour: tourState.nullable() })

export const firstRunCalls = {
  /** Finds which programs are installed; runs each only for its version. */
  'machine.programs': defineCall(nothing, z.object({ programs: z.array(neededProgram) })),
  /** Starts the tour over, with the sample file as it was and a new sample proposal. */
  'tour.start': defineCall(nothing, resultOf(nothing)),
  /** Leaves the tour; its review is rejected if it still asks. */
  'tour.leave': defineCall(nothing, nothing),
}

export const firstRunTopics = {
  /** The tour of this window; null while there is none. */
  tour: defineTopic(nothing, tour, tour),
}
