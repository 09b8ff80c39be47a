/** Sends by `request` of the package `undici`, which does without most of what the Fetch standard asks of `fetch`. */
import * as Headers from '../../http/headers.ts'
import * as Status from '../../http/status.ts'
import type { BodySource } from '../request/body-source.ts'
import type { ClientRequest, ClientResponse, Passage } from '../exchange.ts'
import { signalOf } from '../light-signal.ts'
import { passing } from './passing.ts'
import { joined } from '../response/read-whole.ts'
import { Silence, tooSilent } from '../response/silence.ts'
import type { Content, WholeLimits } from '../response/unopened.ts'
import { tooMany, Unopened } from '../response/unopened.ts'

/** `request` of `undici`, as far as it is used: the package itself is not needed for its type. */
export type UndiciRequest = Requesting['request']

interface Requesting {
  // a method, which is compared both ways: what undici says of bodies leaves out iterables, which it takes
  request(url: string, options?: UndiciOptions): Promise<UndiciResponse>
}

export interface UndiciOptions {
  readonly method?: unknown
  readonly headers?: unknown
  readonly body?: unknown
  readonly signal?: unknown
}

export interface UndiciResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: UndiciBody
}

/** A `Readable` of Node. */
export interface UndiciBody extends AsyncIterable<Uint8Array> {
  on(event: 'data', listener: (piece: Uint8Array) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'end', listener: () => void): unknown
  resume(): unknown
  destroy(): unknown
}

/**
 * A transport for the option `transport` of a client: `request` of the package `undici`, in half the time of `fetch`. It asks for
 * contents without a coding, unless the call says another `Accept-Encoding`; those in `gzip` and `deflate` are decoded. A 407 is an
 * answer as any other, which `fetch` keeps to itself: a client over `fetch` has a `NetworkError` then.
 *
 * Everything about connections is said to a dispatcher of undici, which a function adds to each request, as in the example; the
 * `fetch` of undici takes the same one. Of an `Agent` these are `connections` for each origin (no bound unless it is said),
 * `keepAliveTimeout` (4 s) for those that nobody uses, `allowH2` for HTTP/2 (yes or no by the version of undici), and of its
 * `connect`: `timeout` (10 s), `ca`, `cert`, `key` and `servername` for TLS, `socketPath` for a socket of the file system. A
 * `ProxyAgent` goes through a proxy.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { createServer } from 'node:http'
 * import { once } from 'node:events'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { Agent, request } from 'undici'
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
 * const dispatcher = new Agent({ connections: 50, keepAliveTimeout: 60_000, connect: { timeout: 5000 } })
 * const service = client(routes({ hello: pipe(path('/hello'), get(), produces(text)) }), {
 *   baseUrl: `http://127.0.0.1:${address.port}`,
 *   transport: undiciTransport((url, options) =>
 *     request(url, { ...(options as object), dispatcher }),
 *   ),
 * })
 * const answer = await service.hello()()
 * assert.equal(E.isRight(answer) && answer.right.body, 'Hello')
 *
 * await dispatcher.close()
 * server.close()
 * ```
 */
export const undiciTransport = (request: UndiciRequest): Passage =>
  passing<UndiciResponse>({
    send: (sent, source) => request(sent.url, optionsOf(sent, source)),
    responseOf,
    leave: ({ body }) => {
      body.on('error', nothing)
      body.destroy()
    },
  })

const nothing = (): void => undefined

const optionsOf = (request: ClientRequest, source: BodySource | undefined): UndiciOptions => {
  const { method, headers, body } = request
  const signal = signalOf(request)
  const fields =
    Headers.first(headers, 'accept-encoding') === undefined
      ? [...headers, 'accept-encoding', 'identity']
      : headers
  switch (body?._tag) {
    case undefined:
      return { method, headers: fields, signal }
    case 'Whole':
      return { method, headers: fields, body: body.content, signal }
    case 'Form': {
      // a response of the platform knows how a form is written
      const form = new Response(body.form)
      const type = ['content-type', form.headers.get('content-type') ?? '']
      return { method, headers: [...fields, ...type], body: form.body, signal }
    }
    case 'Pieces':
      return { method, headers: fields, body: source === undefined ? null : each(source), signal }
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
  { statusCode, headers: record, body }: UndiciResponse,
  { method, url }: ClientRequest,
): ClientResponse => {
  const headers: string[] = []
  for (const name of Object.keys(record)) {
    const value = record[name]
    if (typeof value === 'string') headers.push(name, value)
    else if (value !== undefined) for (const one of value) headers.push(name, one)
  }
  if (method === 'HEAD' || !Status.hasContent(statusCode)) {
    body.on('error', nothing)
    body.resume()
    return { status: statusCode, headers, url, body: null }
  }
  const coding = codings.get(Headers.first(headers, 'content-encoding')?.toLowerCase() ?? '')
  if (coding === undefined) return new Unopened(statusCode, headers, url, contentOf(body))
  const decoded = streamOf(body).pipeThrough(new DecompressionStream(coding))
  return { status: statusCode, headers, url, body: decoded }
}

const codings: ReadonlyMap<string, 'gzip' | 'deflate'> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])

const contentOf = (body: UndiciBody): Content => {
  // it may break off before anybody asks for it
  let broken: Broken | undefined
  body.on('error', (error) => {
    broken = { error }
  })
  return {
    open: () => streamOf(body, broken),
    whole: (limits) =>
      broken === undefined ? wholeOf(body, limits) : Promise.reject(broken.error),
  }
}

const wholeOf = (body: UndiciBody, { octets, timeout }: WholeLimits): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = []
    let length = 0
    const fail = (error: unknown): void => {
      silence?.end()
      reject(error)
    }
    const leave = (reason: symbol): void => {
      fail(reason)
      body.destroy()
    }
    const silence = timeout === undefined ? undefined : new Silence(timeout, () => leave(tooSilent))
    body.on('error', fail)
    body.on('end', () => {
      silence?.end()
      resolve(joined(pieces, length))
    })
    body.on('data', (piece) => {
      silence?.heard()
      length += piece.length
      if (length <= octets) pieces.push(piece)
      else leave(tooMany)
    })
  })

interface Broken {
  readonly error: unknown
}

/** A piece is asked for when somebody wants it; who wants no more ends the connection. It breaks off while nobody reads, too. */
const streamOf = (body: UndiciBody, broken?: Broken): ReadableStream<Uint8Array> => {
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        if (broken !== undefined) controller.error(broken.error)
        else body.on('error', (error) => controller.error(error))
      },
      pull: async (controller) => {
        const { done, value } = await pieces.next()
        if (done === true) controller.close()
        else controller.enqueue(new Uint8Array(value))
      },
      cancel: () => {
        body.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}
