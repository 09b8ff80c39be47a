/** The sender of webhooks, with a server that verifies requests with the `standardwebhooks` package. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import * as assert from 'uvu/assert'
import {
  body,
  implementAll,
  date,
  json,
  path,
  post,
  produces,
  query,
  responds,
  routes,
  string,
  text,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import type { WebhookSenderOptions } from '../../src/webhooks.ts'
import { receiveWebhooks, webhookSender } from '../../src/webhooks.ts'
import { describe, table } from '../support/describe.ts'

const [secret, otherSecret] = ['a', 'b'].map(
  (letter) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`,
) as [string, string]

const Loan = t.type({ book: string, due: date })
const webhooks = routes({
  bookLent: pipe(path('/'), post(), body(json(Loan)), responds(204)),
  nested: routes({ ping: pipe(path('/ping'), post(), query({ reason: string }), responds(202)) }),
})
const loan = { book: 'Émma', due: new Date(0) }

interface ReceivedRequest {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly payload: string
}

type Response = readonly [status: number, headers?: Readonly<Record<string, string>>]

/** Runs a server that sends the given responses one after the other, and repeats the last. */
const withSubscriber = async (
  responses: ReadonlyArray<Response>,
  use: (url: string, requests: ReadonlyArray<ReceivedRequest>) => Promise<void>,
): Promise<void> => {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url, headers } = request
      requests.push({ url, headers, payload: Buffer.concat(chunks).toString() })
      const [status, fields = {}] = responses[requests.length - 1] ?? responses.at(-1) ?? [204]
      if (status === 0) request.socket.destroy()
      else response.writeHead(status, fields).end(status === 204 ? undefined : 'text')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await use(`http://127.0.0.1:${port}`, requests)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** A clock whose timers end at once, and their durations. */
const quickClock = () => {
  const delays: number[] = []
  const clock = {
    now: () => Date.now(),
    after: (milliseconds: number, run: () => void) => {
      delays.push(milliseconds)
      const timer = setImmediate(run)
      return () => clearImmediate(timer)
    },
  }
  return { clock, delays, retry: { clock, random: () => 0 } }
}

const verify = (requests: ReadonlyArray<ReceivedRequest>, by = secret): void => {
  for (const { headers, payload } of requests)
    new Webhook(by).verify(payload, headers as Record<string, string>, { jsonParse: false })
}

