import { once } from 'node:events'
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { compressRequests } from '../../../src/client/policy/compress-requests.ts'
import { concurrencyLimit } from '../../../src/client/policy/concurrency-limit.ts'
import { followRedirects } from '../../../src/client/policy/follow-redirects.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import { timeout } from '../../../src/client/policy/timeout.ts'
import {
  requestTo,
  expectResponse,
  send,
  readText,
  outcomeName,
} from '../../support/fake-transport.ts'
import { describe } from '../../support/describe.ts'
import { fetching } from '../../support/fetch-passage.ts'
import { whileAnswering, whileListening } from '../../support/while-listening.ts'

const network = { passage: fetching() }

describe('policies over a network', (test) => {
  test('R-446: a server that does not answer', () => {
    const server = createServer(() => undefined)
    return whileListening(server, async ({ url }) => {
      // for one that is aborted, `fetch` may make another connection, which nobody uses
      const gone = once(server, 'connection').then(([socket]) => once(socket, 'close'))
      assert.is(outcomeName(await send(timeout('50ms'), network, requestTo(url))), 'TimedOut')
      await gone
    })
  })
  test('R-447: redirects are followed, and credentials stay', () =>
    whileAnswering(
      (request, response) => response.end(`there: ${request.headers.authorization}`),
      ({ url: there }) =>
        whileAnswering(
          (_, response) => response.writeHead(302, { Location: there }).end('moved'),
          async ({ url }) => {
            const request = requestTo(url, { headers: ['Authorization', 'Bearer a'] })
            assert.is(outcomeName(await send([], network, request)), 302)
            const response = expectResponse(await send(followRedirects(), network, request))
            assert.equal(
              [response.status, response.url, await readText(response.body)],
              [200, `${there}/`, 'there: undefined'],
            )
          },
        ),
    ))
  test('R-448: a connection that is cut is a NetworkError, and worth another try', () => {
    let count = 0
    return whileAnswering(
      (request, response) => (count++ === 0 ? request.socket.destroy() : response.end('ok')),
      async ({ url }) => {
        const policy = retry({ times: 2, backoff: { first: 1 } })
        assert.is(
          await readText(expectResponse(await send(policy, network, requestTo(url))).body),
          'ok',
        )
        assert.is(count, 2)
      },
    )
  })
  test('R-451: contents are compressed both ways', () =>
    whileAnswering(
      async (request, response) => {
        const pieces: Buffer[] = []
        for await (const piece of request) pieces.push(piece as Buffer)
        const { 'accept-encoding': accepted, 'content-encoding': coding } = request.headers
        const content = gunzipSync(Buffer.concat(pieces)).toString()
        response.end(JSON.stringify([accepted?.includes('gzip'), coding, content.length]))
      },
      async ({ url }) => {
        const body = { _tag: 'Whole', content: 'a'.repeat(5000) } as const
        const request = requestTo(url, { method: 'POST', body })
        const response = expectResponse(await send(compressRequests(), network, request))
        assert.equal(JSON.parse(await readText(response.body)), [true, 'gzip', 5000])
      },
    ))
  test('R-457: a call that runs and calls that wait are aborted together', () => {
    let count = 0
    const server = createServer(() => count++)
    return whileListening(server, async ({ url }) => {
      const passage = concurrencyLimit(1).around(network.passage)
      const caller = new AbortController()
      const came = once(server, 'request')
      const calls = [1, 2, 3].map(() => passage(requestTo(url, { signal: caller.signal }))())
      const [request] = await came
      const gone = once(request.socket, 'close')
      caller.abort()
      assert.equal((await Promise.all(calls)).map(outcomeName), ['Aborted', 'Aborted', 'Aborted'])
      await gone
      assert.is(count, 1)
    })
  })
})
