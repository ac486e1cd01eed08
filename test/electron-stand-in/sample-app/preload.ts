import { contextBridge, ipcRenderer } from 'electron/renderer'
import type { SampleBridge } from './bridge'

const bridge: SampleBridge = {
  invoke: (channel, ...args) => ipcRenderer.invoke(channel, ...args),
  send: (channel, ...args) => ipcRenderer.send(channel, ...args),
  on(channel, listener) {
    const hear = (_event: unknown, value: unknown): void => listener(value)
    ipcRenderer.on(channel, hear)
    return () => void ipcRenderer.removeListener(channel, hear)
  },
}

contextBridge.exposeInMainWorld('sample', bridge)
