import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { AgentProcessState } from '../../../shared/contract/agent-processes'
import type {
  ConversationFigures,
  LiveConversationState,
  OutgoingMessage,
} from '../../../shared/contract/conversations'
import type { SentItem } from '../../../shared/contract/context'
import type { Seen } from '../../../shared/agent-view'
import { type Item, textOf } from '../../../shared/conversation/transcript'
import { objectOf, stringOf } from '../../../shared/json'
import type { Disposable } from '../../../shared/lifetime'
import { type Done, fail, type Result, succeed, withoutValue } from '../../../shared/result'
import type { ProcessLine } from '../../core/agent-processes/line-reader'
import type { ConversationFiles } from '../../core/conversation/conversation'
import type { GateMode } from '../../core/gate/gate-policy'
import { type ConversationDriver, LiveConversation } from '../../core/conversation/live-conversation'
import type { KeptConversation } from '../../core/settings/stored-tabs'
import type { PermissionMode } from '../claude-tools/tool-wire'
import { type FrameParser, largeFrame } from '../kit/frame-parser'
import {
  type Chosen,
  commandsOf,
  controlsOf,
  mcpPart,
  partsOfInit,
  rulesPart,
  withParts,
} from './agent-parts'
import { contextFigures, type ResultCounts, usageFigures, usageOfModels } from './figures'
import type { PermissionDesk } from './permission-desk'
import { afterEdit, beforeEdit } from './refusal'
import { SdkLink } from './sdk-link'
import { blocksOf, contentOf, contextWords } from './sent-prompt'
import { promptItem, TranscriptWriter } from './transcript-writer'
import {
  asyncCancelled,
  commandsChanged,
  contextUsage,
  type GivenSystemPrompt,
  type HookedEvent,
  type HookMatcher,
  initialized,
  type Initialized,
  initMessage,
  type InitMessage,
  mcpStatus,
  permissionRules,
  resultMessage,
  type SentPrompt,
  type SentRequest,
  sessionUsage,
  stateMessage,
  statusMessage,
  taskNotification,
  tasksChanged,
  taskStarted,
  taskUpdated,
  type WireMessage,
} from './wire-messages'
import { dropOldest } from '../../../shared/drop-oldest'

type Uuid = ReturnType<typeof randomUUID>

/** The way to a program that speaks Claude Code's stream protocol. */
export interface Transport {
  write(line: string): Promise<Done>
  /** Begins it again, with the session that it had; null if it can't be begun from here. */
  restart(session: string | null): Promise<Done>
  /** Ends it and everything that came from it. */
  end(): Promise<Done>
}

/** What a conversation needs of the rest of the app. */
export interface ConversationSurroundings {
  transport: Transport
  /** Decides what is asked. */
  desk: PermissionDesk
  context: { seen(): Seen; sent(item: SentItem): void }
  /** It has said what it has. */
  described?(what: Initialized): void
  /** A turn begins; the program says what it is. */
  began?(init: InitMessage): void
  /** For the log: what was wrong, without contents. */
  report(sentence: string, cause: unknown): void
  /** Keeps what files held before each prompt, and proposes to put them back. */
  files?: ConversationFiles
  /** What brings it back after the app has ended. */
  kept?(): KeptConversation | null
  /** Begins another conversation with the session up to a message, without the later ones; null: before all of them. */
  fork?(
    upTo: { session: string; message: string } | null,
    message: OutgoingMessage,
  ): Promise<Result<{ id: string }>>
}

/** What was said in a session before the conversation goes on with it. */
export interface EarlierTalk {
  items: readonly Item[]
  /** The last message before each prompt, by the prompt's item; null before the first. */
  before: readonly (readonly [prompt: string, message: string | null])[]
  /** The last message of all. */
  last: string | null
}

/** How a conversation begins. */
export interface ConversationBeginning {
  title: string
  folder: string | null
  /** The session that it continues. */
  from?: string | null
  chosen: Chosen
  systemPrompt?: GivenSystemPrompt
  /** Whether the mode without questions can be chosen. */
  mayBypass: boolean
  /**
   * The program may know no more than how to take prompts and ask for permission: until it has answered `initialize` it
   * is stopped in the older way, and it is asked and sent nothing that older ones don’t know.
   */
  mayBeOld?: boolean
}

