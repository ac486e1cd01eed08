import { onOff } from './setting'

export const attentionSettings = {
  updatesAsked: onOff({
    title: 'Look for newer versions',
    sentence:
      'The installed app looks for a newer version once a day, and asks before it fetches and before it installs one.',
    group: 'attention',
    scope: 'person',
    default: true,
  }),
}
