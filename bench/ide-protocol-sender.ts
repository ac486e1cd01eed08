import { Peer, type ServerAddress } from './ide-protocol-peer'

/** A process of its own that sends one large openDiff and a small call behind it, so that only the server is measured. */

const line = '    const value = compute("a \\"quoted\\" word", items[index]) // ünicode\n'
/** What is to be sent where. */
export interface LargeDiff {
  address: ServerAddress
  /** Of the proposed text. */
  megabytes: number
}

process.on('message', (diff: LargeDiff) => {
  void send(diff)
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function send({ address, megabytes }: LargeDiff): Promise<void> {
  const contents = line.repeat(Math.ceil((megabytes * 1024 * 1024) / line.length))
  const peer = await Peer.open(address)
  const path = '/nowhere/large.ts'
  const args = { old_file_path: path, new_file_path: path, new_file_contents: contents, tab_name: 'large' }
  process.send?.('begin')
  const begun = performance.now()
  const answered = peer.request('tools/call', { name: 'openDiff', arguments: args })
  await peer.call()
  process.send?.({ next: performance.now() - begun })
  await peer.request('tools/call', { name: 'close_tab', arguments: { tab_name: 'large' } })
  await answered
  await peer.close()
  process.send?.('done')
}
