/** What a dispatcher tells of a request, in the methods of each version of undici: versions 5 and 6 know the old ones, later ones the new. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { Agent } from 'undici'
import type { Passage } from '../../../src/client/exchange.ts'
import { UndiciHandler } from '../../../src/client/transport/undici-handler.ts'
import type { UndiciDispatcher } from '../../../src/client/transport/undici-transport.ts'
import { undiciTransport } from '../../../src/client/transport/undici-transport.ts'
import { expectError, requestTo, expectResponse } from '../../support/fake-transport.ts'
import { describe } from '../../support/describe.ts'
import { whileAnswering } from '../../support/while-listening.ts'

/** Shows a dispatcher the old methods of a handler, or the new ones. */
const oldOnly = (dispatcher: Agent): UndiciDispatcher => ({
  dispatch: (options, handler) => {
    assert.ok(handler instanceof UndiciHandler)
    return dispatcher.dispatch(options as never, {
      onConnect: (abort) => handler.onConnect(abort as (reason: unknown) => void),
      onHeaders: (status, raw, resume) => handler.onHeaders(status, raw, resume),
      onData: (piece) => handler.onData(piece),
      onComplete: () => handler.onComplete(),
      onError: (error) => handler.onError(error),
    })
  },
})
const newOnly = (dispatcher: Agent): UndiciDispatcher => ({
  dispatch: (options, handler) => {
    assert.ok(handler instanceof UndiciHandler)
    return dispatcher.dispatch(options as never, {
      onRequestStart: (controller) => handler.onRequestStart(controller as never),
      onResponseStart: (controller, status, fields) =>
        handler.onResponseStart(controller as never, status, fields),
      onResponseData: (controller, piece) =>
        handler.onResponseData(controller as never, new Uint8Array(piece as Uint8Array)),
      onResponseEnd: () => handler.onResponseEnd(),
      onResponseError: (controller, error) => handler.onResponseError(controller as never, error),
    })
  },
})

type Use = (passage: Passage, url: string) => Promise<void>

const served = async (
  hidden: (dispatcher: Agent) => UndiciDispatcher,
  answer: (response: ServerResponse) => void,
  use: Use,
): Promise<void> => {
  const dispatcher = new Agent({ connections: 1 })
  try {
    await whileAnswering(
      (_, response) => answer(response),
      ({ url }) => use(undiciTransport(hidden(dispatcher)), url),
    )
  } finally {
    await dispatcher.destroy()
  }
}

describe('a request over HTTP/2, of which undici 5 tells', (test) => {
  test('has the fields of its response, and none of those that HTTP/2 keeps for itself', async () => {
    const { status, headers } = await new Promise<UndiciHandler>((resolve, reject) => {
      const fields = {
        ':status': '200',
        'content-type': 'text/plain',
        'set-cookie': ['a=1', 'b=2'],
      }
      new UndiciHandler(undefined, resolve, reject).onHeaders(200, fields, () => undefined)
    })
    assert.is(status, 200)
    assert.equal(headers, ['content-type', 'text/plain', 'set-cookie', 'a=1', 'set-cookie', 'b=2'])
  })
})

const mebibyte = new Uint8Array(1024 * 1024).fill(97)

for (const [methods, hidden] of [
  ['old', oldOnly],
  ['new', newOnly],
] as const)
  describe(`a request that undici tells of in its ${methods} methods`, (test) => {
    test('R-445: has all fields of its response, those of early hints not', () =>
      served(
        hidden,
        (response) => {
          response.writeEarlyHints({ link: '</a.css>; rel=preload' })
          response.setHeader('X-Name', 'Zoë')
          // before a text, Node sends fields in its encoding
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
    test('lets the service wait while nobody reads, and loses nothing', async () => {
      let written = 0
      await served(
        hidden,
        async (response) => {
          for (let time = 0; time < 64; time++) {
            if (!response.write(mebibyte)) await once(response, 'drain')
            written++
          }
          response.end()
        },
        async (passage, url) => {
          const { body } = expectResponse(await passage(requestTo(url))())
          await sleep(200)
          assert.ok(written < 40, `${written} MiB have left`)
          let length = 0
          for await (const piece of body ?? []) {
            length += piece.length
            if (length < 100_000) await sleep(5)
          }
          assert.is(length, 64 * mebibyte.length)
        },
      )
    })
    test('is given up while it waits for its turn, and never sent', async () => {
      let asked = 0
      const held: ServerResponse[] = []
      await served(
        hidden,
        (response) => {
          asked++
          held.push(response)
        },
        async (passage, url) => {
          const first = passage(requestTo(url))()
          await sleep(20)
          const caller = new AbortController()
          const second = passage(requestTo(url, { signal: caller.signal }))()
          await sleep(20)
          caller.abort()
          assert.is(expectError(await second)._tag, 'Aborted')
          held[0]?.end('Hello')
          await new Response(expectResponse(await first).body).text()
          await sleep(20)
          assert.is(asked, 1)
        },
      )
    })
    test('is aborted although all of its content has come, as long as nobody has taken it', () =>
      served(
        hidden,
        (response) => void response.end('Hello'),
        async (passage, url) => {
          const caller = new AbortController()
          const { body } = expectResponse(
            await passage(requestTo(url, { signal: caller.signal }))(),
          )
          await sleep(20)
          caller.abort(new Error('enough'))
          await new Response(body).text().then(assert.unreachable, (error: unknown) => {
            assert.match(String(error), 'enough')
          })
        },
      ))
    test('fails where nobody listens, and where its options are none', async () => {
      await served(
        hidden,
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
