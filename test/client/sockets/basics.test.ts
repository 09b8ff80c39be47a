import { once } from 'node:events'
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { compressRequests } from '../../../src/client/policy/compress-requests.ts'
import { concurrencyLimit } from '../../../src/client/policy/request-limits.ts'
import { followRedirects } from '../../../src/client/policy/follow-redirects.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import { timeout } from '../../../src/client/policy/timeout.ts'
import { requestTo, expectResponse, send, readText, statusOrTag } from '../fake-transport.ts'
import { describe } from '../../support/describe.ts'
import { fetchTransport } from '../../../src/client/transport/transport.ts'
import { withHttpServer, withServer } from '../../support/while-listening.ts'

const network = { passage: fetchTransport(undefined) }

describe('policies over fetch', (test) => {
  test('timeout aborts a request to a server that does not respond', () => {
    const server = createServer(() => undefined)
    return withServer(server, async ({ url }) => {
      // after an abort, `fetch` may open another connection, which remains unused
      const gone = once(server, 'connection').then(([socket]) => once(socket, 'close'))
      assert.is(statusOrTag(await send(timeout('50ms'), network, requestTo(url))), 'TimedOut')
      await gone
    })
  })
  test('followRedirects sends no credentials to another origin', () =>
    withHttpServer(
      (request, response) => response.end(`target: ${request.headers.authorization}`),
      ({ url: target }) =>
        withHttpServer(
          (_, response) => response.writeHead(302, { Location: target }).end('moved'),
          async ({ url }) => {
            const request = requestTo(url, { headers: ['Authorization', 'Bearer a'] })
            assert.is(statusOrTag(await send([], network, request)), 302)
            const response = expectResponse(await send(followRedirects(), network, request))
            assert.equal(
              [response.status, response.url, await readText(response.body)],
              [200, `${target}/`, 'target: undefined'],
            )
          },
        ),
    ))
  test('retry sends a request again after a lost connection', () => {
    let count = 0
    return withHttpServer(
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
  test('compressRequests compresses the request body, and fetch accepts compressed responses', () =>
    withHttpServer(
      async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const { 'accept-encoding': accepted, 'content-encoding': coding } = request.headers
        const content = gunzipSync(Buffer.concat(chunks)).toString()
        response.end(JSON.stringify([accepted?.includes('gzip'), coding, content.length]))
      },
      async ({ url }) => {
        const body = { _tag: 'Buffered', data: 'a'.repeat(5000) } as const
        const request = requestTo(url, { method: 'POST', body })
        const response = expectResponse(await send(compressRequests(), network, request))
        assert.equal(JSON.parse(await readText(response.body)), [true, 'gzip', 5000])
      },
    ))
  test('one signal aborts requests in flight and queued requests', () => {
    let count = 0
    const server = createServer(() => count++)
    return withServer(server, async ({ url }) => {
      const passage = concurrencyLimit(1).around(network.passage)
      const caller = new AbortController()
      const received = once(server, 'request')
      const calls = [1, 2, 3].map(() => passage(requestTo(url, { signal: caller.signal }))())
      const [request] = await received
      const gone = once(request.socket, 'close')
      caller.abort()
      assert.equal((await Promise.all(calls)).map(statusOrTag), ['Aborted', 'Aborted', 'Aborted'])
      await gone
      assert.is(count, 1)
    })
  })
})
