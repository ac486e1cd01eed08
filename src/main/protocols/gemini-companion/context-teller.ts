import { stat } from 'node:fs/promises'
import { disposable, type Disposable } from '../../../shared/lifetime'
import { debounceContext } from '../kit/debounce-context'
import { contextFrame, type ContextFrame } from './context-frame'
import type { ContextPort } from './ports'

/**
 * Sends the context once it rests after a change, if it then differs from what was sent last. What the person takes
 * away is sent at once.
 */
export function followContext(context: ContextPort, tell: (frame: ContextFrame) => void): Disposable {
  let last = ''
  let looks = 0
  let over = false
  const look = async (): Promise<void> => {
    const number = (looks += 1)
    const frame = await contextNow(context)
    // A later look knows more.
    if (over || number !== looks) return
    const text = JSON.stringify(frame)
    if (text === last) return
    last = text
    tell(frame)
  }
  const listening = debounceContext(context.onChange, () => void look())
  return disposable(() => {
    over = true
    listening.dispose()
  })
}

/** The context as agents may see it now: only files that are on disk. */
export async function contextNow(context: ContextPort): Promise<ContextFrame> {
  const paths = context.seen().files.map(({ path }) => path)
  const checked = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        (status) => (status.isFile() ? [path] : []),
        () => [],
      ),
    ),
  )
  const onDisk = new Set(checked.flat())
  // Read again: what was taken away meanwhile is not told.
  const { files, current } = context.seen()
  return contextFrame({ files: files.filter(({ path }) => onDisk.has(path)), current })
}
