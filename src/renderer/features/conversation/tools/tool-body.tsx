import { Circle, CircleCheck, CircleDot, SquareArrowOutUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AskedQuestion, Todo, ToolBody, ToolReading } from '../../../../shared/conversation/tool-reading'
import { textOf, type ToolCall } from '../../../../shared/conversation/transcript'
import { Button } from '../../../ui/controls/button'
import { CodeText } from '../../../code/code-block'
import { formatNumber } from '../../../ui/wording/number-format'
import { AgentBody } from './agent-body'
import { ChangeBody } from './change-body'
import { JsonText, Output, MessagePicture, AgentText } from '../message/contents'
import { LongText } from '../message/cut-text'
import { useSurroundings } from '../surroundings'

/** What a tool was asked and what came of it. */
export function ToolBodyView({ call, reading }: { call: ToolCall; reading: ToolReading }) {
  const { density } = useSurroundings()
  const { body } = reading
  return (
    <div className="tool-body">
      <Body call={call} reading={reading} body={body} />
      <Pictures call={call} />
      {hasOwnFault(body) && call.result?.isError ? <Fault call={call} /> : null}
      {call.state === 'open' && call.progress !== null ? (
        <JsonText value={call.progress} label="Progress" />
      ) : null}
      {density === 'verbose' ? <JsonText value={{ input: call.input, id: call.id }} label="Input" /> : null}
    </div>
  )
}

function Body({ call, reading, body }: { call: ToolCall; reading: ToolReading; body: ToolBody }): ReactNode {
  switch (body.kind) {
    case 'run':
      return <CommandBody body={body} isOpen={call.state === 'open'} />
    case 'edit':
      return <ChangeBody call={call} change={body.change} />
    case 'read':
      return (
        <>
          <FileActions reading={reading} />
          {body.text === '' ? null : (
            <LongText
              text={body.text}
              label="Text read"
              draw={(shown) => (
                <CodeText code={shown} hint={reading.path === null ? null : { file: reading.path }} />
              )}
            />
          )}
          {body.totalLines === null ? null : (
            <p className="aside">{`From line ${formatNumber(body.firstLine)} of ${formatNumber(body.totalLines)}`}</p>
          )}
        </>
      )
    case 'search':
      return body.text === '' ? <p className="aside">Nothing found</p> : <Found text={body.text} />
    case 'task':
      return <AgentBody call={call} prompt={body.prompt} type={body.type} text={body.text} />
    case 'think':
      return <AgentText text={body.text} />
    case 'fetch':
      return (
        <>
          {body.url === null ? null : <Address url={body.url} />}
          {body.prompt === '' ? null : <p className="aside selectable">{body.prompt}</p>}
          {body.text === '' ? null : <LongText text={body.text} label="Text read" />}
        </>
      )
    case 'plan':
      return body.todos ? (
        <Todos todos={body.todos} />
      ) : (
        <div className="plan">
          <AgentText text={body.text} />
        </div>
      )
    case 'ask':
      return <Questions questions={body.questions} />
    case 'begun':
      return body.text === '' ? null : <LongText text={body.text} label="Input until now" keep="end" />
    case 'other':
      return (
        <>
          <JsonText value={body.input} label="Input" />
          {body.text === '' ? null : <LongText text={body.text} label="Result" />}
        </>
      )
  }
}

function CommandBody({ body, isOpen }: { body: Extract<ToolBody, { kind: 'run' }>; isOpen: boolean }) {
  return (
    <>
      <LongText
        text={body.command}
        label="Command"
        draw={(shown) => <CodeText code={shown} hint={{ fence: 'sh' }} />}
      />
      {body.output === '' && body.errors === '' ? (
        <p className="aside">
          {body.inBackground ? 'Runs in the background' : isOpen ? 'No output yet' : 'No output'}
        </p>
      ) : null}
      {body.output === '' ? null : <Output text={body.output} label="Output" />}
      {body.errors === '' ? null : <Output text={body.errors} label="Errors" />}
    </>
  )
}

