import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type {
  ComposerSources,
  ConversationActions,
  ConversationState,
  DrivenFacts,
  MessageDraft,
  RestoreRequest,
  SharedWords,
} from '../../src/renderer/features/conversation/conversation-state'
import { createDraft } from '../../src/renderer/features/conversation/composer/memory-draft'
import type { Density } from '../../src/renderer/state/sessions/conversation-layout'
import { disposable } from '../../src/shared/lifetime'
import { fail, succeed, type Done } from '../../src/shared/result'
import { SessionTranscript } from '../../src/shared/conversation/session-transcript'
import type { SourceLine } from '../../src/shared/conversation/transcript'
import { type SessionWriter, text, tool } from './session-writer'

/** What a scene begins with. */
export interface StageOptions {
  writer: SessionWriter
  title: string
  density: Density
  /** So many of the last lines are there at first; the rest comes in pages. */
  firstLines: number
  /** So many lines a page in front has. */
  page: number
  sending: ConversationState['sending']
  history?: ConversationState['history']
}

/** Stands for the host: owns a transcript, gives pages, notes what is asked for. */
export class ConversationStage {
  readonly transcript = new SessionTranscript()
  readonly store
  readonly calls: { name: string; params: unknown }[] = []
  readonly #lines: readonly SourceLine[]
  readonly writer: SessionWriter
  #from: number
  #page: number
  /** Pages in front come only when this is called, where it is set. */
  isHeld = false
  #wanted = false
  sendAnswer: Done = succeed({})
  /** What is sent is delivered when this settles. */
  sendHeld: Promise<void> = Promise.resolve()
  readonly draft: MessageDraft = createDraft('', [])
  restoreAnswer: Done = succeed({})