/** What a failure says that comes because the program is ending. */
export const hungUp: ReadonlySet<string> = new Set(['ended', 'closed', 'not-running'])

/** What is said in the conversation itself: a session's record has it in the same shapes. */
const saying: ReadonlySet<string> = new Set(['assistant', 'user'])

/** More than a program keeps to say again (2.1.39: 1000). */
const mostHeard = 5000

/** How long it has to answer `initialize`, in milliseconds. */
const initializePatience = 60_000

/** Tools that change files; each call is asked about, whatever the mode. */
export const editMatcher = 'Edit|Write|MultiEdit|NotebookEdit'
/** Long enough for a person, in seconds. */
const hookPatience = 86_400

const afterEdits: HookMatcher[] = [{ matcher: editMatcher, hookCallbackIds: [afterEdit], timeout: 60 }]
/** The hooks that a conversation registers. `block`: what isn't answered rightly is refused. */
const hooks: Record<HookedEvent, HookMatcher[]> = {
  PreToolUse: [
    { matcher: editMatcher, hookCallbackIds: [beforeEdit], timeout: hookPatience, onFailure: 'block' },
  ],
  PostToolUse: afterEdits,
  PostToolUseFailure: afterEdits,
}

const knownBefore =
  'This program was connected before. If it doesn’t answer, it waits for a review that is gone: stop it.'

const unreviewed = fail(
  'unreviewed',
  'Claude doesn’t ask Greenlight about its changes, because another program has set it up. Start a new conversation.',
)

const tooOld = fail(
  'unknown-version',
  'This Claude Code is too old: its changes could be written without your review. Update it.',
)

const reviewSwitch = (mode: GateMode) => ({
  id: 'review',
  label: 'Review changes',
  isOn: mode === 'every',
  help:
    mode === 'every'
      ? 'Each change waits for your review, in every permission mode, unless a rule lets it through.'
      : 'The permission mode decides which changes are asked about, unless a rule does.',
})

/** A conversation with a program that speaks Claude Code's stream protocol, over any transport of lines. */
export class SdkConversation implements Disposable {
  readonly live: LiveConversation
  readonly #around: ConversationSurroundings
  readonly #beginning: ConversationBeginning
  readonly #writer: TranscriptWriter
  #link: SdkLink
  #ready: Promise<Done> = Promise.resolve(fail('not-running', 'Claude has not been started. Restart it.'))
  #chosen: Chosen
  #described: Initialized | null = null
  #capabilities: readonly string[] = []
  /** What has been given to it while it works, by its uuid. */
  readonly #given = new Map<string, { id: string; message: OutgoingMessage }>()
  /** What is being taken back. */
  readonly #recalled = new Set<string>()
  /** The last message before each prompt, by the prompt's item; null before the first. */
  readonly #before = new Map<string, string | null>()
  #last: string | null = null
  #counts: ResultCounts = { turns: 0, refused: 0 }
  /** Prompts that began before their session was known. */
  #unkept: string[] = []
  /** Whether it says itself when it works and rests. */
  #saysState = false
  /** Whether it has answered `initialize`, in whichever way. */
  #isIntroduced = false
  #unknown = new Set<string>()
  /** What has come of a program that may come back and say it again, by uuid. */
  readonly #heard = new Set<string>()
  #heardAt = Date.now()
  readonly #following: Disposable

  constructor(around: ConversationSurroundings, beginning: ConversationBeginning) {
    this.#around = around
    this.#beginning = beginning
    this.#chosen = beginning.chosen
    this.live = new LiveConversation(
      { title: beginning.title, agent: 'Claude', folder: beginning.folder },
      this.#driver(),
      { from: beginning.from ?? null, kept: () => around.kept?.() ?? null },
    )
    this.#writer = new TranscriptWriter(this.live, (type) => this.#noteUnknown(type))
    around.desk.onRemark((sentence) => this.#writer.notice('information', sentence))
    this.#link = this.#newLink()
    const { abilities } = this.live.state
    this.live.update({
      abilities: {
        ...{ ...abilities, pictures: true },
        // Only newer ones say when they come to what they were given, and answer for figures.
        ...(beginning.mayBeOld ? { gives: false, figures: false } : {}),
      },
      switches: [reviewSwitch(around.desk.policy.mode)],
    })
    this.#following = around.desk.policy.onChange(() =>
      this.live.update({ switches: [reviewSwitch(around.desk.policy.mode)] }),
    )
  }

