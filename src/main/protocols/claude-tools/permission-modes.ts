import type { FieldChoice } from '../../../shared/approval/approval-fields'

/** The permission modes, as a person chooses among them. */
export const modeChoices: readonly FieldChoice[] = [
  { value: 'default', label: 'Ask before each change', help: 'What isn’t allowed by a rule is asked.' },
  {
    value: 'plan',
    label: 'Plan',
    help: 'Claude reads and makes a plan. Nothing is changed before you agree to it.',
  },
  {
    value: 'acceptEdits',
    label: 'Accept edits',
    help: 'Changes inside the folder need no permission. They are still reviewed while “Review changes” is on.',
  },
  { value: 'auto', label: 'Auto', help: 'A model of the vendor decides what is asked.' },
  { value: 'dontAsk', label: 'Never ask, refuse', help: 'What isn’t allowed by a rule is refused.' },
  {
    value: 'bypassPermissions',
    label: 'No questions at all (dangerous)',
    help: null,
    warning:
      'Every command runs at once, whatever it does to this computer. Only changes by its editing tools are reviewed, while “Review changes” is on.',
  },
]
