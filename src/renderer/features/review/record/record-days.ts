import type { WriteEntry } from '../../../../shared/contract/write-record'
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
