import type { WriteEntry } from '../../../../shared/contract/write-record'
import { formatSize } from '../../../ui/wording/number-format'
import { daysAgo } from '../../../ui/wording/relative-time'

/** What was written on one day, the latest first. */
interface RecordDay {
  label: string
  entries: readonly WriteEntry[]
}

/** Entries by local day, in the order they come in. `now` is in milliseconds since the epoch. */
export function byDay(entries: readonly WriteEntry[], now: number): RecordDay[] {
  const days: { label: string; entries: WriteEntry[] }[] = []
  for (const entry of entries) {
    const label = dayName(entry.at, now)
    const last = days.at(-1)
    if (last?.label === label) last.entries.push(entry)
    else days.push({ label, entries: [entry] })
  }
  return days
}

const format = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' })

function dayName(at: number, now: number): string {
  const days = daysAgo(at, now)
  if (days <= 0) return 'Today'
  return days === 1 ? 'Yesterday' : format.format(at)
}

/** What became of the file, as a sentence. */
export function outcomeWords({ written, how }: Pick<WriteEntry, 'written' | 'how'>): string {
  switch (written) {
    case 'as-proposed':
      return 'Written as proposed.'
    case 'otherwise':
      return 'Written, but not as proposed.'
    case 'nothing':
      return how === 'put-back' ? 'The file is as it was before.' : 'Nothing was written.'
    case 'unknown':
      return 'What was written isn’t known.'
  }
}

/** What there is to say of an entry whose content isn’t kept, as sentences. */
export function contentWords(
  entry: Pick<WriteEntry, 'bytesBefore' | 'bytesAfter' | 'written' | 'canUndo' | 'takenBack'>,
): string {
  const { bytesBefore, bytesAfter, written, canUndo, takenBack } = entry
  const sizes =
    bytesBefore === undefined || bytesAfter === undefined
      ? ''
      : `${formatSize(bytesBefore)} before, ${formatSize(bytesAfter)} after. `
  const isStuck = written !== 'nothing' && !canUndo && takenBack === undefined
  return `${sizes}Its content isn’t kept${isStuck ? ', so it can’t be put back' : ''}.`
}