  constructor(options: StageOptions) {
    this.writer = options.writer
    this.#lines = options.writer.lines()
    this.#from = Math.max(0, this.#lines.length - options.firstLines)
    this.#page = options.page
    this.transcript.add(this.#lines.slice(this.#from))
    this.store = createStore<ConversationState>(() => ({
      id: 's',
      title: options.title,
      agent: 'Claude',
      transcript: this.transcript,
      revision: 1,
      history: options.history ?? { kind: 'here', earlier: this.#from > 0 ? 'some' : 'none' },
      sending: options.sending,
      queue: this.#waiting(),
      density: options.density,
    }))
  }

  /** What can be mentioned and what goes with a message. */
  readonly sources: ComposerSources = {
    files: (letters) => {
      this.#note('files', letters)
      const all = ['src/pump.ts', 'src/thermostat.ts', 'docs/a plan.md']
      const fitting = all.filter((text) => text.includes(letters))
      return Promise.resolve(
        fitting.map((text) => ({
          path: `/home/ada/projects/green-house/${text}`,
          text,
          marks: [],
          isRecent: false,
        })),
      )
    },
    symbols: () => [{ name: 'heatSlowly', path: '/home/ada/projects/green-house/src/pump.ts', line: 11 }],
    useShared: () => useStore(this.shared, ({ words }) => words),
  }
  readonly shared = createStore<{ words: SharedWords | null }>()(() => ({ words: null }))

  /** Becomes a conversation that Greenlight drives. */
  drive(facts: Partial<DrivenFacts> = {}): void {
    const nothing = { switches: [], parts: [], tasks: [], context: null, isUnresponsive: false }
    const abilities = { pictures: true, gives: true, forks: true, rewinds: true, figures: true }
    this.store.setState({ driven: { ...nothing, abilities, ...facts } })
  }

  readonly actions: ConversationActions = {
    earlier: () => {
      this.#note('earlier', {})
      this.#wanted = true
      this.store.setState({ history: { kind: 'here', earlier: 'loading' } })
      if (!this.isHeld) setTimeout(() => this.giveEarlier(), 10)
    },
    later: (after) => this.#note('later', after),
    choose: (id) => {
      this.#note('choose', id)
      this.transcript.choose(id)
      this.#told()
    },
    agents: {
      follow: (agent) => {
        this.#note('followAgent', agent)
        return disposable(() => this.#note('unfollowAgent', agent))
      },
      earlier: () => 'none',
      loadEarlier: (agent) => {
        this.#note('moreOfAgent', agent)
        return Promise.resolve(true)
      },
    },
    openFile: (path, line) => this.#note('openFile', { path, line }),
    openPlace: (place) => this.#note('openPlace', place),
    openLink: (href) => this.#note('openLink', href),
    restore: (request: RestoreRequest) => {
      this.#note('restore', request)
      return Promise.resolve(this.restoreAnswer)
    },
    send: async (message) => {
      this.#note('send', message.text)
      this.#note('sent', message)
      await this.sendHeld
      return this.sendAnswer
    },
    openReview: (id) => this.#note('openReview', id),
    openApproval: (id) => this.#note('openApproval', id),
    stop: () => this.#note('stop', {}),
    resume: () => this.#note('resume', {}),
    restart: () => this.#note('restart', {}),
    setControl: (control, value) => this.#note('setControl', { control, value }),
    queue: null,
    driven: {
      end: () => this.#done('end', {}),
      switch: (id, on) => this.#done('switch', { id, on }),
      act: (part, entry, act) => this.#done('act', { part, entry, act }),
      stopTask: (task) => this.#done('stopTask', task),
      fork: async (before, message) => {
        this.#note('fork', { before, text: message.text })
        await this.sendHeld
        return succeed({})
      },
      rewind: (before) => this.#done('rewind', before),
      figures: () => Promise.resolve(succeed([])),
    },
    setDensity: (density) => this.store.setState({ density }),
    exportAs: (format) => this.#note('exportAs', format),
  }

  /** A page in front comes. */
  giveEarlier(): void {
    if (!this.#wanted) return
    this.#wanted = false
    const from = Math.max(0, this.#from - this.#page)
    this.transcript.add(this.#lines.slice(from, this.#from))
    this.#from = from
    this.store.setState({ history: { kind: 'here', earlier: from > 0 ? 'some' : 'none' } })
    this.#told()
  }

  /** The agent says something at the end. */
  say(words: string, id = `new${this.writer.records.length}`): void {
    this.#write(() => this.writer.reply(id, text(words)))
  }

  /** The agent begins to use a tool, and works. */
  work(id: string): void {
    this.#write(() => this.writer.reply(id, tool(`tool-${id}`, 'Bash', { command: 'sleep 10' })))
  }

  /** The agent begins to edit a file, and waits for the person. */
  edit(id: string, path: string): void {
    const input = { file_path: path, old_string: 'one\ntwo\n', new_string: 'one\n2\n' }
    this.#write(() => this.writer.reply(id, tool(`tool-${id}`, 'Edit', input)))
  }

  ask(words: string): void {
    this.#write(() => this.writer.prompt(words))
  }

  /** The person says something while the agent works, which waits. */
  queue(words: string): void {
    this.#write(() => this.writer.aside({ type: 'queue-operation', operation: 'enqueue', content: words }))
  }

  finish(id: string): void {
    this.#write(() => this.writer.result(`tool-${id}`, 'done', { stdout: 'done', stderr: '' }))
  }

  refuseSend(message: string): void {
    this.sendAnswer = fail('not-sent', message)
  }

  refuseRestore(message: string): void {
    this.restoreAnswer = fail('not-restored', message)
  }

  #write(write: () => void): void {
    const from = this.writer.records.length
    write()
    this.transcript.add(this.writer.lines(from))
    this.#told()
  }

  #waiting() {
    return this.transcript.queue.map(({ text }, index) => ({
      id: String(index),
      text,
      pictures: 0,
      isGiven: true,
    }))
  }

  #done(name: string, params: unknown): Promise<Done> {
    this.#note(name, params)
    return Promise.resolve(succeed({}))
  }

  #note(name: string, params: unknown): void {
    this.calls.push({ name, params })
  }

  #told(): void {
    this.store.setState(({ revision }) => ({ revision: revision + 1, queue: this.#waiting() }))
  }
}
