/** Tests of `fw.worker.queue`, and of disconnects while a job waits or runs. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { api } from '../../programs/blocking-api.ts'
import { recordConnections } from '../accepted-connections.ts'
import { describe } from '../../support/describe.ts'
import { createGate } from '../../support/gate.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'
import {
  fetchText,
  options,
  startRequest,
  withWorkerServer,
  statusOf,
} from '../../support/workers.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

describe('the queue of a worker pool', (test) => {
  test('a full queue returns 503 at once', () =>
    withWorkerServer({ 'fw.worker.queue': 2 }, async (server) => {
      const gate = createGate()
      const responses: Array<readonly [status: number, retryAfter: string | null]> = []
      const requests = Array.from({ length: 6 }, async () => {
        const response = await fetch(`${server.url}/gated?gate=${gate.name}`)
        await response.text()
        responses.push([response.status, response.headers.get('Retry-After')])
      })
      const [rejected, accepted] = [
        [503, '1'],
        [200, null],
      ]
      // rejected requests do not wait for running jobs
      await waitUntil(() => responses.length === 3)
      assert.equal(responses, [rejected, rejected, rejected])
      gate.open()
      await Promise.all(requests)
      assert.equal(responses.slice(3), [accepted, accepted, accepted])
    }))
  test('a queue of size 0 still uses free workers', () =>
    withWorkerServer({ 'fw.worker.queue': 0 }, async (server) => {
      assert.is(await statusOf(server, '/compute/0'), 200)
      const gate = createGate()
      const busy = statusOf(server, `/gated?gate=${gate.name}`)
      await waitUntil(gate.isReached)
      assert.is(await statusOf(server, '/compute/0'), 503)
      gate.open()
      assert.is(await busy, 200)
    }))
  test('a disconnect removes a waiting job', () =>
    withWorkerServer({}, async (server) => {
      const gate = createGate()
      const busy = statusOf(server, `/gated?gate=${gate.name}`)
      await waitUntil(gate.isReached)
      const { sockets, receivedBytes, stop } = recordConnections()
      const disconnect = startRequest(server, '/ending')
      await waitUntil(() => receivedBytes() > 0)
      disconnect()
      await waitUntil(() => sockets.every(({ closed }) => closed))
      stop()
      gate.open()
      assert.is(await busy, 200)
      assert.equal(await fetchText(server, '/ended'), [200, ''])
    }))
})

for (const connection of ['node', 'direct'] as const)
  describe(`a half-close while a job waits, with ${connection}`, (test, { before, after }) => {
    let shared: Server
    before(async () => {
      shared = await serve(api, {
        ...options,
        'fw.worker.queue': 2,
        'fw.http.connection': connection,
      })
    })
    after(() => shared.close())
    const withShared = (use: (server: Server) => Promise<void>): Promise<void> => use(shared)

    test('frees its place in the queue', () =>
      withShared(async (server) => {
        const gate = createGate()
        const busy = statusOf(server, `/gated?gate=${gate.name}`)
        await waitUntil(gate.isReached)
        const { sockets, stop } = recordConnections()
        const leaving = await Promise.all([connectTo(server.url), connectTo(server.url)])
        for (const client of leaving) {
          client.write(rawRequest('GET /compute/0'))
          client.socket.end()
        }
        await waitUntil(
          () => sockets.length === 2 && sockets.every((socket) => socket.readableEnded),
        )
        stop()
        const newcomers = [statusOf(server, '/compute/0'), statusOf(server, '/compute/0')]
        // those who still read get the response that a full queue results in
        for (const client of leaving) assert.is((await client.next()).status, 503)
        gate.open()
        assert.equal(await Promise.all([busy, ...newcomers]), [200, 200, 200])
      }))

    test('the response is sent if no other job needs the place', () =>
      withShared(async (server) => {
        const gate = createGate()
        const busy = statusOf(server, `/gated?gate=${gate.name}`)
        await waitUntil(gate.isReached)
        const client = await connectTo(server.url)
        client.write(rawRequest('GET /compute/0'))
        client.socket.end()
        gate.open()
        assert.is((await client.next()).status, 200)
        assert.is(await busy, 200)
      }))

    test('the job runs after the jobs of other clients', () =>
      withShared(async (server) => {
        const gate = createGate()
        const busy = statusOf(server, `/gated?gate=${gate.name}`)
        await waitUntil(gate.isReached)
        const { sockets, stop } = recordConnections()
        const client = await connectTo(server.url)
        client.write(rawRequest('GET /compute/0'))
        client.socket.end()
        await waitUntil(
          () => sockets.length === 1 && sockets.every((socket) => socket.readableEnded),
        )
        let hasResponse = false
        const half = client.next().then(() => (hasResponse = true))
        const secondGate = createGate()
        const second = await connectTo(server.url)
        second.write(rawRequest(`GET /gated?gate=${secondGate.name}`))
        await waitUntil(() => (sockets[1]?.bytesRead ?? 0) > 0)
        stop()
        await turns()
        gate.open()
        await waitUntil(secondGate.isReached)
        await turns()
        assert.not(hasResponse)
        secondGate.open()
        await Promise.all([busy, half, second.next()])
        second.destroy()
      }))
  })

describe('a disconnect while a job runs', (test) => {
  for (const kind of ['patient', 'busy'])
    test(`aborts the signal of the handler, ${kind}`, () =>
      withWorkerServer({ 'fw.worker.timeout': 20_000 }, async (server) => {
        const gate = createGate()
        const disconnect = startRequest(server, `/${kind}?gate=${gate.name}`)
        await waitUntil(gate.isReached)
        disconnect()
        // the same worker continues: the counter is in its memory
        await waitUntil(async () => (await fetchText(server, '/aborted'))[1] === '1')
      }))
  test('calls a later end callback at once', () =>
    withWorkerServer({}, async (server) => {
      const gate = createGate()
      const disconnect = startRequest(server, `/late?gate=${gate.name}`)
      await waitUntil(gate.isReached)
      disconnect()
      await waitUntil(async () => (await fetchText(server, '/ends'))[1] === 'late undefined')
    }))
})
