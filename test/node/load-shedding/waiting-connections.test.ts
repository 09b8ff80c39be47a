import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import * as assert from 'uvu/assert'
import { waitingConnections } from '../../../src/node/load-shedding/waiting-connections.ts'
import { describe, describeWith } from '../../support/describe.ts'
import { hold } from '../../support/block-thread.ts'

describe('waitingConnections', (test) => {
  test('is 0 for a port that has no server', () => assert.is(waitingConnections(1), 0))
})

describeWith(
  'waitingConnections on Linux',
  'file /proc/net/tcp',
  process.platform === 'linux',
  (test) => {
    for (const host of ['127.0.0.1', '::1'])
      test(`counts connections to ${host} that are not accepted yet`, async () => {
        const server = createServer((socket) => socket.destroy()).listen(0, host)
        await once(server, 'listening')
        const { port } = server.address() as AddressInfo
        const sockets = Array.from({ length: 5 }, () => connect(port, host).on('error', () => {}))
        // the system establishes them while this thread is held
        const counts: number[] = []
        await new Promise<void>((resolve) =>
          setImmediate(() => {
            hold(50)
            counts.push(waitingConnections(port))
            resolve()
          }),
        )
        await Promise.all(sockets.map((socket) => once(socket, 'close')))
        counts.push(waitingConnections(port))
        server.close()
        assert.ok((counts[0] ?? 0) >= 4, `${counts[0]} waiting`)
        assert.is(counts[1], 0)
      })
  },
)
