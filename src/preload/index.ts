import { contextBridge, ipcRenderer, webUtils } from 'electron/renderer'
import { type PagePort, openTopic, pagePortName, pieceTopic } from '../shared/rpc/page-port'

let hear: (piece: string | null) => void = () => undefined
ipcRenderer.on(pieceTopic, (_event, piece: unknown) => hear(typeof piece === 'string' ? piece : null))

/** All that the page can reach of Electron: texts to and from its window's host. */
const port: PagePort = {
  open(listener) {
    hear = listener
    ipcRenderer.send(openTopic)
  },
  send(piece) {
    if (typeof piece === 'string') ipcRenderer.send(pieceTopic, piece)
  },
  pathOf: (file) => (file instanceof File ? webUtils.getPathForFile(file) : ''),
}
contextBridge.exposeInMainWorld(pagePortName, port)
