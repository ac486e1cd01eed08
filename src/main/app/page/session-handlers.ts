import type { Topics } from '../../../shared/contract/contract'
import type { SessionSummary } from '../../../shared/contract/sessions'
import { DisposableStack } from '../../../shared/lifetime'
import { fail, succeed } from '../../../shared/result'
import type { SourceLine, Usage } from '../../../shared/conversation/transcript'
import type { DrivenSessions } from '../../core/conversation/driven-sessions'
import type { FileSwapper } from '../../core/files/compare-and-swap'
import type { Ledger } from '../../core/files/ledger'
import type { SessionFile, SessionPage } from '../../core/history/session-file'
import type { SessionFollower } from '../../core/history/session-follower'
import type { FileLine } from '../../core/history/session-line'
import type { SessionEntry } from '../../core/history/session-entry'
import type { Terminals } from '../../core/terminal/terminals'
import { type History, type SessionWindow, pageLength } from '../wiring/history'
import type { PageHandlers } from './page-handlers'
import { restoreChange } from '../wiring/restore-change'

/** A piece of an export, in bytes. */
const pieceLength = 1024 * 1024
const lineEnd = Buffer.from('\n')
const tabPrefix = 'session '

/** The session that a tab of the window's own pages shows; null for another page. */
export function sessionOfTab(name: string): string | null {
  return name.startsWith(tabPrefix) ? name.slice(tabPrefix.length) : null
}

/** The name of the tab that shows a session, or a conversation that Greenlight runs. */
export function tabOfSession(id: string): string {
  return tabPrefix + id
}

/** Counts the readings of files, over all windows. */
let readings = 0

/** The list of sessions, one session read and followed, and what a person does with them. */
export function sessionHandlers({
  history,
  drivenSessions,
  window,
  files: { swapper, ledger },
}: {
  history: History
  drivenSessions: Pick<DrivenSessions, 'running' | 'onRunning'>
  window: SessionWindow
  files: { swapper: FileSwapper; ledger: Ledger }
}): PageHandlers<'sessions', 'sessions' | 'session' | 'subAgent' | 'sessionSearch'> {
  const { list } = history
  /** The file of each reading that goes on in this page. */
  const files = new Map<number, string>()
  return {
    calls: {
      'sessions.rename': ({ id, title }) => list.rename(id, title),
      'sessions.hide': ({ id, hidden }) => list.hide(id, hidden),
      'sessions.trash': ({ id }) =>
        drivenSessions.running(id) === undefined ? list.moveToTrash(id) : runsInConversation,
      'sessions.count': ({ ids }) => history.count(ids),
      'sessions.earlier': async ({ id, agent, reading, before, messages = pageLength }) => {
        const session = await openRecord(id, agent)
        if (!session) return gone
        const page = await session.readBefore(before, messages)
        if (!page.ok) return page
        if (files.get(reading) !== page.value.file) return stale
        return succeed(stretchOf(page.value, reading))
      },
      'sessions.later': async ({ id, reading, from }) => {
        const session = await history.open(id)
        if (!session) return gone
        const page = await session.readFrom(from)
        if (!page.ok) return page
        if (files.get(reading) !== page.value.file) return stale
        const before = from === 0 ? null : await session.readRaw(from - 1, 1)
        if (before && !(before.ok && before.value.equals(lineEnd))) return stale
        return succeed({ ...stretchOf(page.value, reading), to: page.value.to })
      },
      'sessions.read': async ({ id, agent, from }) => {
        const session = await openRecord(id, agent)
        if (!session) return gone
        const page = await session.readFrom(from, pieceLength)
        if (!page.ok) return page
        const { to, size } = page.value
        const raw = await session.readRaw(from, (to > from ? to : size) - from)
        if (!raw.ok) return raw
        const next = from + raw.value.length
        return succeed({ text: raw.value.toString('utf8'), next: next < size ? next : null, size })
      },
      'sessions.resume': async ({ id }) => {
        const resumed = await history.resume(id, window)
        if (!resumed.ok) return resumed
        const { window: its, terminal, isCopy } = resumed.value
        if (its !== window) its.requestFocus()
        return succeed({ terminal, isCopy })
      },
      'sessions.restore': async ({ id, call, offset }) => {
        const session = await history.open(id)
        return session ? restoreChange(session, { call, offset }, { swapper, ledger }) : gone
      },
    },
    topics: {
      sessions: (_params, sink) => {
        const listening = new DisposableStack()
        const terminalOf = terminalFinder(window.terminals)
        const put = async (entries: readonly SessionEntry[]) => {
          const running = new Map<SessionEntry, string | null>()
          // Only a few of hundreds run, and only these need a look.
          for (const entry of entries) if (entry.running) running.set(entry, await terminalOf(entry))
          return entries.map((entry) =>
            summaryOf(entry, running.get(entry) ?? null, drivenSessions.running(entry.id) !== undefined),
          )
        }
        sink.snapshot({ sessions: [], isListing: true })
        listening.add(
          list.onChange(({ changed, gone: left }) => {
            void put(changed).then((sessions) => sink.delta({ put: sessions, gone: left }))
          }),
        )
        listening.add(
          drivenSessions.onRunning((session) => {
            const entry = list.get(session)
            if (entry) void put([entry]).then((sessions) => sink.delta({ put: sessions }))
          }),
        )
        void put(list.entries).then((sessions) => sink.delta({ put: sessions, isListing: history.isListing }))
        void history.start().then(() => sink.delta({ isListing: false }))
        return listening
      },
      sessionSearch: ({ text }, sink) => {
        sink.snapshot({ phase: 'running', searched: 0, of: 0, found: [] })
        return history.search(text, (news) => sink.delta(news))
      },
      session: ({ id }, sink) => {
        const listening = new DisposableStack()
        const follow = async () => {
          const session = await history.open(id)
          const page =
            session && (await followFile(history.follow(session), listening, (delta) => sink.delta(delta)))
          sink.snapshot(page)
          const agents = page && (await history.agents(id))
          if (!agents) return
          listening.add(agents)
          const tell = () => {
            const known = agents.all.flatMap(({ id: agent, call }) => (call === null ? [] : { call, agent }))
            if (known.length > 0) sink.delta({ kind: 'agents', agents: known })
          }
          listening.add(agents.onChange(tell))
          await agents.start()
        }
        void follow()
        return listening
      },
      subAgent: ({ id, agent }, sink) => {
        const listening = new DisposableStack()
        const follow = async () => {
          const record = await history.openAgent(id, agent)
          const follower = record && history.follow(record)
          sink.snapshot(follower && (await followFile(follower, listening, (delta) => sink.delta(delta))))
        }
        void follow()
        return listening
      },
    },
  }

  /** A session's file, or the record of a sub-agent of it. */
  function openRecord(id: string, agent: string | undefined): Promise<SessionFile | null> {
    return agent === undefined ? history.open(id) : history.openAgent(id, agent)
  }

  /** Follows a file until `listening` is disposed of, and gives its last page; null if it cannot be read. */
  async function followFile(
    follower: SessionFollower,
    listening: DisposableStack,
    tell: (delta: FollowedDelta) => void,
  ): Promise<Stretch | null> {
    let reading = -1
    let isOver = false
    const begin = (page: SessionPage) => {
      files.delete(reading)
      reading = ++readings
      if (!isOver) files.set(reading, page.file)
      return stretchOf(page, reading)
    }
    listening.add({
      dispose: () => {
        isOver = true
        files.delete(reading)
      },
    })
    listening.add(follower)
    follower.onEvent((event) => {
      switch (event.kind) {
        case 'appended':
          return tell({ kind: 'appended', lines: event.lines.map(sourceLineOf) })
        case 'anew':
          return tell({ kind: 'anew', stretch: begin(event.page) })
        case 'gone':
          return tell({ kind: 'gone' })
      }
    })
    const page = await follower.start()
    return page.ok ? begin(page.value) : null
  }
}

