/** Jobs that wait, and clients that do not: R-307, H7. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { describe } from '../../support/describe.ts'
import { ask, leaving, serving, statusOf, until } from '../../support/workers.ts'

describe('workers: the queue', (test) => {
  test('R-307, H7: what does not fit into it is answered with 503 at once', () =>
    serving({ 'fw.worker.queue': 2 }, async (server) => {
      const answered: Array<readonly [status: number, retryAfter: string | null]> = []
      const asked = Array.from({ length: 6 }, async () => {
        const response = await fetch(`${server.url}/compute/300`)
        await response.text()
        answered.push([response.status, response.headers.get('Retry-After')])
      })
      await Promise.all(asked)
      // those that are refused do not wait for those that work
      const [refused, taken] = [
        [503, '1'],
        [200, null],
      ]
      assert.equal(answered, [refused, refused, refused, taken, taken, taken])
    }))
  test('of no places still lets a free worker work', () =>
    serving({ 'fw.worker.queue': 0 }, async (server) => {
      assert.is(await statusOf(server, '/compute/0'), 200)
      const busy = statusOf(server, '/compute/300')
      await wait(50)
      assert.is(await statusOf(server, '/compute/0'), 503)
      assert.is(await busy, 200)
    }))
  test('H7: a client that goes while it waits takes its job along', () =>
    serving({}, async (server) => {
      const busy = statusOf(server, '/compute/1000')
      await wait(30)
      const leave = leaving(server, '/ending')
      await wait(50)
      leave()
      assert.is(await busy, 200)
      assert.equal(await ask(server, '/ended'), [200, ''])
    }))
})

describe('workers: a client that goes while its job runs', (test) => {
  for (const kind of ['patient', 'busy'])
    test(`is told to the handler, ${kind}`, () =>
      serving({ 'fw.worker.timeout': 5000 }, async (server) => {
        const leave = leaving(server, `/${kind}`)
        await wait(150)
        leave()
        // the same worker goes on: it remembers
        await until(async () => (await ask(server, '/aborted'))[1] === '1')
      }))
  test('R-299: is told to who registers for the end later, at once', () =>
    serving({}, async (server) => {
      const leave = leaving(server, '/late')
      await wait(150)
      leave()
      await until(async () => (await ask(server, '/ends'))[1] === 'late undefined')
    }))
})
