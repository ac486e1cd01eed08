import { onOff } from './setting'

export const attentionSettings = {
  attentionNotify: onOff({
    title: 'System notifications',
    sentence: 'The system says when an agent, a terminal or a command begins to wait for you elsewhere.',
    group: 'attention',
    scope: 'person',
    default: true,
  }),
  attentionSound: onOff({
    title: 'A sound',
    sentence: 'Two short notes when something begins to wait for you elsewhere.',
    group: 'attention',
    scope: 'person',
    default: false,
  }),
  updatesAsked: onOff({
    title: 'Look for newer versions',
    sentence:
      'The installed app looks for a newer version once a day, and asks before it fetches and before it installs one.',
    group: 'attention',
    scope: 'person',
    default: true,
  }),
}
