import type { PathRule } from '../gate/path-rule'
import { choice, onOff, other } from './setting'

export const reviewSettings = {
  reviewLayout: choice({
    title: 'Changes',
    sentence: 'Shows old and new lines in one column or side by side.',
    scope: 'folder',
    default: 'unified',
    options: [
      ['unified', 'In one column'],
      ['side-by-side', 'Side by side'],
    ],
  }),
  reviewWrap: onOff({
    title: 'Wrap long lines',
    sentence: 'Wraps lines that don’t fit the width of the review.',
    scope: 'folder',
    default: false,
  }),
  reviewFoldUnchanged: onOff({
    title: 'Collapse unchanged lines',
    sentence: 'Collapses unchanged lines into one line that you can expand.',
    scope: 'folder',
    default: true,
  }),
  reviewIgnoreWhitespace: onOff({
    title: 'Ignore whitespace changes',
    sentence: 'Doesn’t show lines as changed if only spaces and tabs differ.',
    scope: 'folder',
    default: false,
  }),
  reviewNextAfterDecision: onOff({
    title: 'Go to the next file after a decision',
    sentence:
      'After you accept or reject a file, shows the next pending review. If you used the keyboard, moves the focus there.',
    scope: 'folder',
    default: true,
  }),
  reviewUnasked: onOff({
    title: 'Show what agents write without asking',
    sentence:
      'Shows files that agents write without asking as reviews, so you can keep them or put them back.',
    scope: 'folder',
    default: true,
  }),
  reviewPathRules: other<PathRule[]>([], {
    title: 'Rules for files',
    sentence:
      'Files that Claude may write without a review, that are always reviewed, or that it may not change: a list of pattern and answer (write, ask or never).',
    scope: 'folder',
    joins: true,
  }),
}