describe('webhookSender', (test) => {
  test('sends the encoded payload with a signature that the package verifies', () =>
    withSubscriber([[204]], async (url, requests) => {
      const sender = webhookSender(webhooks, { url: `${url}/hooks?tenant=7`, secret })
      const result = await sender.bookLent({ body: loan })()
      assert.ok(E.isRight(result))
      assert.is(result.right.status, 204)
      verify(requests)
      const [first] = requests
      assert.is(first?.url, '/hooks?tenant=7')
      assert.is(first?.payload, '{"book":"Émma","due":"1970-01-01T00:00:00.000Z"}')
      assert.match(String(first?.headers['webhook-id']), /^msg_[\da-f-]{36}$/)
      assert.throws(() => verify(requests, otherSecret))
    }))
  test('sends a message without a body, and appends its query to the URL', () =>
    withSubscriber([[200]], async (url, requests) => {
      const sender = webhookSender(webhooks, { url: `${url}/a?b=c`, secret })
      const result = await sender.nested.ping({ query: { reason: 'x y' } })()
      assert.ok(E.isRight(result))
      assert.is(result.right.status, 202)
      verify(requests)
      assert.is(requests[0]?.url, '/a?b=c&reason=x%20y')
    }))
  test('signs with each secret', () =>
    withSubscriber([[204]], async (url, requests) => {
      const sender = webhookSender(webhooks, { url, secret: [secret, otherSecret] })
      assert.ok(E.isRight(await sender.bookLent({ body: loan })()))
      verify(requests, secret)
      verify(requests, otherSecret)
    }))
  test('any 2xx status is the declared success', () =>
    withSubscriber([[202, { 'Content-Type': 'text/html' }]], async (url) => {
      const sender = webhookSender(webhooks, { url, secret })
      const result = await sender.bookLent({ body: loan })()
      assert.ok(E.isRight(result))
      assert.equal([result.right.status, result.right.body], [204, undefined])
    }))
  table(
    test,
    [
      ['400', 400],
      ['401', 401],
      ['404', 404],
      ['409', 409],
      ['429', 429],
      ['a redirect', 302],
      ['500', 500],
      ['503', 503],
      ['a lost connection', 0],
    ] as const,
    (_, status) =>
      withSubscriber([[status], [status], [204]], async (url, requests) => {
        const { retry, delays } = quickClock()
        const sender = webhookSender(webhooks, { url, secret, retry })
        const result = await sender.bookLent({ body: loan })()
        assert.ok(E.isRight(result))
        assert.is(requests.length, 3)
        verify(requests)
        assert.is(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, 1)
        assert.equal(delays, [1000, 5000])
      }),
  )
  test('the last error is returned after 4 retries', () =>
    withSubscriber([[500]], async (url, requests) => {
      const { retry, delays } = quickClock()
      const sender = webhookSender(webhooks, { url, secret, retry })
      const result = await sender.bookLent({ body: loan })()
      assert.ok(E.isLeft(result))
      assert.is('status' in result.left && result.left.status, 500)
      assert.is(requests.length, 5)
      assert.equal(delays, [1000, 5000, 25_000, 120_000])
    }))
  test('a longer Retry-After is respected', () =>
    withSubscriber([[429, { 'Retry-After': '200' }], [204]], async (url) => {
      const { retry, delays } = quickClock()
      const sender = webhookSender(webhooks, { url, secret, retry })
      assert.ok(E.isRight(await sender.bookLent({ body: loan })()))
      assert.equal(delays, [200_000])
    }))
  test('after 410, nothing is sent again, and onGone is called once', () =>
    withSubscriber([[410]], async (url, requests) => {
      let gone = 0
      const sender = webhookSender(webhooks, { url, secret, onGone: () => gone++ })
      const first = await sender.bookLent({ body: loan })()
      const second = await sender.bookLent({ body: loan })()
      assert.ok(E.isLeft(first) && E.isLeft(second))
      assert.is('status' in first.left && first.left.status, 410)
      assert.match(second.left.message, /the subscriber has responded with 410/)
      assert.equal([requests.length, gone], [1, 1])
    }))
  test('a call with a webhook-id keeps it', () =>
    withSubscriber([[204]], async (url, requests) => {
      const sender = webhookSender(webhooks, { url, secret })
      await sender.bookLent({ body: loan }, { headers: { 'webhook-id': 'msg_7' } })()
      verify(requests)
      assert.is(requests[0]?.headers['webhook-id'], 'msg_7')
    }))
  test('nothing is sent to a URL that is not allowed', () =>
    withSubscriber([[204]], async (url, requests) => {
      const checked: string[] = []
      const sender = webhookSender(webhooks, {
        url: `${url}/a`,
        secret,
        allow: ({ href }) => {
          checked.push(href)
          return false
        },
      })
      const result = await sender.bookLent({ body: loan })()
      assert.ok(E.isLeft(result))
      assert.match(result.left.message, /the request was not sent: its URL is not allowed/)
      assert.equal([checked, requests.length], [[`${url}/a`], 0])
    }))
  test('a redirect is not followed', () =>
    withSubscriber([[307, { Location: '/other' }]], async (url, requests) => {
      const sender = webhookSender(webhooks, { url, secret, retry: { times: 0 } })
      assert.ok(E.isLeft(await sender.bookLent({ body: loan })()))
      assert.is(requests.length, 1)
    }))
  test('user information in the URL is sent as credentials', () =>
    withSubscriber([[204]], async (url, requests) => {
      const sender = webhookSender(webhooks, { url: url.replace('//', '//ann:pw@'), secret })
      assert.ok(E.isRight(await sender.bookLent({ body: loan })()))
      assert.is(
        requests[0]?.headers.authorization,
        `Basic ${Buffer.from('ann:pw').toString('base64')}`,
      )
    }))
  test('a receiver processes a message once whose first response was lost', async () => {
    const received: string[] = []
    const receiver = inMemory(
      pipe(
        implementAll(webhooks, {
          bookLent: (input) => void received.push(input.body.book),
          nested: { ping: () => undefined },
        }),
        receiveWebhooks({ secrets: secret }),
      ),
    )
    let attempts = 0
    const { retry } = quickClock()
    const sender = webhookSender(webhooks, {
      url: 'http://localhost/',
      secret,
      retry,
      fetch: async (url, init) => {
        const response = await receiver(url, init)
        if (++attempts === 1) throw new TypeError('fetch failed')
        return response
      },
    })
    assert.ok(E.isRight(await sender.bookLent({ body: loan })()))
    assert.equal([attempts, received], [2, ['Émma']])
  })
})

describe('webhookSender with invalid options', (test) => {
  const contract = routes({ ping: pipe(path('/'), post(), responds(204)) })
  table(
    test,
    [
      ['no URL', { url: '' }, /invalid url: expected an absolute http or https URL/],
      ['a URL of another scheme', { url: 'ftp://a' }, /must be an http or https URL/],
      ['no secret', { secret: [] }, /missing secret/],
      ['a short secret', { secret: 'whsec_YWJj' }, /expected whsec_ followed by the base64/],
      ['a secret that is not base64', { secret: `whsec_${'-'.repeat(32)}` }, /invalid secret/],
      ['an unknown option', { secrets: secret }, /unknown option "secrets"/],
    ] as const,
    (_, options, message) => {
      const all: WebhookSenderOptions = { url: 'http://localhost', secret, ...options }
      assert.throws(() => webhookSender(contract, all), message)
    },
  )
  test('an invalid secret is not repeated in the message', () => {
    try {
      webhookSender(contract, { url: 'http://localhost', secret: 'hunter2' })
      assert.unreachable()
    } catch (error) {
      assert.not.match(String(error), /hunter2/)
    }
  })
  test('an operation with a body of the response is rejected', () => {
    const ping = pipe(path('/'), post(), produces(text))
    assert.throws(
      () => webhookSender(routes({ a: routes({ ping }) }), { url: 'http://localhost', secret }),
      /a\.ping declares a body of the response/,
    )
  })
})
