/**
 * A drain under load, in which clients open connections until the server no longer listens. `DRAIN_ROUNDS` sets the number of rounds of
 * each suite.
 */
import * as assert from 'uvu/assert'
import type { ServeOptions } from '../../../src/node.ts'
import { describe, repetitions } from '../../support/describe.ts'
import { waitUntil } from '../../support/workers.ts'
import { startLoad } from '../instances/load.ts'
import { withSupervised } from '../instances/supervised-program.ts'

const isLong = process.env['DRAIN_ROUNDS'] !== undefined
const rounds = Number(process.env['DRAIN_ROUNDS'] ?? repetitions(1, 3))
const clients = 100

/** Sends SIGTERM to a program under load, and returns the number of responses and the lost requests. */
const drainUnderLoad = async (
  options: ServeOptions,
): Promise<{ readonly responses: number; readonly lost: ReadonlyArray<unknown> }> => {
  const result = { responses: 0, lost: new Array<unknown>() }
  await withSupervised({ options }, async ({ url, kill, exit }) => {
    const loads = [1, 20].map((requestsPerConnection) =>
      startLoad(url, {
        clients: clients / 2,
        reconnects: true,
        endsWithServer: true,
        requestsPerConnection,
      }),
    )
    const responses = (): number => loads.reduce((sum, load) => sum + load.responses(), 0)
    await waitUntil(() => responses() > 2000)
    kill('SIGTERM')
    await Promise.all(loads.map(({ ended }) => ended))
    assert.is((await exit).code, 0)
    result.responses = responses()
    result.lost.push(...loads.flatMap(({ lost }) => lost))
  })
  return result
}

for (const connection of ['node', 'direct'] as const)
  describe(`a drain under load with ${connection}, with new connections until the end`, (test, {
    after,
  }) => {
    let sent = 0
    for (let round = 1; round <= rounds; round++)
      test(`round ${round}: loses no request`, async () => {
        const { responses, lost } = await drainUnderLoad({
          'fw.shutdown.grace': 300,
          'fw.http.overload.enabled': false,
          'fw.http.connection': connection,
        })
        sent += responses
        assert.equal(lost, [])
      })
    after(() => {
      if (isLong) console.log(`${connection}: ${sent} requests`)
    })
  })
