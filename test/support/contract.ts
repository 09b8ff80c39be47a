/**
 * Contracts: tests of observable behaviour that run in memory and over a socket.
 *
 * With `ESPALIER_TEST_ALL=1` they also run through a fetch handler, over HTTP/2, through `nodeListener` and through the typed client, in memory and
 * over a socket. If code generation is disabled, they only run in memory, because the codecs are the same everywhere. With
 * `ESPALIER_TEST_FRAMEWORK` they only run through `nodeListener` in that framework, and with `FW_HTTP_CONNECTION=direct` only over a socket.
 */
import type { IncomingMessage } from 'node:http'
import { Agent, METHODS, request as httpRequest } from 'node:http'
import type { Routes } from '../../src/index.ts'
import type { ServeOptions } from '../../src/node.ts'
import { serveLocally } from './loopback.ts'
import type { InMemoryCall, InMemoryOptions } from '../../src/testing.ts'
import { inMemory } from '../../src/testing.ts'
import { canGenerateCode } from '../../src/codec/compiled/select-back-end.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Test } from './describe.ts'
import { count, describe } from './describe.ts'
import type { MountedServer } from './mounted.ts'
import { framework, serveMounted } from './mounted.ts'
import { responseOf } from './contract-response.ts'
import { throughClient } from './through-client.ts'
import { testsOfFetch, throughFetch } from './through-fetch.ts'
import type { Http2Caller } from './through-http2.ts'
import { http2Caller, serveHttp2, testsOfHttp2 } from './through-http2.ts'

const isDirect = process.env['FW_HTTP_CONNECTION'] === 'direct'
const isAll = process.env['ESPALIER_TEST_ALL'] !== undefined

/** Base URL of the requests of contracts. Only their path and query are used. */
export const base = 'http://service.test'

/**
 * Defines a suite for each way to send requests. A tree with state is passed as a function, so that each suite has its own. By
 * default, nothing is logged.
 */
export const contract = <T, E>(
  name: string,
  api: Routes<T, {}, E> | (() => Routes<T, {}, E>),
  define: (test: Test, call: InMemoryCall) => void,
  options: ServeOptions = {},
): void => {
  const mounted = (): void =>
    describe(`${name}, through nodeListener`, (test, hooks) =>
      define(test, overSocket(api, options, serveMounted)(hooks)))
  if (framework !== undefined) return mounted()
  if (!isDirect)
    describe(`${name}, in memory`, (test) => {
      define(test, inMemory(treeOf(api), inMemoryOptions(options)))
    })
  if (!canGenerateCode()) return
  const socket = overSocket(api, options)
  describe(`${name}, over a socket`, (test, hooks) => define(test, socket(hooks)))
  if (!isAll || isDirect) return
  const fetched = throughFetch(treeOf(api), inMemoryOptions(options))
  if (fetched === undefined) count.skipped.push(`${name}, through a fetch handler: unsupported`)
  else
    describe(`${name}, through a fetch handler`, (test) =>
      define(testsOfFetch(name, test), fetched))
  describe(`${name}, over HTTP/2`, (test, hooks) =>
    define(testsOfHttp2(name, test), overHttp2(api, options)(hooks)))
  mounted()
  describe(`${name}, through a client`, (test) => {
    const served = treeOf(api)
    const own = inMemoryOptions(options)
    define(test, throughClient(served, own, inMemory(served, own)))
  })
  describe(`${name}, through a client over a socket`, (test, hooks) => {
    const served = treeOf(api)
    const call = overSocket(served, options)(hooks)
    define(test, throughClient(served, inMemoryOptions(options), call))
  })
}

/**
 * Defines a contract about values, with many rows that the transport does not distinguish. By default, it runs in memory only.
 * `npm run test:all` runs it in all ways.
 */
export const valueContract = <T, E>(
  name: string,
  api: Routes<T, {}, E> | (() => Routes<T, {}, E>),
  define: (test: Test, call: InMemoryCall) => void,
  options: ServeOptions = {},
): void => {
  if (isAll || framework !== undefined) return contract(name, api, define, options)
  describe(`${name}, in memory`, (test) =>
    define(test, inMemory(treeOf(api), inMemoryOptions(options))))
}

/** Returns a function that sends requests to a server, which runs until the suite ends. */
const overSocket =
  <T, E>(
    api: Routes<T, {}, E> | (() => Routes<T, {}, E>),
    options: ServeOptions,
    start: (tree: Routes<T, {}, E>, options: ServeOptions) => Promise<MountedServer> = serveLocally,
  ) =>
  ({ before, after }: Parameters<Parameters<typeof describe>[1]>[1]): InMemoryCall => {
    let server: MountedServer | undefined
    before(async () => {
      server = await start(treeOf(api), options)
    })
    after(() => server?.close())
    return (request) => {
      if (server === undefined) throw new Error('the server has not started')
      return send(server.url, request)
    }
  }

/** Returns a function that sends requests over one HTTP/2 connection to a server, which runs until the suite ends. */
const overHttp2 =
  <T, E>(api: Routes<T, {}, E> | (() => Routes<T, {}, E>), options: ServeOptions) =>
  ({ before, after }: Parameters<Parameters<typeof describe>[1]>[1]): InMemoryCall => {
    let client: Http2Caller | undefined
    let server: MountedServer | undefined
    before(async () => {
      server = await serveHttp2(treeOf(api), options)
      client = http2Caller(server.url)
    })
    after(() => {
      client?.close()
      return server?.close()
    })
    return (request) => {
      if (client === undefined) throw new Error('the server has not started')
      return client.call(request)
    }
  }

const inMemoryOptions = (options: ServeOptions): InMemoryOptions => {
  const {
    directory: _directory,
    module: _module,
    export: _export,
    ...rest
  } = { logger: silentLogger, ...options }
  return rest
}

const treeOf = <A>(api: A | (() => A)): A => (typeof api === 'function' ? (api as () => A)() : api)

const agent = new Agent({ keepAlive: true })

/** Sends a request. Only `Host`, `Connection` and `Content-Length` are added to its headers. */
export const send = async (url: string, request: Request): Promise<Response> => {
  const { pathname, search } = new URL(request.url)
  const headers = Object.fromEntries(request.headers)
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${url}${pathname}${search}`,
      {
        method: request.method,
        headers: { ...headers, ...contentLength(body) },
        // some frameworks close connections with unknown methods without `Connection: close`
        agent: METHODS.includes(request.method) ? agent : false,
      },
      (received) =>
        resolve(responseOf(received.statusCode ?? 0, received.rawHeaders, streamOf(received))),
    )
    sent.on('error', reject)
    request.signal.addEventListener('abort', () => sent.destroy(new Error('aborted')))
    sent.end(body)
  })
}

/** The client of Node.js does not add `Content-Length` to GET, HEAD, DELETE, OPTIONS and TRACE, but sends their body. */
const contentLength = (body: Buffer | undefined): Readonly<Record<string, number>> =>
  body === undefined ? {} : { 'Content-Length': body.length }

/** Returns the body of a response. Cancelling it closes the connection. */
const streamOf = (received: IncomingMessage): ReadableStream<Uint8Array> => {
  const chunks = received.iterator()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    cancel: () => void received.destroy(),
  })
}
