import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ends, SocketProcesses, socketInodes } from './socket-process'

it('reads the kernel’s table', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0',
    '   1: 0100007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 222 1 0',
    '   2: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 333 1 0',
  ].join('\n')
  const inodes = socketInodes(table)
  expect(inodes.get(ends(0xc001, 8080))).toBe('222')
  expect(inodes.get(ends(8080, 0xc001))).toBe('333')
  expect(inodes.get(ends(1, 8080))).toBeUndefined()
})

it('finds the process that has connected', async (context) => {
  context.skip(process.platform !== 'linux', 'Linux only')
  const folder = mkdtempSync(join(tmpdir(), 'socket-process-'))
  const script = join(folder, 'client.cjs')
  writeFileSync(
    script,
    "require('node:net').connect(Number(process.argv[2]), '127.0.0.1').on('error', () => process.exit(0))",
  )
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const child = fork(script, [String(port)])
  const exited = once(child, 'exit')
  const [socket] = (await once(server, 'connection')) as [Socket]
  const sockets = new SocketProcesses()
  const asked = [socket.remotePort ?? 0, 1, socket.remotePort ?? 0].map((from) => sockets.find(from, port))
  expect(await Promise.all(asked)).toEqual([child.pid, undefined, child.pid])
  expect(await sockets.find(socket.remotePort ?? 0, port)).toBe(child.pid)
  child.kill('SIGKILL')
  await exited
  socket.destroy()
  server.close()
  rmSync(folder, { recursive: true })
})
