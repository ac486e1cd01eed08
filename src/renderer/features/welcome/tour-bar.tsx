import { Check, Circle } from 'lucide-react'
import { useEffect } from 'react'
import type { TourState } from '../../../shared/contract/first-run'
import { useKeyOf } from '../../commands/registry'
import { send } from '../../state/host/calls'
import { openFile } from '../../state/tabs/wanted-file'
import { startTour, useTour } from '../../state/window/tour-mirror'
import { chooseFolder } from '../../state/window/window-actions'
import { Button } from '../../ui/controls/button'
import { Kbd } from '../../ui/controls/kbd'
import { announce } from '../../ui/browser/live-region'
import './tour-bar.css'

/** The tour's steps, above the window while it runs; each is marked once done. */
export function TourBar() {
  const tour = useTour()
  return tour ? <Steps tour={tour} /> : null
}

function Steps({ tour }: { tour: TourState }) {
  const { phase } = tour
  useEffect(() => {
    if (phase === 'asking') announce('Tour started. A sample change is waiting for you.')
    if (phase === 'written') announce('The sample file is written. Tour finished.')
  }, [phase])
  return (
    <section className="tour row" aria-label="Tour">
      {phase === 'asking' ? <Asking tour={tour} /> : <Over tour={tour} />}
      <Button size="small" variant="quiet" onClick={() => send('tour.leave', {})}>
        {phase === 'asking' ? 'Leave the tour' : 'Close the tour'}
      </Button>
    </section>
  )
}

function Asking({ tour }: { tour: TourState }) {
  const steps: [done: boolean, words: string, keys: string | undefined][] = [
    [tour.accepted, 'Accept a change', useKeyOf('review.acceptChange')],
    [tour.rejected, 'Reject a change', useKeyOf('review.rejectChange')],
    [tour.edited, 'Type in a change to edit it', undefined],
  ]
  const left = steps.filter(([done]) => !done).length
  const acceptKey = useKeyOf('review.acceptFile')
  return (
    <>
      <p className="tour-words">
        <strong>{left === 0 ? 'Now accept the file.' : `Step ${4 - left} of 3.`}</strong>{' '}
        {left === 0
          ? 'Only then is it written, with your edits.'
          : 'A sample agent wants to change a sample file. Nothing is written yet.'}
      </p>
      <ol className="tour-steps">
        {steps.map(([done, words, keys]) => (
          <li key={words} className="row" data-done={done} aria-label={`${words}${done ? ', done' : ''}`}>
            {done ? <Check aria-hidden="true" /> : <Circle aria-hidden="true" />}
            <span>{words}</span>
            {!done && keys ? <Kbd keys={keys} /> : null}
          </li>
        ))}
        {left === 0 ? (
          <li className="row">
            <Circle aria-hidden="true" />
            <span>Accept file</span>
            {acceptKey ? <Kbd keys={acceptKey} /> : null}
          </li>
        ) : null}
      </ol>
    </>
  )
}

function Over({ tour }: { tour: TourState }) {
  if (tour.phase === 'ended') {
    return (
      <>
        <p className="tour-words">
          <strong>Rejected.</strong> The sample file is unchanged.
        </p>
        <Button size="small" onClick={startTour}>
          Start again
        </Button>
      </>
    )
  }
  return (
    <>
      <p className="tour-words">
        <strong>Written.</strong> {tour.name} now has exactly what you accepted and edited.
      </p>
      <Button size="small" onClick={() => void openFile(tour.path, { preview: false, focus: true })}>
        Show the file
      </Button>
      <Button size="small" onClick={() => void chooseFolder()}>
        Open a folder …
      </Button>
    </>
  )
}
