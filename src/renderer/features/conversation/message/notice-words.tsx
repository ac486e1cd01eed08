import { CircleSlash, FoldVertical, Info, SquareTerminal, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { NoticeItem } from '../../../../shared/conversation/transcript'
import { Output } from './contents'

/** Something that happened between what was said. */
export function NoticeWords({ notice: { what, text } }: { notice: NoticeItem }) {
  switch (what) {
    case 'compacted':
      return (
        <Line icon={<FoldVertical />} className="notice-wide">
          The agent continues with a summary of the messages above
        </Line>
      )
    case 'interrupted':
      return <Line icon={<CircleSlash />}>Interrupted</Line>
    case 'error':
      return (
        <Line icon={<TriangleAlert />} className="notice-line-error">
          {text === '' ? 'The service returned an error.' : text}
        </Line>
      )
    case 'information':
      return <Line icon={<Info />}>{text}</Line>
    case 'output':
      return text.trim() === '' ? (
        <Line icon={<SquareTerminal />}>No output</Line>
      ) : (
        <Output text={text} label="Output" />
      )
  }
}

function Line({ icon, className = '', children }: { icon: ReactNode; className?: string; children: string }) {
  return (
    <p className={`row aside ${className}`}>
      {icon}
      <span className="selectable">{children}</span>
    </p>
  )
}
