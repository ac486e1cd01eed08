import { dirname, join } from 'node:path'
import { z } from 'zod'
import { objectOf, parseJson, stringOf } from '../../../shared/json'
import { contentOf } from '../../../shared/conversation/session-record'
import { listDirectory } from '../files/list-directory'
import { readText } from '../files/regular-file'
import { stampOf } from './file-stamp'
import { companionFolder, isSessionId, type SessionPlace } from './session-places'

/** What is recorded about a sub-agent besides its lines. */
const notes = z.object({
  toolUseId: z.string().nullish().catch(null),
  description: z.string().nullish().catch(null),
  agentType: z.string().nullish().catch(null),
})

/** The same, with null for what is not recorded. */
export interface SubAgentNotes {
  /** The call that started it. */
  call: string | null
  description: string | null
  /** What kind of agent it is, as the agent calls it. */
  kind: string | null
}

/**
 * Where the records of a session's sub-agents are: for 2.1 in SESSION/subagents; for earlier versions next to the
 * session's own file, where they are looked up by name, because they may belong to any session in the folder.
 */
export class SubAgentFiles {
  readonly #place: SessionPlace

  constructor(place: SessionPlace) {
    this.#place = place
  }

  /** The folder in the session's own; it may not exist. */
  get folder(): string {
    return join(companionFolder(this.#place), 'subagents')
  }

  /** The record of a sub-agent in that folder. */
  recordOf(id: string): string {
    return join(this.folder, recordName(id))
  }

  /** The ids of the sub-agents in that folder. */
  async ids(): Promise<string[]> {
    const listed = await listDirectory(this.folder)
    const names = listed.ok ? listed.value.entries.map((entry) => entry.name) : []
    return names.flatMap((name) => agentOfRecord(name) ?? [])
  }

  /** The file with a sub-agent's lines; null if there is none. The id is checked, so that it is never a path. */
  async pathOf(id: string): Promise<string | null> {
    if (!isSessionId(id)) return null
    for (const folder of [this.folder, dirname(this.#place.path)]) {
      const path = join(folder, recordName(id))
      if (await stampOf(path)) return path
    }
    return null
  }

  /** What is recorded about a sub-agent in that folder. */
  async notesOf(id: string): Promise<SubAgentNotes> {
    const text = await readText(join(this.folder, `agent-${id}.meta.json`)).catch(() => '{}')
    const read = notes.safeParse(parseJson(text))
    const { toolUseId = null, description = null, agentType = null } = read.success ? read.data : {}
    return { call: toolUseId, description, kind: agentType }
  }

  /** The call that started a sub-agent, if recorded. */
  async callOf(id: string): Promise<string | null> {
    return isSessionId(id) ? (await this.notesOf(id)).call : null
  }
}

/** The sub-agent whose record has this name; null for another file. */
export function agentOfRecord(name: string): string | null {
  return /^agent-([\w-]+)\.jsonl$/.exec(name)?.[1] ?? null
}

function recordName(id: string): string {
  return `agent-${id}.jsonl`
}

/** The sub-agents that a record of tool results says were started, with the calls that started them. */
export function startedAgents(record: unknown): [agent: string, call: string][] {
  const object = objectOf(record)
  const agent = object && stringOf(objectOf(object['toolUseResult'])?.['agentId'])
  if (!object || !agent) return []
  return contentOf(object).flatMap((value): [string, string][] => {
    const part = objectOf(value)
    const call = part?.['type'] === 'tool_result' ? stringOf(part['tool_use_id']) : null
    return call === null ? [] : [[agent, call]]
  })
}
