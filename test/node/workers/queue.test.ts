/** Tests of `fw.worker.queue`, and of disconnects while a job waits or runs. */
import * as assert from 'uvu/assert'
import { recordConnections } from '../accepted-connections.ts'
import { describe } from '../../support/describe.ts'
import { createGate } from '../../support/gate.ts'
import {
  fetchText,
  startRequest,
  withWorkerServer,
  statusOf,
  waitUntil,
} from '../../support/workers.ts'

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
