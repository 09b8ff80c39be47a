/** Tests the responses and the failures of the undici transport. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { Agent } from 'undici'
import type { Passage } from '../../../src/client/exchange.ts'
import { undiciTransport } from '../../../src/client/transport/undici-transport.ts'
import { expectError, requestTo, expectResponse } from '../fake-transport.ts'
import { describe } from '../../support/describe.ts'
import { withHttpServer } from '../../support/while-listening.ts'
import { stable, turns, waitUntil } from '../../support/wait-until.ts'

type UseTransport = (passage: Passage, url: string) => Promise<void>

const serve = async (
  respond: (response: ServerResponse) => void,
  use: UseTransport,
): Promise<void> => {
  const dispatcher = new Agent({ connections: 1 })
  try {
    await withHttpServer(
      (_, response) => respond(response),
      ({ url }) => use(undiciTransport(dispatcher), url),
    )
  } finally {
    await dispatcher.destroy()
  }
}

const mebibyte = new Uint8Array(1024 * 1024).fill(97)

describe('undiciTransport: responses and failures', (test) => {
  test('response headers include repeated headers and exclude those of early hints', () =>
    serve(
      (response) => {
        response.writeEarlyHints({ link: '</a.css>; rel=preload' })
        response.setHeader('X-Name', 'Zoë')
        // with a Buffer, Node.js encodes headers as latin1
        response.setHeader('Set-Cookie', ['a=1', 'b=2']).end(Buffer.from('Hello'))
      },
      async (passage, url) => {
        const { status, headers, body } = expectResponse(await passage(requestTo(url))())
        assert.is(status, 200)
        assert.equal(
          headers.filter((_, at) => ['x-name', 'set-cookie'].includes(headers[at - 1] ?? '')),
          ['Zoë', 'a=1', 'b=2'],
        )
        assert.is(headers.includes('link'), false)
        assert.is(await new Response(body).text(), 'Hello')
      },
    ))
  test('applies back-pressure while the body is not read, and loses no bytes', async () => {
    let written = 0
    await serve(
      async (response) => {
        for (let time = 0; time < 64; time++) {
          if (!response.write(mebibyte)) await once(response, 'drain')
          written++
        }
        response.end()
      },
      async (passage, url) => {
        const { body } = expectResponse(await passage(requestTo(url))())
        const sent = await stable(() => written)
        assert.ok(sent < 40, `${sent} MiB sent`)
        let length = 0
        for await (const chunk of body ?? []) {
          length += chunk.length
          if (length < 100_000) await sleep(5)
        }
        assert.is(length, 64 * mebibyte.length)
      },
    )
  })
  test('a queued request that is aborted is not sent', async () => {
    let requests = 0
    const held: ServerResponse[] = []
    await serve(
      (response) => {
        requests++
        held.push(response)
      },
      async (passage, url) => {
        const first = passage(requestTo(url))()
        await waitUntil(() => requests === 1)
        const caller = new AbortController()
        const second = passage(requestTo(url, { signal: caller.signal }))()
        await turns()
        caller.abort()
        assert.is(expectError(await second)._tag, 'Aborted')
        held[0]?.end('Hello')
        await new Response(expectResponse(await first).body).text()
        await turns()
        assert.is(requests, 1)
      },
    )
  })
  test('an abort takes effect until the body is read, even if it is complete', () =>
    serve(
      (response) => void response.end('Hello'),
      async (passage, url) => {
        const caller = new AbortController()
        const { body } = expectResponse(await passage(requestTo(url, { signal: caller.signal }))())
        await turns()
        caller.abort(new Error('enough'))
        await new Response(body).text().then(assert.unreachable, (error: unknown) => {
          assert.match(String(error), 'enough')
        })
      },
    ))
  test('a lost connection and invalid options result in NetworkError', async () => {
    await serve(
      (response) => void response.destroy(),
      async (passage, url) => {
        assert.is(expectError(await passage(requestTo(url))())._tag, 'NetworkError')
        const wrong = requestTo(url, { headers: ['a b', 'c'] })
        assert.is(expectError(await passage(wrong)())._tag, 'NetworkError')
        assert.is(expectError(await passage(requestTo('ftp://x/'))())._tag, 'NetworkError')
        assert.is(expectError(await passage(requestTo('no url'))())._tag, 'NetworkError')
      },
    )
  })
})
