/**
 * What stands behind a status: R-054 of the rules. A reply cannot choose its reason phrase: clients are to ignore it (RFC 9112,
 * 4), HTTP/2 has none (RFC 9113, 8.3.2), and what is to be told has a place in the content.
 */
import { once } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, int, path, reply, responds, routes } from '../../src/index.ts'
import type { Server } from '../../src/node.ts'
import { describe, table } from '../support/describe.ts'
import { onLoopback } from '../support/loopback.ts'
import { connectTo } from '../support/raw-connection.ts'
import { to } from '../support/raw.ts'

const api = routes({
  any: pipe(
    path('/{status}', { status: int }),
    get(),
    responds(200),
    responds(222),
    responds(409),
    responds(499),
    responds(666),
    handle(({ path: { status } }) => reply(status as 200 | 222 | 409 | 499 | 666)),
  ),
})

describe('R-054: the reason phrase is that of the registry, or says that there is none', (test, hooks) => {
  let server: Server | undefined
  hooks.before(async () => {
    server = await onLoopback(api)
  })
  hooks.after(() => server?.close())
  table(
    test,
    [
      [200, 'OK'],
      [222, 'unknown'],
      [409, 'Conflict'],
      [499, 'unknown'],
      [666, 'unknown'],
    ] as const,
    async (status, phrase) => {
      const { socket, leave } = await connectTo(server?.url ?? '')
      socket.write(to(`GET /${status}`))
      const [octets] = (await once(socket, 'data')) as [Buffer]
      assert.is(String(octets).split('\r\n')[0], `HTTP/1.1 ${status} ${phrase}`)
      leave()
    },
  )
})
