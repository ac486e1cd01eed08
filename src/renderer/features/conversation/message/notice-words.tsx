import { CircleSlash, FoldVertical, Info, SquareTerminal, TriangleAlert } from 'lucide-react'
import type { Notice } from '../../../../shared/conversation/transcript'
import { Output } from './contents'

/** Something that happened between what was said. */
export function NoticeWords({ notice }: { notice: Notice }) {
  switch (notice.what) {
    case 'compacted':
      return (
        <p className="notice-line notice-wide">
          <FoldVertical aria-hidden="true" />
          <span>The agent continues with a summary of the messages above</span>
        </p>
      )
    case 'interrupted':
      return (
        <p className="notice-line">
          <CircleSlash aria-hidden="true" />
          <span>Interrupted</span>
        </p>
      )
    case 'error':
      return (
        <p className="notice-line notice-line-error">
          <TriangleAlert aria-hidden="true" />
          <span className="selectable">
            {notice.text === '' ? 'The service returned an error.' : notice.text}
          </span>
        </p>
      )
    case 'information':
      return (
        <p className="notice-line">
          <Info aria-hidden="true" />
          <span className="selectable">{notice.text}</span>
        </p>
      )
    case 'output':
      return notice.text.trim() === '' ? (
        <p className="notice-line">
          <SquareTerminal aria-hidden="true" />
          <span>No output</span>
        </p>
      ) : (
        <Output text={notice.text} label="Output" />
      )
  }
}