  /**
   * When it last worked, in milliseconds since the epoch: now while it does, or is being started. Who asks the person does
   * nothing until the answer comes; if sub-agents ask, the others go on.
   */
  get workedAt(): number {
    const { process, activity, tasks } = this.live.state
    const isAtWork = activity === 'working' || this.#writer.isBusy
    const isWaiting = this.#link.asked >= Math.max(1, this.#writer.busyAgents)
    const mayWrite = tasks.length > 0 || (isAtWork && !isWaiting)
    return mayWrite || process.phase !== 'running' ? Date.now() : this.#heardAt
  }

  /** What was said earlier in its session, each with the uuid of its last message. */
  tellEarlier(earlier: EarlierTalk): void {
    this.#writer.earlier(earlier.items)
    for (const [prompt, last] of earlier.before) this.#before.set(prompt, last)
    this.#last = earlier.last
  }

  /** What a program that comes back has said meanwhile: of its session's record, what follows the last message known here. */
  takeMissed(record: readonly unknown[]): void {
    const said = record.flatMap((line) => {
      const message = objectOf(line)
      const [type, uuid] = [stringOf(message?.['type']), stringOf(message?.['uuid'])]
      return message && type !== null && uuid !== null ? [{ ...message, type, uuid }] : []
    })
    const known = said.findLastIndex(({ uuid }) => this.#heard.has(uuid))
    for (const message of said.slice(known + 1))
      if (saying.has(message.type) && this.#isNews(message.uuid)) this.#writer.take(message)
  }

  /** Whether a message with this uuid has come. */
  hasHeard(uuid: string): boolean {
    return this.#heard.has(uuid)
  }

  /** A sentence for the person, in the transcript. */
  remark(sentence: string): void {
    this.#writer.notice('information', sentence)
  }

  /** The program runs: it is introduced to, and asked what it has. */
  async begin(process: AgentProcessState): Promise<Done> {
    this.#link.close({ code: 'ended', message: 'Claude was restarted. Try again.' })
    this.#link = this.#newLink()
    this.#saysState = false
    this.#isIntroduced = false
    this.#ready = this.#initialize()
    if (this.#beginning.mayBeOld) {
      // It may never answer, and takes what is said in any case.
      this.#ready = Promise.resolve(succeed({}))
      this.live.update({ process })
      return succeed({})
    }
    const ready = await this.#ready
    if (!ready.ok) {
      // How it ended is told as its end.
      if (!hungUp.has(ready.failure.code)) this.#writer.notice('error', ready.failure.message)
      return ready
    }
    this.live.update({ process })
    void this.#look()
    return ready
  }

  /** The program's state has changed in any other way. */
  processChanged(process: AgentProcessState): void {
    if (process.phase === 'ended') {
      const { message } = process.end
      this.#link.close({ code: 'ended', message })
      this.#writer.ended()
      // It never came to these.
      for (const { id } of [...this.#given.values()].toReversed()) this.live.returned(id)
      this.#given.clear()
      this.live.update({ process, tasks: [] })
      if (process.end.code !== 'stopped') this.#writer.notice('error', message)
      return
    }
    this.live.update({ process })
  }

  /** Takes a line from the program. A long one is parsed in a thread; what follows waits for it. */
  hear(line: ProcessLine, frames: FrameParser): void | Promise<void> {
    if (line.kind === 'too-long') return this.#link.skip(line.bytes, line.head)
    if (line.text.length < largeFrame) return this.#link.read(line.text)
    return this.#hearLong(line.text, frames)
  }

  /** Takes what a line holds. */
  take(value: unknown): void {
    this.#link.take(value)
  }

  dispose(): void {
    this.#following.dispose()
    this.#link.close({ code: 'closed', message: 'This conversation is over. Start a new one.' })
    this.live.dispose()
  }

  async #hearLong(text: string, frames: FrameParser): Promise<void> {
    const parsed = await frames.parse(Buffer.from(text))
    if (parsed.ok) this.#link.take(parsed.value)
    else this.#link.read(text)
  }

  #newLink(): SdkLink {
    const { transport, desk, report } = this.#around
    return new SdkLink({
      write: (line) => transport.write(line),
      cancels: !this.#beginning.mayBeOld,
      handlers: {
        message: (message) => this.#hear(message),
        ask: (request, signal) => desk.answer(request, signal),
        problem: (sentence, cause) => {
          report(sentence, cause)
          if (cause === 'too-long' || cause === 'not-json') this.#writer.notice('information', sentence)
        },
      },
    })
  }

  async #initialize(): Promise<Done> {
    const answer = await this.#link.request(
      {
        subtype: 'initialize',
        ...this.#beginning.systemPrompt,
        hooks,
        perTaskStopAffordance: true,
        agentProgressSummaries: true,
        forwardSubagentText: true,
        supportedDialogKinds: [...this.#around.desk.dialogKinds],
        sdkMcpServers: [...this.#around.desk.toolServers],
      },
      { timeoutMs: initializePatience },
    )
    const isKnown = !answer.ok && answer.failure.code === 'refused'
    this.#isIntroduced = answer.ok || isKnown
    if (isKnown && this.#beginning.mayBeOld) this.#writer.notice('information', knownBefore)
    if (!answer.ok) {
      const { code, message } = answer.failure
      if (code === 'no-answer')
        return fail(code, 'Claude did not answer within a minute. Look at its last words, then restart it.')
      return fail(code, message)
    }
    const read = initialized.safeParse(answer.value)
    if (!read.success)
      return fail(
        'unknown-version',
        'This version of Claude Code answers in a way that is not known here. Update it.',
      )
    if (read.data.hooks_applied === false) {
      // One that Greenlight didn't start goes on all the same.
      if (this.#beginning.mayBeOld) this.#writer.notice('error', unreviewed.failure.message)
      else return unreviewed
    }
    if (read.data.hook_on_failure_supported !== true && !this.#beginning.mayBeOld) return tooOld
    this.#described = read.data
    this.#around.described?.(read.data)
    this.live.update({ commands: commandsOf(read.data.commands) })
    this.#tellControls()
    return succeed({})
  }

  /** Looks at what is told on request only. */
  async #look(): Promise<void> {
    await Promise.all([this.#lookAtServers(), this.#lookAtRules(), this.#lookAtContext()])
  }

  async #lookAtServers(): Promise<void> {
    if (!this.#isIntroduced) return
    const status = await this.#ask({ subtype: 'mcp_status' })
    const read = status.ok ? mcpStatus.safeParse(status.value) : null
    if (read?.success) this.#tellParts([mcpPart(read.data)])
  }

  async #lookAtRules(): Promise<void> {
    const rules = await this.#ask({ subtype: 'list_permission_rules' })
    const read = rules.ok ? permissionRules.safeParse(rules.value) : null
    if (read?.success) this.#tellParts([rulesPart(read.data)])
  }

  async #lookAtContext(): Promise<void> {
    if (this.#beginning.mayBeOld) return
    const usage = await this.#ask({ subtype: 'get_context_usage', detail: 'summary' })
    const read = usage.ok ? contextUsage.safeParse(usage.value) : null
    if (!read?.success) return
    const { totalTokens: used, maxTokens: size } = read.data
    this.live.update({ context: { used, size } })
  }

  #ask(request: SentRequest) {
    return this.#link.request(request)
  }

  #hear(message: WireMessage): void {
    this.#heardAt = Date.now()
    const { subtype, parent_tool_use_id: parent, uuid } = message
    if (this.#beginning.mayBeOld && typeof uuid === 'string' && !this.#isNews(uuid)) return
    const event = message.type === 'stream_event' ? objectOf(message['event']) : undefined
    if (event && typeof parent !== 'string') this.live.streamed(event)
    if (message.type === 'system' && typeof subtype === 'string') this.#hearSystem(subtype, message)
    else if (message.type === 'result') this.#hearResult(message)
    else if (message.type === 'command_lifecycle') this.#hearLifecycle(message)
    this.#writer.take(message)
    if (saying.has(message.type) && typeof parent !== 'string' && typeof uuid === 'string') this.#last = uuid
    // How a turn went on is not told to who comes back in the middle of it.
    if (this.#beginning.mayBeOld && message.type === 'assistant' && this.live.state.activity === 'idle')
      this.live.update({ activity: 'working' })
  }

  /** Whether a message comes for the first time, as far as is remembered. */
  #isNews(uuid: string): boolean {
    if (this.#heard.has(uuid)) return false
    this.#heard.add(uuid)
    dropOldest(this.#heard, mostHeard)
    return true
  }

  #hearSystem(subtype: string, message: WireMessage): void {
    switch (subtype) {
      case 'init': {
        const read = initMessage.safeParse(message)
        if (read.success) this.#hearInit(read.data)
        return
      }
      case 'session_state_changed': {
        const read = stateMessage.safeParse(message)
        if (!read.success) return
        this.#saysState = true
        if (read.data.state === 'idle') this.live.update({ activity: 'idle' })
        else if (this.live.state.tasks.length === 0) this.live.update({ activity: 'working' })
        return
      }
      case 'status': {
        const mode = statusMessage.safeParse(message).data?.permissionMode
        if (mode !== undefined) this.#choose({ permissionMode: mode })
        return
      }
      case 'commands_changed': {
        const read = commandsChanged.safeParse(message)
        if (read.success) this.live.update({ commands: commandsOf(read.data.commands) })
        return
      }
      default:
        this.#hearTask(subtype, message)
    }
  }

  #hearInit(init: InitMessage): void {
    this.#capabilities = init.capabilities
    this.#around.began?.(init)
    const { permissionMode = this.#chosen.permissionMode, effort } = init
    this.#choose({ permissionMode, ...(effort === undefined ? {} : { effort: effort ?? 'default' }) })
    this.live.update({ session: init.session_id, activity: 'working' })
    this.#keepPrompts()
    this.#tellParts(partsOfInit(init, this.#described))
  }

  #hearResult(message: WireMessage): void {
    const read = resultMessage.safeParse(message).data
    if (read) this.#count(read)
    // It says that it works until its tasks in the background are done; meanwhile it takes a message.
    if (!this.#saysState || this.live.state.tasks.length > 0) this.live.update({ activity: 'idle' })
    void this.#lookAtContext()
    void this.#lookAtServers()
    // An answer may have added some.
    void this.#lookAtRules()
  }

  #count(result: z.infer<typeof resultMessage>): void {
    const { turns, refused } = this.#counts
    this.#counts = {
      turns: turns + (result.num_turns ?? 0),
      refused: refused + result.permission_denials.length,
    }
    const usage = usageOfModels(result.modelUsage)
    this.live.update({
      ...(usage === null ? {} : { usage }),
      ...(result.total_cost_usd === undefined ? {} : { costUSD: result.total_cost_usd }),
    })
  }

  /** In order: what files hold is kept only once the prompt has begun there. */
  #keepPrompts(): void {
    const { files, report } = this.#around
    const { session } = this.live.state
    if (!files || session === null) return
    const { from } = this.#beginning
    const begun = [
      ...(from == null || from === session ? [] : [files.forked(from, session)]),
      ...this.#unkept.splice(0).map((prompt) => files.begin(session, prompt)),
    ]
    Promise.all(begun).catch((cause: unknown) =>
      report('Copies of files for rewinding could not be kept.', cause),
    )
  }

  /** What was given is taken up, or will not be. */
  #hearLifecycle({ command_uuid: uuid, state }: WireMessage): void {
    const given = typeof uuid === 'string' ? this.#given.get(uuid) : undefined
    if (!given || typeof uuid !== 'string') return
    if (state === 'started') {
      this.#given.delete(uuid)
      this.#said(uuid, given.message)
      this.live.taken(given.id)
    } else if (state === 'cancelled' && !this.#recalled.has(uuid)) {
      this.#given.delete(uuid)
      this.live.returned(given.id)
    }
  }

  #hearTask(subtype: string, message: WireMessage): void {
    const { tasks } = this.live.state
    switch (subtype) {
      case 'task_started': {
        const read = taskStarted.safeParse(message).data
        if (!read || read.ambient === true || read.skip_transcript === true || read.is_backgrounded === false)
          return
        return this.#putTask(read.task_id, read.description)
      }
      case 'task_updated': {
        const read = taskUpdated.safeParse(message).data
        if (!read) return
        const { status, is_backgrounded: isBackgrounded, description } = read.patch
        if (isBackgrounded === true) this.#putTask(read.task_id, description ?? '')
        if (status !== undefined && !['pending', 'running', 'paused'].includes(status))
          this.#dropTask(read.task_id)
        return
      }
      case 'task_notification': {
        const read = taskNotification.safeParse(message).data
        if (read) this.#dropTask(read.task_id)
        return
      }
      case 'background_tasks_changed': {
        const read = tasksChanged.safeParse(message).data
        if (!read) return
        const now = Date.now()
        const known = new Map(tasks.map((task) => [task.id, task]))
        this.live.update({
          tasks: read.tasks
            .filter(({ ambient }) => ambient !== true)
            .map(
              ({ task_id: id, description }) => known.get(id) ?? { id, title: description, startedAt: now },
            ),
        })
      }
    }
  }

