import { other } from './setting'

export const keySettings = {
  keys: other<Record<string, string[]>>(
    {},
    {
      title: 'Keys',
      sentence: 'Custom keys by command; an empty list removes a command’s keys.',
      scope: 'person',
    },
  ),
}
