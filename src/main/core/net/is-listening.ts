import { connect } from 'node:net'

/** How long loopback may take, in milliseconds. */
const patience = 2000

/** Whether anything listens on a port of 127.0.0.1. Connects to it, and sends nothing. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: patience })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}
