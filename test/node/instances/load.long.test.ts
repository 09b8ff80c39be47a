/** Servers with two instances under load: rolling restart, shutdown, and an instance that is killed. */
import * as assert from 'uvu/assert'
import { describe, repetitions } from '../../support/describe.ts'
import { startLoad } from './load.ts'
import { pidsOf, withSupervised } from './supervised-program.ts'
import { waitUntil } from '../../support/wait-until.ts'

const two = {
  options: {
    instances: 2,
    'fw.shutdown.grace': 2000,
    // other processes may delay the event loop
    'fw.http.overload.enabled': false,
  },
}
const rounds = repetitions(1, 3)
const progress = 300

/** Waits for further responses, so that an event happens under load. */
const moreResponses = (responses: () => number): Promise<void> => {
  const before = responses()
  return waitUntil(() => responses() >= before + progress)
}

describe('a rolling restart under load', (test) => {
  for (let round = 1; round <= rounds; round++)
    test(`round ${round}: loses no request, on open connections and on new ones`, () =>
      withSupervised(two, async ({ url, kill, logged }) => {
        const before = await pidsOf(url, 2)
        const persistent = startLoad(url, { clients: 20, reconnects: true })
        const reconnecting = startLoad(url, {
          clients: 10,
          reconnects: true,
          requestsPerConnection: 3,
        })
        await moreResponses(persistent.responses)
        await moreResponses(reconnecting.responses)
        kill('SIGHUP')
        await logged('Instance replaced', 2)
        await moreResponses(persistent.responses)
        await moreResponses(reconnecting.responses)
        await waitUntil(() => new Set([...persistent.pids, ...reconnecting.pids]).size === 4)
        await Promise.all([persistent.stop(), reconnecting.stop()])
        assert.equal([...persistent.lost, ...reconnecting.lost], [])
        const after = await pidsOf(url, 2)
        assert.equal(
          after.filter((pid) => before.includes(pid)),
          [],
        )
      }))
})

describe('a shutdown under load', (test) => {
  for (let round = 1; round <= rounds; round++)
    test(`round ${round}: SIGTERM loses no request on open connections`, () =>
      withSupervised(two, async ({ url, kill, exit }) => {
        const clients = 60
        const load = startLoad(url, { clients, reconnects: false })
        await waitUntil(() => load.connections() === clients && load.pids.size === 2)
        await moreResponses(load.responses)
        kill('SIGTERM')
        await load.ended
        assert.equal(load.lost, [])
        assert.is((await exit).code, 0)
      }))
})

describe('kill -9 of an instance under load', (test) => {
  for (let round = 1; round <= rounds; round++)
    test(`round ${round}: loses only requests on connections of this instance`, () =>
      withSupervised(two, async ({ url, logged }) => {
        const [killed = 0, other = 0] = await pidsOf(url, 2)
        const clients = 20
        const load = startLoad(url, { clients, reconnects: true })
        await waitUntil(() => load.connections() === clients && load.pids.size === 2)
        await moreResponses(load.responses)
        process.kill(killed, 'SIGKILL')
        const { signal, pid } = await logged('Instance exited unexpectedly and will be replaced')
        assert.equal([signal, pid], ['SIGKILL', killed])
        await logged('Instance replaced')
        await moreResponses(load.responses)
        await load.stop()
        assert.equal(
          load.lost.filter((request) => request.pid === other),
          [],
        )
        // a connection that the instance had accepted may not have had a response
        assert.ok(load.lost.filter((request) => request.pid === undefined).length <= 1)
        const remaining = await pidsOf(url, 2)
        assert.is(remaining.includes(other) && !remaining.includes(killed), true)
      }))
})
