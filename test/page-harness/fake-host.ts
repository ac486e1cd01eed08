import { ChangeSet, type Text } from '@codemirror/state'
import type { Approval } from '../../src/shared/approval/approval'
import { type Calls, type Topics, contract } from '../../src/shared/contract/contract'
import type { DocumentMeta, DocumentState } from '../../src/shared/contract/documents'
import type { FileEntry } from '../../src/shared/contract/files'
import type { Notice } from '../../src/shared/contract/notices'
import type { DecidedReview, ReviewSummary } from '../../src/shared/contract/review'
import type { WriteEntry } from '../../src/shared/contract/write-record'
import { type Settings, defaultSettings } from '../../src/shared/settings/all-settings'
import type { Tab } from '../../src/shared/contract/tabs'
import { type Draft, startDraft } from '../../src/shared/review/draft'
import { disposable } from '../../src/shared/lifetime'
import { fail, succeed } from '../../src/shared/result'
import {
  type CallHandlers,
  type Channel,
  type Sink,
  type TopicHandlers,
  serveRpc,
} from '../../src/shared/rpc/rpc'
import { toText } from '../../src/shared/text/text-facts'
import { sampleContext } from './context-samples'
import { sampleFiles, sampleProposal } from './samples'

export const root = '/home/ada/projects/green-house'

type SinkOf<N extends keyof Topics> = Sink<Topics[N]['snapshot'], Topics[N]['delta']>

interface FakeDocument {
  text: Text
  version: number
  meta: DocumentMeta
  saved: string
}

/** A host that holds all in memory and does what the contract says, as far as looking at the page needs it. */
export class FakeHost {
  isTaken = false
  /** Every call as it came, for tests. */
  readonly calls: { name: string; params: unknown }[] = []
  readonly settings: Settings = {
    ...defaultSettings,
    theme: (new URLSearchParams(location.search).get('theme') ?? 'system') as Settings['theme'],
  }
  /** A change of settings is made once this resolves. */
  holdsSettings: Promise<void> = Promise.resolve()
  window: Topics['window']['snapshot']
  tabs: Tab[] = []
  active: string | null = null
  notices: Notice[] = []
  reviews: ReviewSummary[] = []
  decided: DecidedReview[] = []
  writes: WriteEntry[] = []
  approvals: Approval[] = []
  changes: Topics['changes']['snapshot'] = { groups: [] }
  /** The answer to an approval is told after it; the approval itself is gone at once. */
  answerTold: Promise<void> = Promise.resolve()
  /** A tab that is chosen comes to the front only then. */
  activateTold: Promise<void> = Promise.resolve()
  /** The trash refuses everything, but only then. */
  trashTold: Promise<void> = Promise.resolve()
  /** A terminal is made, or can't be, only then. */
  createTold: Promise<void> = Promise.resolve()
  connections: Topics['connections']['snapshot']
  context: Topics['context']['snapshot']
  checks: Calls['connections.check']['result']['servers'] = []
  readonly mended: string[] = []
  logSources: Topics['logSources']['snapshot']['sources'] = []
  readonly logs = new Map<string, Topics['log']['snapshot']>()
  terminals: Topics['terminals']['snapshot']
  readonly files = new Map<string, string>(sampleFiles(root))
  readonly documents = new Map<string, FakeDocument>()
  readonly drafts = new Map<string, Draft>()
  readonly #sinks = new Map<string, Set<Sink<unknown, unknown>>>()
  #nextTab = 1

