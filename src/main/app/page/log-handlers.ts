import { join } from 'node:path'
import { disposable } from '../../../shared/lifetime'
import { fail, succeed } from '../../../shared/result'
import { writeFileAtomically } from '../../core/files/write-file'
import type { ProtocolLog } from '../../core/connections/protocol-log'
import type { Tabs } from '../../core/editing/tabs'
import { privateFileMode } from '../../core/platform/file-modes'
import { type PageHandlers, sendWhole } from './page-handlers'

/** Frames that pass within this many milliseconds go to the page together. */
const gathering = 100

interface Logs {
  protocolLog: ProtocolLog
  tabs: Tabs
  dataDir: string
}

/** What passed between agents and this window. */
export function logHandlers(logs: Logs): PageHandlers<'log', 'logSources' | 'log'> {
  const { protocolLog } = logs
  return {
    calls: {
      'log.frame': ({ connection, seq }) => ({ text: protocolLog.text(connection, seq) }),
      'log.search': ({ connection, text, from }) => ({ seqs: protocolLog.search(connection, text, from) }),
      'log.export': ({ connection }) => exportLog(logs, connection),
    },
    topics: {
      logSources: sendWhole(() => ({ sources: protocolLog.sources() }), protocolLog.onSources),
      log: ({ connection }, sink) => {
        let next = 1
        let timer: NodeJS.Timeout | undefined
        const take = () => {
          timer = undefined
          const found = protocolLog.rows(connection, next)
          next = (found.rows.at(-1)?.seq ?? next - 1) + 1
          return found
        }
        sink.snapshot(take())
        const listening = protocolLog.onFrames((id) => {
          if (id === connection) timer ??= setTimeout(() => sink.delta(take()), gathering)
        })
        return disposable(() => {
          clearTimeout(timer)
          listening.dispose()
        })
      },
    },
  }
}

/** Each export is a file of its own beside the app's own logs; it opens in the editor, where it can be read. */
async function exportLog({ protocolLog, tabs, dataDir }: Logs, connection: string) {
  const text = protocolLog.export(connection)
  const source = protocolLog.sources().find(({ id }) => id === connection)
  if (text === null || source === undefined) {
    return fail('gone', 'This connection’s log is no longer kept. Choose another one.')
  }
  const when = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const name = `${source.dialect}-${when}.jsonl`
  const path = join(dataDir, 'protocol-logs', name)
  const written = await writeFileAtomically(path, Buffer.from(text), {
    createParents: true,
    exclusive: true,
    mode: privateFileMode,
  })
  if (!written.ok) return written
  tabs.openFile(written.value.realPath, {})
  return succeed({ path: written.value.realPath })
}
