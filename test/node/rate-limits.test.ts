/** Rate limits over sockets: many clients at the same time, addresses of clients, and bodies that are not read. */
import { Agent, request as httpRequest } from 'node:http'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Store } from '../../src/index.ts'
import {
  body,
  bytes,
  get,
  handle,
  inMemoryStore,
  path,
  post,
  produces,
  rateLimit,
  routes,
  text,
  withStore,
} from '../../src/index.ts'
import type { ServeOptions, Server } from '../../src/node.ts'
import { describe, table } from '../support/describe.ts'
import { serveLocally } from '../support/loopback.ts'
import { connectTo } from '../support/raw-connection.ts'
import { headerOf } from '../support/raw-response.ts'
import { assertResponse, rawRequest } from '../support/raw.ts'
import { http2Caller } from '../support/through-http2.ts'

/** A store that records the times, in units of 1/1024 ms, at which requests are allowed. */
const recordingStore = (): { readonly store: Store; readonly allowed: number[] } => {
  const allowed: number[] = []
  let time = 0
  const store = inMemoryStore({ now: () => (time = performance.now()) })
  return {
    allowed,
    store: {
      ...store,
      take: (...parameters) => {
        const taken = store.take(...parameters)
        if (taken.isAllowed) allowed.push(Math.floor(time * 1024))
        return taken
      },
    },
  }
}

const limit = 10
const window = 200
/** The time for which clients send requests, in milliseconds. */
const duration = 1100
const clients = 200

/** Sends requests with all clients at the same time, each one after the response to the one before. Returns the statuses. */
const flood = async (send: () => Promise<number>): Promise<ReadonlyArray<number>> => {
  const end = performance.now() + duration
  const statuses: number[] = []
  const runClient = async (): Promise<void> => {
    while (performance.now() < end) statuses.push(await send())
  }
  await Promise.all(Array.from({ length: clients }, runClient))
  return statuses
}

const overHttp1 = (
  url: string,
): { readonly send: () => Promise<number>; readonly close: () => void } => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  return {
    send: () =>
      new Promise((resolve, reject) => {
        httpRequest(`${url}/limited`, { agent }, (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode ?? 0))
        })
          .on('error', reject)
          .end()
      }),
    close: () => agent.destroy(),
  }
}

const overHttp2 = (url: string): ReturnType<typeof overHttp1> => {
  const { call, close } = http2Caller(url)
  const send = async (): Promise<number> => {
    const response = await call(new Request(`${url}/limited`))
    await response.text()
    return response.status
  }
  return { send, close }
}

describe(`${clients} concurrent clients`, (test) => {
  const rows: ReadonlyArray<[title: string, connect: typeof overHttp1, options: ServeOptions]> = [
    ['with node', overHttp1, { 'fw.http.connection': 'node' }],
    ['with direct', overHttp1, { 'fw.http.connection': 'direct' }],
    [
      'over HTTP/2',
      overHttp2,
      { 'fw.http.http2-clear-text': true, 'fw.http.limits.max-concurrent-streams': 1000 },
    ],
  ]
  table(test, rows, async (_, connect, options) => {
    const { store, allowed } = recordingStore()
    let handled = 0
    const limited = pipe(
      path('/limited'),
      get(),
      rateLimit({ limit, window }),
      produces(text),
      handle(() => {
        handled++
        return 'allowed'
      }),
    )
    const server = await serveLocally(pipe(routes({ limited }), withStore(store)), options)
    const { send, close } = connect(server.url)
    try {
      const statuses = await flood(send)
      const count = (status: number): number => statuses.filter((one) => one === status).length
      assert.is(count(200) + count(429), statuses.length)
      assert.is(handled, allowed.length)
      assert.is(count(200), handled)
      // more than in the first window, so that clients are allowed again
      assert.ok(handled > limit, String(handled))
      for (const [index, first] of allowed.entries()) {
        const next = allowed[index + limit]
        assert.ok(next === undefined || next - first >= window * 1024)
      }
    } finally {
      close()
      await server.close()
    }
  })
})

