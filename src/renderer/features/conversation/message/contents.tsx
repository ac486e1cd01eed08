import { Image } from 'lucide-react'
import { useMemo } from 'react'
import { withoutAnsi } from '../../../ui/terminal-text/ansi'
import { AnsiText } from '../../../ui/terminal-text/ansi-text'
import { CodeText } from '../../../code/code-block'
import { Markdown } from '../../../markdown/markdown'
import { formatSize } from '../../../ui/wording/number-format'
import { LongText } from './cut-text'
import { isPictureData } from './picture-data'
import { useSurroundings } from '../surroundings'

/** Text of the agent, which is Markdown. */
export function AgentText({ text }: { text: string }) {
  const { actions } = useSurroundings()
  return <Markdown text={text} onLink={actions.openLink} onPlace={actions.openPlace} />
}

/** A picture of a known type, from its data; any other is only named. Nothing is fetched. */
export function MessagePicture({
  mediaType,
  data,
  url,
}: {
  mediaType: string
  data: string
  url: string | null
}) {
  const canDraw = useMemo(() => isPictureData(mediaType, data), [mediaType, data])
  if (canDraw)
    return <img className="picture" src={`data:${mediaType};base64,${data}`} alt="From the conversation" />
  const size = data === '' ? '' : `, ${formatSize((data.length * 3) / 4)}`
  return (
    <p className="attachment row">
      <Image aria-hidden="true" />
      <bdi>{url ?? `Picture (${mediaType === '' ? 'of an unknown type' : mediaType}${size})`}</bdi>
    </p>
  )
}

/** A value as JSON. */
export function JsonText({ value, label }: { value: unknown; label: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? 'nothing', [value])
  return (
    <LongText
      text={text}
      label={label}
      draw={(shown) => <CodeText code={shown} hint={{ fence: 'json' }} />}
    />
  )
}

/** Output of a program: the end is what counts. */
export function Output({ text, label }: { text: string; label: string }) {
  return (
    <LongText
      text={text.replace(/\n+$/, '')}
      label={label}
      keep="end"
      plain={withoutAnsi(text)}
      draw={(shown) => <AnsiText text={shown} />}
    />
  )
}
