/** Tests of the keep-alive race: a request sent around the announced timeout is served. */
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import { describe } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'

const alive = pipe(
  path('/alive'),
  get(),
  produces(text),
  handle(() => 'alive'),
)

describe('a keep-alive connection', (test) => {
  test('accepts a request that is sent within 5 ms of its timeout', async () => {
    const server = await serveLocally(routes({ alive }), {
      'fw.http.keep-alive-timeout': '1s',
    })
    try {
      const statuses = Array.from({ length: 44 }, async (_, index) => {
        const connection = await connectTo(server.url)
        connection.write(rawRequest('GET /alive'))
        assertResponse(await connection.next(), [200, 'alive', { 'keep-alive': 'timeout=1' }])
        await wait(995 + (index % 11))
        connection.write(rawRequest('GET /alive'))
        const { status } = await connection.next()
        connection.destroy()
        return status
      })
      assert.equal(
        (await Promise.all(statuses)).filter((status) => status !== 200),
        [],
      )
    } finally {
      await server.close()
    }
  })
})
