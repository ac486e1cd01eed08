import { choice, onOff } from './setting'

export const reviewSettings = {
  reviewLayout: choice({
    title: 'Changes',
    sentence: 'Whether old and new lines stand in one column or beside each other.',
    group: 'reviews',
    scope: 'folder',
    default: 'unified',
    options: [
      ['unified', 'In one column'],
      ['side-by-side', 'Side by side'],
    ],
  }),
  reviewWrap: onOff({
    title: 'Wrap long lines',
    sentence: 'Lines that are longer than the review is wide go on below.',
    group: 'reviews',
    scope: 'folder',
    default: false,
  }),
  reviewFoldUnchanged: onOff({
    title: 'Fold unchanged parts',
    sentence: 'Lines that no change touches become one line that can be opened.',
    group: 'reviews',
    scope: 'folder',
    default: true,
  }),
  reviewIgnoreWhitespace: onOff({
    title: 'Ignore changes of white space',
    sentence: 'Lines that differ only in spaces and tabs are not shown as changed.',
    group: 'reviews',
    scope: 'folder',
    default: false,
  }),
  reviewNextAfterDecision: onOff({
    title: 'Go to the next file after a decision',
    sentence:
      'When a file is accepted or rejected, the next review that waits is shown; by keys, the focus goes there.',
    group: 'reviews',
    scope: 'folder',
    default: true,
  }),
  reviewUnasked: onOff({
    title: 'Show what agents write without asking',
    sentence: 'A file that an agent writes by itself comes as a review afterwards, to be kept or put back.',
    group: 'reviews',
    scope: 'folder',
    default: true,
  }),
}