describe('limits by the address of clients', (test, { before, after }) => {
  let server: Server | undefined
  const limited = pipe(
    path('/limited'),
    get(),
    rateLimit({ limit: 1, window: '1h' }),
    produces(text),
    handle(() => 'allowed'),
  )
  before(async () => {
    server = await serveLocally(routes({ limited }), { 'fw.http.proxy.trusted': '127.0.0.1' })
  })
  after(() => server?.close())
  const statusFor = async (address: string): Promise<number> => {
    const headers = { 'X-Forwarded-For': address }
    const response = await fetch(`${server?.url}/limited`, { headers })
    await response.text()
    return response.status
  }

  const rows: ReadonlyArray<[title: string, addresses: ReadonlyArray<string>]> = [
    ['IPv4', ['192.0.2.1', '::ffff:192.0.2.1']],
    ['another IPv4 address', ['192.0.2.2', '192.0.2.2']],
    ['IPv6', ['2001:db8:0:ff01::1', '2001:db8:0:ff02::2']],
    ['another IPv6 network', ['2001:db8:0:fe01::1', '2001:db8:0:fe01::2']],
    ['an address that the client added', ['198.51.100.7, 192.0.2.3', '198.51.100.8, 192.0.2.3']],
  ]
  table(test, rows, async (_, [first = '', second = '']) =>
    assert.equal([await statusFor(first), await statusFor(second)], [200, 429]),
  )
})

const length = 50 * 1024 * 1024
const upload = (store: Store) => {
  const post_ = pipe(
    path('/upload'),
    post(),
    rateLimit({ limit: 1, window: '1h' }),
    body(bytes),
    handle(() => {}),
  )
  return pipe(routes({ upload: post_ }), withStore(store))
}

/** A store that a request has already used up. It returns promises if `isAsync`. */
const exhausted = (isAsync: boolean): Store => {
  const store = inMemoryStore()
  const take: Store['take'] = (key, rate) => {
    store.take(key, rate, 1)
    const taken = store.take(key, rate, 1)
    return isAsync ? new Promise((resolve) => setImmediate(resolve, taken)) : taken
  }
  return { ...store, take }
}

describe('the body of a request above the limit', (test) => {
  const rows: ReadonlyArray<[title: string, connection: 'node' | 'direct', isAsync: boolean]> = [
    ['node', 'node', false],
    ['node with an asynchronous store', 'node', true],
    ['direct', 'direct', false],
    ['direct with an asynchronous store', 'direct', true],
  ]
  table(test, rows, async (_, connection, isAsync) => {
    const server = await serveLocally(upload(exhausted(isAsync)), {
      'fw.http.connection': connection,
      'fw.http.limits.max-body-size': '100M',
      'fw.http.limits.max-parsed-body-size': '100M',
    })
    try {
      const type = 'Content-Type: application/octet-stream'
      // a body that has not been sent
      const unsent = await connectTo(server.url)
      unsent.write(rawRequest('POST /upload', type, `Content-Length: ${length}`))
      assertResponse(await unsent.next(), 429)
      unsent.destroy()
      // a client that waits for 100 (Continue) before it sends the body
      const waiting = await connectTo(server.url)
      waiting.write(
        rawRequest('POST /upload', type, `Content-Length: ${length}`, 'Expect: 100-continue'),
      )
      const response = await waiting.next()
      assertResponse(response, 429)
      assert.is(headerOf(response, 'connection'), 'close')
      assert.is(headerOf(response, 'retry-after'), '3600')
      waiting.destroy()
      // a small body, after which the connection can be used again
      const reused = await connectTo(server.url)
      for (let index = 0; index < 2; index++) {
        reused.write(`${rawRequest('POST /upload', type, 'Content-Length: 3')}abc`)
        assertResponse(await reused.next(), 429)
      }
      reused.destroy()
    } finally {
      await server.close()
    }
  })
})