  constructor(scene: string) {
    const hasFolder = scene !== 'empty'
    this.window = {
      version: '0.1.0',
      host: 'browser',
      platform: 'linux',
      homeDirectory: '/home/ada',
      folders: hasFolder ? [{ path: root, name: 'green-house' }] : [],
      untrusted: [],
      recentFolders: [
        '/home/ada/projects/green-house',
        '/home/ada/projects/weather',
        '/srv/www/very-old-site',
      ],
      branch: hasFolder ? 'main' : null,
      layout: null,
    }
    this.context = sampleContext(root, scene)
    this.connections = {
      connections: [],
      servers: [
        {
          dialect: 'claude-ide',
          about: {
            agent: 'Claude',
            name: 'Claude Code',
            toggle: 'Let Claude Code connect',
            protocol: 'IDE protocol',
            address: 'ws://127.0.0.1:PORT',
            file: 'Lock file',
            whenOff: 'Off for this folder. Its port is closed and its files are removed.',
            command: null,
            noteWhenKnown: null,
          },
          on: true,
          port: 41235,
          files: ['/home/ada/.claude/ide/41235.lock'],
          problem: null,
        },
      ],
    }
    this.terminals = {
      terminals: [],
      profiles: [
        { id: 'shell', title: 'Shell', kind: 'shell', program: '/bin/bash', version: null, install: null },
        {
          id: 'claude',
          title: 'Claude Code',
          kind: 'agent',
          program: '/usr/bin/claude',
          version: '2.1.330',
          install: null,
        },
        {
          id: 'gemini',
          title: 'Gemini CLI',
          kind: 'agent',
          program: null,
          version: null,
          install: { sentence: 'Gemini CLI isn’t installed.', command: 'npm install -g @google/gemini-cli' },
        },
      ],
    }
    if (scene === 'work') this.#makeWork()
  }

