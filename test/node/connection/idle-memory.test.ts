/** The memory that connections hold between two requests. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { nodeRequest } from '../../../src/node.ts'
import { body, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, rawRequest, requestWithBody } from '../../support/raw.ts'
import { waitUntil } from '../../support/wait-until.ts'

describe('an idle connection', (test) => {
  table(
    test,
    [
      ['a request without a body', rawRequest('GET /text')],
      ['a request with a body', requestWithBody('POST /text', 'abc', 'Content-Type: text/plain')],
    ] as const,
    async (_, request) => {
      const requests: WeakRef<object>[] = []
      const read = pipe(
        path('/text'),
        get(),
        produces(text),
        handle((_input, context) => {
          requests.push(new WeakRef(nodeRequest(context) ?? {}))
          return 'read'
        }),
      )
      const write = pipe(
        path('/text'),
        post(),
        body(text),
        produces(text),
        handle((_input, context) => {
          requests.push(new WeakRef(nodeRequest(context) ?? {}))
          return 'read'
        }),
      )
      const server = await serveLocally(routes({ read, write }))
      try {
        const [idle, other] = [await connectTo(server.url), await connectTo(server.url)]
        idle.write(request)
        assertResponse(await idle.next(), [200, 'read'])
        // the event loop monitor keeps the latest request of the server
        other.write(request)
        assertResponse(await other.next(), [200, 'read'])
        assert.is(requests.length, 2)
        await waitUntil(() => {
          collectGarbage()
          return requests[0]?.deref() === undefined
        })
      } finally {
        await server.close()
      }
    },
  )
})