type Stretch = NonNullable<Topics['subAgent']['snapshot']>
type FollowedDelta = Topics['subAgent']['delta']

const runsInConversation = fail(
  'running',
  'This session is in a conversation here. Close its tab, then delete it.',
)

/** Finds the terminal of the window that a session runs in; null for none. A process is looked up once. */
function terminalFinder(terminals: Terminals): (session: SessionEntry) => Promise<string | null> {
  const known = new Map<string, string | null>()
  return async ({ running }) => {
    if (!running) return null
    const key = `${running.pid} ${running.startedAt}`
    const before = known.get(key)
    if (before === null || (before !== undefined && terminals.get(before))) return before
    const terminal = await terminals.terminalOfPid(running.pid)
    known.set(key, terminal)
    return terminal
  }
}

function summaryOf(entry: SessionEntry, terminal: string | null, isDriven: boolean): SessionSummary {
  const { id, title, titleBy, firstPrompt, folder, branch, lastAt, size, hidden, figures, running } = entry
  return {
    id,
    title,
    titleBy,
    firstPrompt,
    folder,
    branch,
    lastAt,
    bytes: size,
    state: running || isDriven ? stateOf(entry) : 'none',
    terminal,
    isDriven,
    messages: figures?.messages ?? null,
    tokens: figures?.usage ? tokensOf(figures.usage) : null,
    costUSD: figures?.costUSD ?? entry.costUSD,
    forks: figures?.forks ?? null,
    isHidden: hidden,
  }
}

function tokensOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite
}

function stateOf({ running, activity }: SessionEntry): SessionSummary['state'] {
  if (activity === 'waiting') return 'asking'
  if (activity === 'working') return 'working'
  return running?.status === 'unknown' ? 'running' : 'idle'
}

function stretchOf({ lines, from }: SessionPage, reading: number): Stretch {
  return { reading, from, lines: lines.map(sourceLineOf) }
}

/** A line as the page gets it, without the bytes that it was read from. */
function sourceLineOf({ offset, bytes, record, flaw, head }: FileLine): SourceLine {
  return {
    offset,
    bytes,
    record,
    ...(flaw === undefined ? {} : { flaw }),
    ...(head === undefined ? {} : { head }),
  }
}

const gone = fail('gone', 'This session no longer exists. Check the list.')
const stale = fail('stale', 'This session’s file was replaced. Open the session again.')