  #makeWork(): void {
    this.connections.connections = [
      {
        id: 'c1',
        dialect: 'claude-ide',
        protocol: 'IDE protocol',
        agent: 'Claude',
        version: '2.1.330',
        pid: 4711,
        since: Date.now() - 12 * 60_000,
        terminal: 't1',
        unasked: null,
        note: null,
      },
    ]
    this.terminals.terminals = [
      {
        id: 't1',
        profile: 'claude',
        title: 'Claude Code',
        programTitle: '',
        pid: 4711,
        cwd: root,
        state: { kind: 'running' },
        splitOf: null,
        bell: false,
        note: '',
      },
    ]
    this.openFile(`${root}/src/climate/thermostat.ts`, false)
    this.openFile(`${root}/README.md`, true)
    this.activate('tab-1')
    this.propose('r1', `${root}/src/climate/thermostat.ts`, 'Claude', 2)
    this.propose('r2', `${root}/src/app.ts`, 'Claude', 0.2)
  }

  propose(id: string, path: string, agent: string, minutesAgo: number): void {
    const base = toText(this.files.get(path) ?? '')
    const proposed = toText(sampleProposal(this.files.get(path) ?? ''))
    const draft = startDraft(base, proposed)
    this.drafts.set(id, draft)
    const cut = path.lastIndexOf('/')
    const added = draft.hunks.reduce(
      (sum, hunk) => sum + draft.b.sliceString(hunk.fromB, hunk.toB).split('\n').length,
      0,
    )
    const review: ReviewSummary = {
      id,
      path,
      name: path.slice(cut + 1),
      folder: path.slice(root.length + 1, cut),
      agent,
      dialect: 'claude-ide',
      connection: 'c1',
      title: '',
      phase: 'open',
      effect: 'agent',
      content: 'text',
      isNew: false,
      isOutside: !path.startsWith(root),
      isReadOnly: false,
      isStale: false,
      addedLines: added,
      removedLines: Math.max(0, added - 3),
      changes: draft.hunks.length,
      decided: 0,
      written: draft.hunks.length,
      askedAt: Date.now() - minutesAgo * 60_000,
      problem: null,
      revision: 1,
    }
    this.reviews = [...this.reviews.filter((other) => other.id !== id), review]
    this.emit('reviews', { kind: 'put', review })
  }

  /** Nobody asks for a review any more. */
  withdraw(id: string): void {
    this.reviews = this.reviews.filter((review) => review.id !== id)
    this.emit('reviews', { kind: 'remove', id })
    this.tabs = this.tabs.filter((tab) => tab.kind !== 'review' || tab.review !== id)
    if (!this.tabs.some((tab) => tab.id === this.active)) this.active = this.tabs[0]?.id ?? null
    this.sendTabs()
  }

  notify(notice: Omit<Notice, 'id'>): void {
    const whole = { ...notice, id: `n${this.notices.length + 1}` }
    this.notices.push(whole)
    this.emit('notices', { kind: 'add', notice: whole })
  }

  openFile(path: string, preview: boolean): void {
    const known = this.tabs.find((tab) => tab.kind === 'file' && tab.path === path)
    if (known?.kind === 'file') {
      if (!preview) known.preview = false
      this.active = known.id
    } else {
      const name = path.slice(path.lastIndexOf('/') + 1)
      const facts = { preview, dirty: false, waited: false, outside: false }
      const tab: Tab = { ...loose(this.#nextTab++), kind: 'file', path, name, ...facts }
      const old = this.tabs.findIndex((other) => other.kind === 'file' && other.preview)
      if (preview && old >= 0) this.tabs.splice(old, 1, tab)
      else this.tabs.push(tab)
      this.active = tab.id
    }
    this.sendTabs()
  }

  openReview(review: string): void {
    const known = this.tabs.find((tab) => tab.kind === 'review' && tab.review === review)
    const summary = this.reviews.find((other) => other.id === review)
    if (!known && summary) {
      this.tabs.push({
        ...loose(this.#nextTab++),
        kind: 'review',
        review,
        path: summary.path,
        name: summary.name,
      })
    }
    this.active = known?.id ?? this.tabs.at(-1)?.id ?? null
    this.sendTabs()
  }

  activate(id: string): void {
    this.active = id
    this.sendTabs()
  }

  tabsState(): Topics['tabs']['snapshot'] {
    return { tabs: this.tabs, active: this.active, shown: { left: this.active, right: null } }
  }

  sendTabs(): void {
    this.emit('tabs', { kind: 'state', state: this.tabsState() })
  }

  /** A document as the host has it; opened when first asked for. */
  document(path: string): FakeDocument {
    const known = this.documents.get(path)
    if (known) return known
    const saved = this.files.get(path) ?? ''
    const made: FakeDocument = {
      text: toText(saved),
      version: 0,
      saved,
      meta: {
        path,
        encoding: 'utf-8',
        bom: false,
        eol: saved.includes('\r\n') ? 'mixed' : 'lf',
        dirty: false,
        readOnly: false,
        disk: 'same',
        guessed: false,
        indent: null,
      },
    }
    this.documents.set(path, made)
    return made
  }

  setMeta(path: string, meta: Partial<DocumentMeta>): void {
    const document = this.document(path)
    document.meta = { ...document.meta, ...meta }
    this.emit('document', { kind: 'meta', meta }, path)
    for (const tab of this.tabs) {
      if (tab.kind === 'file' && tab.path === path && meta.dirty !== undefined) {
        tab.dirty = meta.dirty
        this.sendTabs()
      }
    }
  }

  /** Someone else writes into a document. */
  insert(path: string, at: number, text: string): void {
    const document = this.document(path)
    const changes = ChangeSet.of({ from: at, insert: text }, document.text.length)
    this.#apply(path, [{ clientID: 'other', changes: changes.toJSON() as unknown[] }])
  }

  #apply(path: string, updates: { clientID: string; changes: unknown[] }[]): void {
    const document = this.document(path)
    const from = document.version
    for (const { changes } of updates) {
      document.text = ChangeSet.fromJSON(changes).apply(document.text)
      document.version++
    }
    this.emit('document', { kind: 'updates', version: from, updates }, path)
    // Comparing a huge text would take the time that the page is measured by.
    const dirty = document.text.length > 1_000_000 || document.text.toString() !== document.saved
    if (dirty !== document.meta.dirty) this.setMeta(path, { dirty })
  }

  /** Tells every subscriber of a topic; `key` is what distinguishes one document or folder from another. */
  emit<N extends keyof Topics & string>(topic: N, delta: Topics[N]['delta'], key = ''): void {
    for (const sink of this.#sinks.get(`${topic} ${key}`) ?? []) sink.delta(delta)
  }

  serve(channel: Channel): void {
    serveRpc<Calls, Topics>(channel, {
      calls: this.#handlers(),
      topics: this.#topics(),
      schemas: contract,
      report: (name, error) => console.error(name, error),
    })
  }

  #subscribe(topic: string, key: string, sink: Sink<never, never>) {
    const name = `${topic} ${key}`
    const sinks = this.#sinks.get(name) ?? new Set()
    sinks.add(sink as Sink<unknown, unknown>)
    this.#sinks.set(name, sinks)
    return disposable(() => sinks.delete(sink as Sink<unknown, unknown>))
  }

  #topics(): TopicHandlers<Topics> {
    const simple =
      <N extends keyof Topics & string>(topic: N, read: () => Topics[N]['snapshot']) =>
      (_params: unknown, sink: SinkOf<N>) => {
        sink.snapshot(read())
        return this.#subscribe(topic, '', sink as never)
      }
    return {
      window: simple('window', () => this.window),
      trustedFolders: simple('trustedFolders', () => ({ folders: [root] })),
      tabs: simple('tabs', () => this.tabsState()),
      attention: simple('attention', () => ({ waiting: 0 })),
      reviews: simple('reviews', () => ({ reviews: this.reviews, decided: this.decided })),
      record: simple('record', () => ({ count: 0 })),
      letThrough: simple('letThrough', () => []),
      changes: simple('changes', () => this.changes),
      approvals: simple('approvals', () => ({ approvals: this.approvals })),
      gate: simple('gate', () => ({ isOffered: true, agents: [], question: null })),
      approvalRules: simple('approvalRules', () => ({ rules: [] })),
      approvalRecord: simple('approvalRecord', () => ({ entries: [] })),
      comparison: (_params, sink) => {
        const texts = { before: { text: 'one\n' }, after: { text: 'two\n' } }
        sink.snapshot({ kind: 'texts', ...texts, beforeName: 'a', afterName: 'b' })
        return this.#subscribe('comparison', '', sink as never)
      },
      terminals: simple('terminals', () => this.terminals),
      connections: simple('connections', () => this.connections),
      context: simple('context', () => this.context),
      logSources: simple('logSources', () => ({ sources: this.logSources })),
      log: ({ connection }, sink) => {
        sink.snapshot(this.logs.get(connection) ?? { rows: [], forgotten: 0 })
        return this.#subscribe('log', connection, sink as never)
      },
      settings: simple('settings', () => this.settings),
      menu: simple('menu', () => ({})),
      tour: simple('tour', () => ({ tour: null })),
      'settings.sources': simple('settings.sources', () => ({
        file: '/home/ada/.config/greenlight/settings.json',
        folder: { path: root, name: 'green-house' },
        person: {},
        inFolder: {},
        problem: null,
      })),
      notices: simple('notices', () => ({ notices: this.notices })),
      search: simple('search', () => ({
        run: 0,
        query: null,
        phase: 'none',
        problem: null,
        hits: 0,
        isCut: false,
        skipped: { binary: 0, unreadable: 0, vanished: 0, longLines: 0 },
        files: [],
      })),
      fileList: simple('fileList', () => ({ generation: 1, isListing: false })),
      sessionSearch: simple('sessionSearch', () => ({ phase: 'done', searched: 0, of: 0, found: [] })),
      sessions: simple('sessions', () => ({ sessions: [], isListing: false })),
      session: simple('session', () => null),
      subAgent: simple('subAgent', () => null),
      conversation: simple('conversation', () => null),
      transcript: simple('transcript', () => null),
      git: simple('git', () => ({ repositories: [] })),
      directory: ({ path }, sink) => {
        sink.snapshot(this.#directory(path))
        return this.#subscribe('directory', path, sink as never)
      },
      document: ({ path }, sink) => {
        sink.snapshot(this.#documentState(path))
        return this.#subscribe('document', path, sink as never)
      },
      review: ({ id }, sink) => {
        const summary = this.reviews.find((review) => review.id === id)
        const draft = this.drafts.get(id)
        if (summary && draft) {
          sink.snapshot({
            summary,
            comments: [],
            earlier: null,
            draft: {
              kind: 'text',
              version: 0,
              a: { text: draft.a.toString() },
              b: { text: draft.b.toString() },
              hunks: [...draft.hunks],
              facts: { encoding: 'utf-8', bom: false, eol: 'lf' },
              offered: false,
              lineEndsOnly: false,
            },
          })
        }
        return this.#subscribe('review', id, sink as never)
      },
      terminal: ({ id }, sink) => {
        const screen =
          '\x1b[38;5;173m✻\x1b[0m Welcome to \x1b[1mClaude Code\x1b[0m\r\n\r\n  /help for help\r\n\r\n\x1b[2m> \x1b[0m'
        sink.snapshot({ screen, rest: 0, columns: 80, rows: 24 })
        return this.#subscribe('terminal', id, sink as never)
      },
    }
  }

  #directory(path: string): Topics['directory']['snapshot'] {
    if (path.endsWith('/locked')) {
      return {
        kind: 'failed',
        failure: { code: 'denied', message: 'You may not read this folder. Ask its owner.' },
      }
    }
    const inside = [...this.files.keys()].filter((file) => file.startsWith(`${path}/`))
    const entries = new Map<string, FileEntry>()
    for (const file of inside) {
      const rest = file.slice(path.length + 1)
      const cut = rest.indexOf('/')
      const name = cut < 0 ? rest : rest.slice(0, cut)
      if (name === '.empty') continue
      entries.set(name, {
        name,
        path: `${path}/${name}`,
        kind: cut < 0 ? 'file' : 'folder',
        symlink: name === 'current' || name === 'latest.log',
      })
    }
    const order = (entry: FileEntry) => `${entry.kind === 'folder' ? 0 : 1}${entry.name}`
    return {
      kind: 'entries',
      entries: [...entries.values()].toSorted((one, other) => order(one).localeCompare(order(other))),
      total: entries.size,
      truncated: false,
    }
  }

  #documentState(path: string): DocumentState {
    if (path.endsWith('.png')) return { kind: 'binary', size: 48_213, meta: { path } }
    if (!this.files.has(path)) {
      return {
        kind: 'failed',
        failure: { code: 'gone', message: 'This file was deleted. Close its tab.' },
      }
    }
    const { text, version, meta } = this.document(path)
    return { kind: 'text', version, text: { text: text.toString() }, meta }
  }

  #handlers(): CallHandlers<Calls> {
    const handlers: CallHandlers<Calls> = {
      'text.read': () => ({ piece: '', done: true }),
      'context.share': ({ all, selection, files }) => {
        const { sharing } = this.context
        this.context.sharing = {
          all: all ?? sharing.all,
          selection: selection ?? sharing.selection,
          files: files ?? sharing.files,
        }
        this.emit('context', { kind: 'state', state: { sharing: this.context.sharing } })
        return {}
      },
      'context.exclude': ({ path }) => succeed({ pattern: `/${path}` }),
      'files.create': ({ folder, name }) => succeed({ path: `${folder}/${name}` }),
      'files.rename': ({ path }) => succeed({ path }),
      'files.move': () => ({ done: [], problems: [] }),
      'files.copy': () => ({ done: [], problems: [] }),
      'files.trash': async ({ paths }) => {
        await this.trashTold
        return { done: [], problems: [], refused: paths.map((path) => ({ path, why: 'no trash' })) }
      },
      'files.delete': () => ({ done: [], problems: [] }),
      'files.reveal': () => succeed({}),
      'window.chooseFolder': () => fail('unavailable', 'There’s no folder dialog here. Type the path.'),
      'window.completeFolder': ({ text }) => ({
        folders: ['/home/ada/projects', '/home/ada/pictures', '/home/ada/نصوص', '/srv/www'].filter((path) =>
          path.startsWith(text),
        ),
      }),
      'trust.answer': () => succeed({}),
      'window.openFolder': ({ path }) => {
        if (path.includes('nowhere')) return fail('missing', 'There is no such folder. Check the path.')
        this.window = { ...this.window, folders: [{ path: root, name: 'green-house' }], branch: 'main' }
        this.emit('window', this.window)
        return succeed({ link: null })
      },
      'window.addFolder': ({ path }) => {
        const folders = [...this.window.folders, { path, name: path.split('/').at(-1) ?? path }]
        this.window = { ...this.window, folders }
        this.emit('window', { folders })
        return succeed({})
      },
      'window.removeFolder': ({ path }) => {
        const folders = this.window.folders.filter((folder) => folder.path !== path)
        this.window = { ...this.window, folders }
        this.emit('window', { folders })
        return succeed({})
      },
      'git.look': () => ({}),
      'window.openNew': () => succeed({ link: null }),
      'window.sortDropped': ({ paths }) => ({ folders: paths, files: [], others: [] }),
      'window.setLayout': ({ layout }) => {
        this.window = { ...this.window, layout }
        return {}
      },
      'window.openExternal': () => succeed({}),
      'documents.push': ({ path, version, updates }) => {
        if (version !== this.document(path).version) return { status: 'behind' }
        this.#apply(path, updates)
        return { status: 'accepted' }
      },
      'documents.save': ({ path }) => {
        const document = this.document(path)
        document.saved = document.text.toString()
        this.setMeta(path, { dirty: false, disk: 'same' })
        return succeed({})
      },
      'documents.resolve': ({ path }) => {
        this.setMeta(path, { disk: 'same' })
        return succeed({ conflicts: 0 })
      },
      'documents.reformat': ({ path, eol, encoding }) => {
        this.setMeta(path, { ...(eol ? { eol } : {}), ...(encoding ? { encoding } : {}) })
        return succeed({})
      },
      'documents.reopen': () => succeed({}),
      'pieces.read': () => succeed({ text: '', from: 0, to: 0, size: 0 }),
      'pieces.line': () => succeed({ line: 0 }),
      'pieces.offset': () => succeed({ at: 0 }),
      'pieces.bytes': () => succeed({ base64: '', done: true }),
      'documents.revert': ({ path }) => {
        this.setMeta(path, { disk: 'same', dirty: false })
        return succeed({})
      },
      'tabs.openFile': ({ path, preview, at }) => {
        this.openFile(path, preview)
        if (at) this.emit('tabs', { kind: 'reveal', path, selection: { start: at, end: at }, focus: true })
        return succeed({})
      },
      'tabs.openReview': ({ review }) => {
        this.openReview(review)
        return succeed({})
      },
      'tabs.openReviews': () => {
        const known = this.tabs.find((tab) => tab.kind === 'reviews')
        if (!known) this.tabs.push({ ...loose(0), id: 'reviews', kind: 'reviews', name: 'Reviews' })
        this.active = known?.id ?? 'reviews'
        this.sendTabs()
        return {}
      },
      'tabs.moveToSide': () => succeed({}),
      'tabs.pin': () => ({}),
      'tabs.split': () => succeed({}),
      'tabs.reopen': () => succeed({}),
      'tabs.openRendered': () => ({}),
      'tabs.openCompared': () => ({}),
      'tabs.activate': async ({ id }) => {
        await this.activateTold
        this.activate(id)
        return {}
      },
      'tabs.workOn': () => ({}),
      'tabs.step': ({ by }) => {
        const at = this.tabs.findIndex((tab) => tab.id === this.active)
        const next = this.tabs.at((at + by) % this.tabs.length)
        if (next) this.activate(next.id)
        return {}
      },
      'tabs.keep': ({ id }) => {
        for (const tab of this.tabs) if (tab.id === id && tab.kind === 'file') tab.preview = false
        this.sendTabs()
        return {}
      },
      'tabs.move': ({ id, to }) => {
        const from = this.tabs.findIndex((tab) => tab.id === id)
        const [tab] = this.tabs.splice(from, 1)
        if (tab) this.tabs.splice(to, 0, tab)
        this.sendTabs()
        return {}
      },
      'tabs.close': ({ id, unsaved }) => {
        const at = this.tabs.findIndex((other) => other.id === id)
        const tab = this.tabs[at]
        if (tab?.kind === 'file' && tab.dirty && unsaved === 'ask')
          return fail('unsaved', 'There is unsaved text.')
        this.tabs.splice(at, 1)
        if (this.active === id) this.active = this.tabs[Math.min(at, this.tabs.length - 1)]?.id ?? null
        this.sendTabs()
        return succeed({})
      },
      'tabs.flushed': () => ({}),
      'selection.set': () => ({}),
      'selection.mention': () => succeed({ told: this.connections.connections.length }),
      'review.step': ({ id, client, version, steps }) => {
        this.emit('review', { kind: 'steps', version, client, steps }, id)
        return { status: 'accepted' }
      },
      'review.accept': () => succeed({}),
      'review.reject': () => succeed({}),
      'review.comment': () => succeed({}),
      'review.acceptAll': () => ({ done: 0, left: 0 }),
      'review.rejectAll': () => ({ done: 0, left: 0 }),
      'review.keep': () => succeed({}),
      'review.savePatch': () => succeed({ path: `${root}/change.patch` }),
      'review.discard': () => succeed({}),
      'review.discardAll': () => ({ done: 0, left: 0 }),
      'review.writeMyself': () => succeed({}),
      'review.takeOffered': () => succeed({}),
      'review.undo': () => succeed({}),
      'review.reopen': ({ id }) => succeed({ review: id }),
      'record.page': () => ({ entries: this.writes, more: false }),
      'record.lines': () => ({ lines: '', next: null }),
      'changes.keepAll': () => succeed({}),
      'changes.putBackAll': () => succeed({ done: 0, left: 0 }),
      'changes.review': () => succeed({ review: 'r1' }),
      'terminals.create': async ({ profile }) => {
        await this.createTold
        const { install } = this.terminals.profiles.find(({ id }) => id === profile) ?? {}
        return install ? fail('missing', install.sentence) : succeed({ id: 't1' })
      },
      'terminals.write': () => ({}),
      'terminals.resize': () => ({}),
      'terminals.acknowledge': () => ({}),
      'terminals.restart': () => succeed({}),
      'terminals.rename': () => ({}),
      'terminals.seen': () => ({}),
      'terminals.close': () => ({}),
      'terminals.resolveLinks': ({ words }) => ({ paths: words.map(() => null) }),
      'log.frame': ({ seq }) => ({ text: JSON.stringify({ seq, method: 'tools/call' }, null, 2) }),
      'log.search': ({ text }) => ({ seqs: text === 'none' ? [] : [1] }),
      'search.start': () => ({ run: 1 }),
      'search.cancel': () => ({}),
      'search.expand': ({ hits }) => succeed({ texts: hits.map(() => null) }),
      'search.replace': () => succeed({ proposed: 0, told: [] }),
      'search.files': () => succeed({ files: [], count: 0, isWhole: true }),
      'log.export': () => succeed({ path: '/data/protocol-logs/log.jsonl' }),
      'connections.check': () => ({ servers: this.checks }),
      'connections.mend': ({ id }) => {
        this.mended.push(id)
        return succeed({})
      },
      'connections.setServer': ({ dialect, on }) => {
        this.connections = {
          connections: on ? this.connections.connections : [],
          servers: this.connections.servers.map((server) =>
            server.dialect === dialect
              ? { ...server, on, port: on ? 41235 : null, files: on ? server.files : [] }
              : server,
          ),
        }
        this.emit('connections', this.connections)
        return succeed({})
      },
      'sessions.rename': () => succeed({}),
      'sessions.hide': () => succeed({}),
      'sessions.trash': () => succeed({}),
      'sessions.count': () => ({}),
      'sessions.earlier': ({ reading }) => succeed({ reading, lines: [], from: 0 }),
      'sessions.later': ({ reading, from }) => succeed({ reading, lines: [], from, to: from }),
      'sessions.read': () => succeed({ text: '', next: null, size: 0 }),
      'conversation.send': () => succeed({}),
      'conversation.stop': () => succeed({}),
      'conversation.keepPictures': () => ({}),
      'conversation.takeUnsent': () => ({ kept: [] }),
      'conversation.restart': () => succeed({}),
      'conversation.edit': () => succeed({}),
      'conversation.move': () => succeed({}),
      'conversation.give': () => succeed({}),
      'conversation.end': () => succeed({}),
      'conversation.switch': () => succeed({}),
      'conversation.act': () => succeed({}),
      'conversation.stopTask': () => succeed({}),
      'conversation.fork': () => succeed({ id: '' }),
      'conversation.rewind': () => succeed({ files: 0 }),
      'conversation.figures': () => succeed([]),
      'conversation.offers': () => ({ offers: [] }),
      'conversation.begin': () => succeed({ id: '' }),
      'conversation.resume': () => succeed({ id: '', isCopy: false }),
      'conversation.withdraw': () => succeed({ text: '', pictures: [] }),
      'conversation.choose': () => succeed({}),
      'conversation.earlier': () => succeed({ items: [], agents: [], hasEarlier: false }),
      'sessions.resume': () => succeed({ terminal: 't1', isCopy: false }),
      'sessions.restore': () => succeed({}),
      'tabs.openSession': () => ({}),
      'menu.set': () => ({}),
      'tour.start': () => succeed({}),
      'tour.leave': () => ({}),
      'machine.programs': () => ({ programs: [] }),
      'tabs.openView': ({ view }) => {
        const known = this.tabs.some(({ id }) => id === view)
        if (!known) this.tabs.push({ ...loose(0), id: view, kind: 'view', view, name: view })
        this.activate(view)
        return {}
      },
      'settings.change': async ({ values }) => {
        await this.holdsSettings
        Object.assign(this.settings, values)
        this.emit('settings', values)
        return succeed({})
      },
      'settings.check': () => ({ problems: [] }),
      'settings.openFile': () => succeed({ path: '/data/settings.json' }),
      'settings.export': () => ({ text: '{}' }),
      'settings.import': () => succeed({ changed: 0, unknown: [] }),
      'settings.set': (some) => {
        Object.assign(this.settings, some)
        this.emit('settings', some)
        return {}
      },
      'attention.looking': () => ({}),
      'approvals.answer': async ({ id }) => {
        this.approvals = this.approvals.filter((approval) => approval.id !== id)
        this.emit('approvals', { kind: 'remove', id })
        await this.answerTold
        return succeed({})
      },
      'approvals.seen': () => ({}),
      'approvals.show': () => {
        const known = this.tabs.some(({ kind }) => kind === 'approvals')
        if (!known) this.tabs.push({ ...loose(0), id: 'approvals', kind: 'approvals', name: 'Approvals' })
        this.activate('approvals')
        return {}
      },
      'approvals.addRule': () => succeed({}),
      'approvals.editRule': () => fail('gone', 'This rule is not there any more.'),
      'approvals.removeRule': () => fail('gone', 'This rule is not there any more.'),
      'gate.setMode': () => ({}),
      'gate.answer': () => succeed({}),
      'notices.dismiss': ({ id }) => {
        this.notices = this.notices.filter((notice) => notice.id !== id)
        this.emit('notices', { kind: 'remove', id })
        return {}
      },
    }
    for (const name of Object.keys(handlers) as (keyof Calls)[]) {
      const handle = handlers[name] as (params: unknown, signal: AbortSignal) => never
      handlers[name] = ((params: unknown, signal: AbortSignal) => {
        this.calls.push({ name, params })
        return handle(params, signal)
      }) as never
    }
    return handlers
  }
}

/** What a tab has that is neither pinned nor beside another. */
function loose(number: number): { id: string; side: 'left'; pinned: boolean } {
  return { id: `tab-${number}`, side: 'left', pinned: false }
}
