import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

const trustedFolders = z.object({ folders: z.array(path) })

export const trustCalls = {
  /**
   * Whether what belongs to a folder may run: its hooks, its MCP servers, programs that its files name. Only a folder of
   * this window can be trusted; trust can be taken from any. Fails if the answer can't be kept; it holds all the same.
   */
  'trust.answer': defineCall(z.object({ folder: path, mayRun: z.boolean() }), resultOf(nothing)),
}

export const trustTopics = {
  /** The folders that the person trusts, with all that lies in them; the latest last. */
  trustedFolders: defineTopic(nothing, trustedFolders, trustedFolders),
}
