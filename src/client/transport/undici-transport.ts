/** Sends by a dispatcher of the package `undici`, without most of what the Fetch standard asks of `fetch`. */
import * as Headers from '../../http/headers.ts'
import * as Status from '../../http/status.ts'
import type { BodySource } from '../request/body-source.ts'
import type { ClientRequest, ClientResponse, Passage } from '../exchange.ts'
import { signalOf } from '../light-signal.ts'
import { Unopened } from '../response/lazy-response.ts'
import { Dispatched } from './undici-handler.ts'
import { passing } from './transport.ts'

/** An `Agent`, `Pool`, `ProxyAgent` or another dispatcher of `undici`: the package itself is not needed for its type. */
export interface UndiciDispatcher {
  // a method, which is compared both ways: what undici says of bodies leaves out iterables, which it takes
  dispatch(options: UndiciOptions, handler: object): unknown
}

export interface UndiciOptions {
  readonly origin?: unknown
  readonly path?: unknown
  readonly method?: unknown
  readonly headers?: unknown
  readonly body?: unknown
}

/**
 * A transport for the option `transport` of a client: a dispatcher of the package `undici`, in less than half the time of `fetch`. It asks
 * for contents without a coding, unless the call says another `Accept-Encoding`; those in `gzip` and `deflate` are decoded. A 407 is an
 * answer as any other, which `fetch` keeps to itself: a client over `fetch` has a `NetworkError` then.
 *
 * Everything about connections is said to the dispatcher; the `fetch` of undici takes the same one. Of an `Agent` these are `connections`
 * for each origin (no bound unless it is said), `keepAliveTimeout` (4 s) for those that nobody uses, `allowH2` for HTTP/2 (yes or no
 * by the version of undici), and of its `connect`: `timeout` (10 s), `ca`, `cert`, `key` and `servername` for TLS, `socketPath` for a socket
 * of the file system. A `ProxyAgent` goes through a proxy, and `getGlobalDispatcher()` has the connections that undici shares. What is
 * no dispatcher, as `request` of undici, is refused with a `TypeError`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { createServer } from 'node:http'
 * import { once } from 'node:events'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { Agent } from 'undici'
 * import { get, path, produces, routes, text } from 'espalier'
 * import { client, undiciTransport } from 'espalier/client'
 *
 * const server = createServer((_, response) => {
 *   response.setHeader('Content-Type', 'text/plain').end('Hello')
 * }).listen(0, '127.0.0.1')
 * await once(server, 'listening')
 * const address = server.address()
 * assert.ok(typeof address === 'object' && address !== null)
 *
 * const agent = new Agent({ connections: 50, keepAliveTimeout: 60_000, connect: { timeout: 5000 } })
 * const service = client(routes({ hello: pipe(path('/hello'), get(), produces(text)) }), {
 *   baseUrl: `http://127.0.0.1:${address.port}`,
 *   transport: undiciTransport(agent),
 * })
 * const answer = await service.hello()()
 * assert.equal(E.isRight(answer) && answer.right.body, 'Hello')
 *
 * await agent.close()
 * server.close()
 * ```
 */
export const undiciTransport = (dispatcher: UndiciDispatcher): Passage => {
  if (typeof dispatcher.dispatch !== 'function')
    throw new TypeError('undiciTransport takes a dispatcher of undici, as new Agent() is')
  return passing<Dispatched>({
    send: (request, source) =>
      new Promise((resolve, reject) => {
        const options = optionsOf(request, source)
        dispatcher.dispatch(options, new Dispatched(signalOf(request), resolve, reject))
      }),
    responseOf,
    leave: (one) => one.leave(),
  })
}

const optionsOf = (request: ClientRequest, source: BodySource | undefined): UndiciOptions => {
  const { url, method, headers, body } = request
  const { origin, pathname, search } = new URL(url)
  const fields =
    Headers.first(headers, 'accept-encoding') === undefined
      ? [...headers, 'accept-encoding', 'identity']
      : headers
  const options = { origin, path: `${pathname}${search}`, method, headers: fields }
  switch (body?._tag) {
    case undefined:
      return options
    case 'Whole':
      return { ...options, body: body.content }
    case 'Form': {
      // a response of the platform knows how a form is written
      const form = new Response(body.form)
      const type = ['content-type', form.headers.get('content-type') ?? '']
      return { ...options, headers: [...fields, ...type], body: form.body }
    }
    case 'Pieces':
      return { ...options, body: source === undefined ? null : each(source) }
  }
}

async function* each(source: BodySource): AsyncGenerator<Uint8Array, undefined> {
  try {
    for (;;) {
      const next = await source.next()
      if (next === undefined) return
      yield next
    }
  } finally {
    source.leave()
  }
}

const responseOf = (
  { status, headers, content }: Dispatched,
  { method, url }: ClientRequest,
): ClientResponse => {
  if (method === 'HEAD' || !Status.allowsBody(status)) {
    content.ignore()
    return { status, headers, url, body: null }
  }
  const coding = codings.get(Headers.first(headers, 'content-encoding')?.toLowerCase() ?? '')
  if (coding === undefined) return new Unopened(status, headers, url, content)
  const decoded = content.open().pipeThrough(new DecompressionStream(coding))
  return { status, headers, url, body: decoded }
}

const codings: ReadonlyMap<string, 'gzip' | 'deflate'> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])
