import { parentPort } from 'node:worker_threads'
import { Screen } from './screen'
import type { FromScreens, ToScreens } from './screen-messages'

/** The worker's entry: the screens of one window's terminals, off the host's main thread. */
const port = parentPort
if (!port) throw new Error('this file runs in a worker')

const screens = new Map<string, Screen>()
const tell = (message: FromScreens): void => port.postMessage(message)

port.on('message', (message: ToScreens) => {
  const { id } = message
  const screen = screens.get(id)
  switch (message.kind) {
    case 'open':
      screen?.dispose()
      screens.set(
        id,
        new Screen(message.columns, message.rows, {
          taken: (length) => tell({ kind: 'taken', id, length }),
          title: (title) => tell({ kind: 'title', id, title }),
          bell: () => tell({ kind: 'bell', id }),
          announcement: (announcement) => tell({ kind: 'announcement', id, announcement }),
          answer: (data) => tell({ kind: 'answer', id, data }),
        }),
      )
      return
    case 'feed':
      screen?.feed(message.output)
      return
    case 'resize':
      screen?.resize(message.columns, message.rows)
      return
    case 'image': {
      const { request } = message
      if (!screen) return tell({ kind: 'image', request, image: null })
      void screen.image().then((image) => tell({ kind: 'image', request, image }))
      return
    }
    case 'takesPaste': {
      const { request } = message
      if (!screen) return tell({ kind: 'takesPaste', request, takes: false })
      void screen.takesPaste().then((takes) => tell({ kind: 'takesPaste', request, takes }))
      return
    }
    case 'close':
      screen?.dispose()
      screens.delete(id)
  }
})