/** So many places are buttons; there may be thousands. */
const mostPlaces = 100
const placeOfLine = /^((?:[A-Za-z]:)?[^:\n]{1,400}?\.[\p{L}\p{N}]{1,12}):(\d{1,7})[:-]/u

/** What a search found: a place that a line begins with can be gone to. */
function Found({ text }: { text: string }) {
  const { actions } = useSurroundings()
  const lines = text.split('\n')
  if (lines.length > mostPlaces || text.length > 20_000) return <LongText text={text} label="Found" />
  return (
    <div className="found" role="group" aria-label="Found" tabIndex={0}>
      {lines.map((line, index) => {
        const match = placeOfLine.exec(line)
        const place = match ? `${match[1] ?? ''}:${match[2] ?? ''}` : looksLikePath(line) ? line : null
        if (place === null) return <div key={index}>{line === '' ? '\u00a0' : line}</div>
        return (
          <div key={index}>
            <button type="button" className="place-button" onClick={() => actions.openPlace(place)}>
              {place}
            </button>
            {match ? line.slice(match[0].length - 1) : null}
          </div>
        )
      })}
    </div>
  )
}

const looksLikePath = (line: string) => /^(?:[A-Za-z]:)?[^\s:*?"<>|]*[/\\][^\s:*?"<>|]*\.\w{1,12}$/.test(line)

function FileActions({ reading: { path, line } }: { reading: ToolReading }) {
  const { actions } = useSurroundings()
  if (path === null) return null
  return (
    <div className="tool-actions row">
      <Button
        size="small"
        variant="quiet"
        icon={<SquareArrowOutUpRight />}
        onClick={() => actions.openFile(path, line)}
      >
        Open file
      </Button>
    </div>
  )
}

const todoWords: Record<Todo['state'], string> = { done: 'done', active: 'being done', pending: 'to do' }

function Todos({ todos }: { todos: readonly Todo[] }) {
  if (todos.length === 0) return <p className="aside">Nothing to do</p>
  return (
    <ul className="todos column">
      {todos.map(({ text, state }, index) => (
        <li key={index} className={`todo todo-${state}`}>
          {state === 'done' ? <CircleCheck /> : state === 'active' ? <CircleDot /> : <Circle />}
          <span className="selectable">{text}</span>
          <span className="unseen">, {todoWords[state]}</span>
        </li>
      ))}
    </ul>
  )
}

function Questions({ questions }: { questions: readonly AskedQuestion[] }) {
  return questions.map(({ question, options, answer }, index) => (
    <div key={index} className="question">
      <p className="selectable">{question}</p>
      <ul>
        {options.map((option, place) => (
          <li key={place} className={option === answer ? 'question-chosen' : ''}>
            {option}
            {option === answer ? <span className="question-sign"> · chosen</span> : null}
          </li>
        ))}
        {answer !== null && !options.includes(answer) ? (
          <li className="question-chosen">
            {answer}
            <span className="question-sign"> · answered</span>
          </li>
        ) : null}
      </ul>
    </div>
  ))
}

function Address({ url }: { url: string }) {
  const { actions } = useSurroundings()
  return (
    <p>
      <button type="button" className="text-button selectable" onClick={() => actions.openLink(url)}>
        <bdi>{url}</bdi>
      </button>
    </p>
  )
}

function Pictures({ call }: { call: ToolCall }) {
  return call.result?.content.map((block, index) =>
    block.kind === 'image' ? (
      <MessagePicture key={index} mediaType={block.mediaType} data={block.data} url={block.url} />
    ) : null,
  )
}

/** Whether what went wrong is shown nowhere else. */
function hasOwnFault(body: ToolBody): boolean {
  return body.kind === 'edit' || body.kind === 'plan' || body.kind === 'ask'
}

function Fault({ call }: { call: ToolCall }) {
  const text = call.result ? textOf(call.result.content) : ''
  return text === '' ? null : <LongText text={text} label="Error" />
}
