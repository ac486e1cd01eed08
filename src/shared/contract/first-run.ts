import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

/** A program that Greenlight works with, as it was found on this machine. */
const neededProgram = z.object({
  id: z.string(),
  /** An agent, of which one is enough; or a tool. */
  kind: z.enum(['agent', 'tool']),
  title: z.string(),
  /** What it is for, as a sentence. */
  sentence: z.string(),
  /** Where it is; null where it is missing. */
  path: path.nullable(),
  /** As it tells it; null where it is missing or does not tell. */
  version: z.string().nullable(),
  /** The command that gets it, for the person to run; never run by the app. */
  install: z.string(),
})
export type NeededProgram = z.infer<typeof neededProgram>

/** The tour as it stands. Its steps may be done in any order. */
const tourState = z.object({
  /** `asking`: the review waits. `written`: it was accepted and written. `ended`: it was rejected or withdrawn. */
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
  /** Looks which programs are installed; asks each for its version and for nothing else. */
  'machine.programs': defineCall(nothing, z.object({ programs: z.array(neededProgram) })),
  /** Starts the tour over: restores the sample file and makes a sample proposal for it. */
  'tour.start': defineCall(nothing, resultOf(nothing)),
  /** Leaves the tour; its review is rejected if it still asks. */
  'tour.leave': defineCall(nothing, nothing),
}

export const firstRunTopics = {
  /** The tour of this window; null while there is none. */
  tour: defineTopic(nothing, tour, tour),
}
