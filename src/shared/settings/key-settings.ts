import { other } from './setting'

export const keySettings = {
  keys: other<Record<string, string[]>>(
    {},
    {
      title: 'Keys',
      sentence: 'Keys in place of the default ones, by command; an empty list takes a command’s keys away.',
      group: 'keys',
      scope: 'person',
    },
  ),
}
