/** Waiting jobs, and clients that disconnect meanwhile. */
import * as assert from 'uvu/assert'
import { accepted } from '../../support/accepted-connections.ts'
import { describe } from '../../support/describe.ts'
import { newGate } from '../../support/gate.ts'
import { ask, leaving, serving, statusOf, until } from '../../support/workers.ts'

describe('the queue of a worker pool', (test) => {
  test('a full queue returns 503 at once', () =>
    serving({ 'fw.worker.queue': 2 }, async (server) => {
      const gate = newGate()
      const answered: Array<readonly [status: number, retryAfter: string | null]> = []
      const asked = Array.from({ length: 6 }, async () => {
        const response = await fetch(`${server.url}/gated?gate=${gate.name}`)
        await response.text()
        answered.push([response.status, response.headers.get('Retry-After')])
      })
      const [refused, taken] = [
        [503, '1'],
        [200, null],
      ]
      // those that are refused do not wait for those that work
      await until(() => answered.length === 3)
      assert.equal(answered, [refused, refused, refused])
      gate.open()
      await Promise.all(asked)
      assert.equal(answered.slice(3), [taken, taken, taken])
    }))
  test('a queue of size 0 still uses free workers', () =>
    serving({ 'fw.worker.queue': 0 }, async (server) => {
      assert.is(await statusOf(server, '/compute/0'), 200)
      const gate = newGate()
      const busy = statusOf(server, `/gated?gate=${gate.name}`)
      await until(gate.isReached)
      assert.is(await statusOf(server, '/compute/0'), 503)
      gate.open()
      assert.is(await busy, 200)
    }))
  test('a disconnect removes a waiting job', () =>
    serving({}, async (server) => {
      const gate = newGate()
      const busy = statusOf(server, `/gated?gate=${gate.name}`)
      await until(gate.isReached)
      const { sockets, octets, stop } = accepted()
      const leave = leaving(server, '/ending')
      await until(() => octets() > 0)
      leave()
      await until(() => sockets.every(({ closed }) => closed))
      stop()
      gate.open()
      assert.is(await busy, 200)
      assert.equal(await ask(server, '/ended'), [200, ''])
    }))
})

describe('a disconnect while a job runs', (test) => {
  for (const kind of ['patient', 'busy'])
    test(`aborts the signal of the handler, ${kind}`, () =>
      serving({ 'fw.worker.timeout': 20_000 }, async (server) => {
        const gate = newGate()
        const leave = leaving(server, `/${kind}?gate=${gate.name}`)
        await until(gate.isReached)
        leave()
        // the same worker goes on: it remembers
        await until(async () => (await ask(server, '/aborted'))[1] === '1')
      }))
  test('calls a later end callback at once', () =>
    serving({}, async (server) => {
      const gate = newGate()
      const leave = leaving(server, `/late?gate=${gate.name}`)
      await until(gate.isReached)
      leave()
      await until(async () => (await ask(server, '/ends'))[1] === 'late undefined')
    }))
})
