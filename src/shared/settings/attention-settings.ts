import { onOff } from './setting'

export const attentionSettings = {
  attentionNotify: onOff({
    title: 'System notifications',
    sentence: 'Notifies you when an agent, a terminal or a command is waiting for you.',
    scope: 'person',
    default: true,
  }),
  attentionSound: onOff({
    title: 'Play a sound',
    sentence: 'Plays two short notes when something is waiting for you.',
    scope: 'person',
    default: false,
  }),
  updatesAsked: onOff({
    title: 'Check for updates',
    sentence: 'The installed app checks once a day, and asks before it downloads or installs an update.',
    scope: 'person',
    default: true,
  }),
}
