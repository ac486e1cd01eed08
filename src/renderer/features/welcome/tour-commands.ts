import type { Disposable } from '../../../shared/lifetime'
import { registerCommands } from '../../commands/registry'
import { send } from '../../state/host/calls'
import { hasTour, startTour } from '../../state/window/tour-mirror'

/** Registers the tour's commands until disposed. */
export function registerTourCommands(): Disposable {
  return registerCommands([
    { id: 'tour.start', title: 'Take the tour', menu: ['help', 1], run: startTour },
    {
      id: 'tour.leave',
      title: 'Leave the tour',
      menu: ['help', 1],
      when: hasTour,
      run: () => send('tour.leave', {}),
    },
  ])
}