  #putTask(id: string, title: string): void {
    const { tasks } = this.live.state
    if (!tasks.some((task) => task.id === id))
      this.live.update({ tasks: [...tasks, { id, title, startedAt: Date.now() }] })
  }

  #dropTask(id: string): void {
    const { tasks } = this.live.state
    if (tasks.some((task) => task.id === id))
      this.live.update({ tasks: tasks.filter((task) => task.id !== id) })
  }

  #driver(): ConversationDriver {
    const { transport, fork, files } = this.#around
    return {
      send: (message) => this.#send(message),
      stop: () => this.#stop(),
      restart: () => transport.restart(this.live.state.session),
      end: () => transport.end(),
      choose: (control, value) => this.#chooseControl(control, value),
      give: (id, message) => this.#give(id, message),
      recall: (id) => this.#recall(id),
      switch: (id, on) => Promise.resolve(this.#switch(id, on)),
      act: (part, entry, act) => this.#act(part, entry, act),
      stopTask: async (task) => withoutValue(await this.#ask({ subtype: 'stop_task', task_id: task })),
      figures: () => this.#figures(),
      ...(files ? { rewind: (before: string) => this.#rewind(files, before) } : {}),
      ...(fork
        ? { fork: (before: string, message: OutgoingMessage) => this.#fork(fork, before, message) }
        : {}),
    }
  }

  async #send(message: OutgoingMessage): Promise<Done> {
    const ready = await this.#ready
    if (!ready.ok) return ready
    const uuid = randomUUID()
    const said = await this.#say(uuid, message)
    if (said.ok) this.#said(uuid, message)
    return said
  }

  async #say(uuid: Uuid, message: OutgoingMessage, priority?: 'next'): Promise<Done> {
    const { context } = this.#around
    const words = message.withContext ? contextWords(context.seen()) : null
    const said = await this.#link.say({
      type: 'user',
      message: { role: 'user', content: this.#contentOf(message, words?.text ?? null) },
      parent_tool_use_id: null,
      session_id: this.live.state.session ?? '',
      uuid,
      ...(priority === undefined ? {} : { priority }),
    })
    if (said.ok) for (const item of words?.sent ?? []) context.sent(item)
    return said
  }

  /** Older programs know a prompt as one text. */
  #contentOf(message: OutgoingMessage, context: string | null): SentPrompt['message']['content'] {
    const parts = contentOf(message, context)
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    return this.#beginning.mayBeOld && texts.length === parts.length ? texts.join('\n\n') : parts
  }

  #said(uuid: string, message: OutgoingMessage): void {
    this.#before.set(promptItem + uuid, this.#last)
    this.#writer.prompt(uuid, blocksOf(message))
    this.#isNews(uuid)
    this.#unkept.push(uuid)
    this.#keepPrompts()
  }

  async #give(id: string, message: OutgoingMessage): Promise<Done> {
    const uuid = randomUUID()
    this.#given.set(uuid, { id, message })
    const said = await this.#say(uuid, message, 'next')
    if (!said.ok) this.#given.delete(uuid)
    return said
  }

  async #recall(id: string): Promise<Done> {
    const found = [...this.#given].find(([, given]) => given.id === id)
    const late = fail('gone', 'Claude already has this message. Look at the conversation.')
    if (!found) return late
    const [uuid] = found
    // It says first that the message is cancelled, which must not put it back into the queue.
    this.#recalled.add(uuid)
    const answer = await this.#ask({ subtype: 'cancel_async_message', message_uuid: uuid })
    this.#recalled.delete(uuid)
    if (!answer.ok) return answer
    if (asyncCancelled.safeParse(answer.value).data?.cancelled !== true) return late
    this.#given.delete(uuid)
    return succeed({})
  }

  async #stop(): Promise<Done> {
    if (this.#beginning.mayBeOld && !this.#isIntroduced)
      return this.#around.transport.write(JSON.stringify({ type: 'interrupt' }))
    this.#writer.stopping()
    const cancels = this.#capabilities.includes('interrupt_cancel_queued_v1')
    const answer = await this.#ask({ subtype: 'interrupt', ...(cancels ? { cancel_queued: true } : {}) })
    return withoutValue(answer)
  }

  async #chooseControl(control: string, value: string): Promise<Done> {
    switch (control) {
      case 'model': {
        const answer = await this.#ask({ subtype: 'set_model', model: value })
        if (answer.ok) this.#choose({ model: value })
        return withoutValue(answer)
      }
      case 'permissionMode': {
        const answer = await this.#ask({ subtype: 'set_permission_mode', mode: value as PermissionMode })
        if (answer.ok) this.#choose({ permissionMode: value })
        return withoutValue(answer)
      }
      case 'effort': {
        const effortLevel = value === 'default' ? null : value
        const answer = await this.#ask({ subtype: 'apply_flag_settings', settings: { effortLevel } })
        if (answer.ok) this.#choose({ effort: value })
        return withoutValue(answer)
      }
      default:
        return fail('unknown', 'This cannot be chosen any more. Look at the choices again.')
    }
  }

  #switch(id: string, on: boolean): Done {
    if (id !== 'review')
      return fail('unknown', 'There is no such switch any more. Look at the conversation again.')
    this.#around.desk.policy.set(on ? 'every' : 'mode')
    return succeed({})
  }

  async #act(part: string, serverName: string, act: string): Promise<Done> {
    if (part !== 'mcp') return fail('unknown', 'Nothing can be done with this here. Look at the list again.')
    const answer = await this.#ask(
      act === 'reconnect'
        ? { subtype: 'mcp_reconnect', serverName }
        : { subtype: 'mcp_toggle', serverName, enabled: act === 'enable' },
    )
    await this.#lookAtServers()
    return withoutValue(answer)
  }

  async #figures(): Promise<Result<ConversationFigures>> {
    const [context, usage] = await Promise.all([
      this.#ask({ subtype: 'get_context_usage' }),
      this.#ask({ subtype: 'get_usage', skip_behaviors: true }),
    ])
    if (!context.ok && !usage.ok) return context
    const readContext = context.ok ? contextUsage.safeParse(context.value).data : undefined
    const readUsage = usage.ok ? sessionUsage.safeParse(usage.value).data : undefined
    return succeed([
      ...(readUsage ? usageFigures(readUsage, this.#counts) : []),
      ...(readContext ? contextFigures(readContext) : []),
    ])
  }

  async #fork(
    fork: NonNullable<ConversationSurroundings['fork']>,
    before: string,
    message: OutgoingMessage,
  ): Promise<Result<{ id: string }>> {
    const { session } = this.live.state
    const last = this.#before.get(before)
    if (session === null || last === undefined)
      return fail('gone', 'Greenlight doesn’t know what came before this message. Begin a new conversation.')
    return fork(last === null ? null : { session, message: last }, message)
  }

  async #rewind(files: ConversationFiles, before: string): Promise<Result<{ files: number }>> {
    const { session } = this.live.state
    const item = this.live.item(before)
    if (session === null || item?.kind !== 'prompt' || !before.startsWith(promptItem))
      return fail('gone', 'Files can be rewound to before a message of yours. Choose one.')
    return files.rewind(session, before.slice(promptItem.length), textOf(item.blocks))
  }

  #choose(change: Partial<Chosen>): void {
    this.#chosen = { ...this.#chosen, ...change }
    this.#tellControls()
  }

  #tellControls(): void {
    const { mayBypass, mayBeOld } = this.#beginning
    const controls = controlsOf(this.#chosen, this.#described?.models ?? [], { mayBypass })
    // Older ones never answer to how hard they are to think.
    this.live.update({ controls: mayBeOld ? controls.filter(({ id }) => id !== 'effort') : controls })
  }

  #tellParts(parts: LiveConversationState['parts']): void {
    this.live.update({ parts: withParts(this.live.state.parts, parts) })
  }

  #noteUnknown(type: string): void {
    if (this.#unknown.has(type) || this.#unknown.size > 100) return
    this.#unknown.add(type)
    this.#around.report(
      'A kind of message came that isn’t known here; it is in the protocol log.',
      type.slice(0, 100),
    )
  }
}
