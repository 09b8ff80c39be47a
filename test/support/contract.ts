/**
 * One behaviour, in memory and through a socket, and both again as a client of the tree calls it. A contract is written against
 * `Call`, so it cannot know through which door it came. A client generates no source, so it calls where the server does only.
 */
import type { IncomingMessage } from 'node:http'
import { Agent, request as httpRequest } from 'node:http'
import type { Routes } from '../../src/index.ts'
import type { Server, ServeOptions } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import type { Call, InMemoryOptions } from '../../src/testing.ts'
import { inMemory } from '../../src/testing.ts'
import { canGenerateCode } from '../../src/codec/generated/select-back-end.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Test } from './describe.ts'
import { describe } from './describe.ts'
import { throughClient } from './through-client.ts'

/** Where requests of contracts go; only path and query matter. */
export const base = 'http://service.test'

/** A suite for each door. A tree that remembers is given as a function, so that each door has one of its own. The log goes to `options.logger`, or nowhere. */
export const contract = <T, E>(
  name: string,
  api: Routes<T, {}, E> | (() => Routes<T, {}, E>),
  define: (test: Test, call: Call) => void,
  options: ServeOptions = {},
): void => {
  describe(`${name}, in memory`, (test) => {
    define(test, inMemory(treeOf(api), inMemoryOptions(options)))
  })
  const socket = through(api, options)
  describe(`${name}, through a socket`, (test, hooks) => define(test, socket(hooks)))
  if (!canGenerateCode()) return
  describe(`${name}, through a client`, (test) => {
    const served = treeOf(api)
    const own = inMemoryOptions(options)
    define(test, throughClient(served, own, inMemory(served, own)))
  })
  describe(`${name}, through a client and a socket`, (test, hooks) => {
    const served = treeOf(api)
    const reached = through(served, options)(hooks)
    define(test, throughClient(served, inMemoryOptions(options), reached))
  })
}

/** A server for as long as a suite runs. */
const through =
  <T, E>(api: Routes<T, {}, E> | (() => Routes<T, {}, E>), options: ServeOptions) =>
  ({ before, after }: Parameters<Parameters<typeof describe>[1]>[1]): Call => {
    let server: Server | undefined
    before(async () => {
      server = await serve(treeOf(api), {
        logger: silentLogger,
        ...options,
        'fw.http.port': 0,
        'fw.shutdown.grace': 0,
      })
    })
    after(() => server?.close())
    return (request) => {
      if (server === undefined) throw new Error('the server has not started')
      return send(server.url, request)
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

/** Connections that are used again. */
const agent = new Agent({ keepAlive: true })

/** Sends a request exactly as it is: no field is added but `Host`, `Connection` and what frames the content. */
export const send = async (url: string, request: Request): Promise<Response> => {
  const { pathname, search } = new URL(request.url)
  const headers = Object.fromEntries(request.headers)
  const content = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${url}${pathname}${search}`,
      { method: request.method, headers: { ...headers, ...framing(content) }, agent },
      (received) =>
        resolve(responseOf(received.statusCode ?? 0, received.rawHeaders, streamOf(received))),
    )
    sent.on('error', reject)
    request.signal.addEventListener('abort', () => sent.destroy(new Error('the client leaves')))
    sent.end(content)
  })
}

/** Node's client frames no content of GET, HEAD, DELETE, OPTIONS and TRACE by itself, and sends it all the same. */
const framing = (content: Buffer | undefined): Readonly<Record<string, number>> =>
  content === undefined ? {} : { 'Content-Length': content.length }

/** What is received, as it comes. Whoever stops reading goes away. */
const streamOf = (received: IncomingMessage): ReadableStream<Uint8Array> => {
  const pieces = received.iterator()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    cancel: () => void received.destroy(),
  })
}

const responseOf = (
  status: number,
  rawHeaders: ReadonlyArray<string>,
  content: ReadableStream<Uint8Array>,
): Response => {
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2)
    headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  const empty = status === 204 || status === 205 || status === 304
  const response = new Response(empty ? null : content, {
    status: status <= 599 ? status : 200,
    headers,
  })
  return status <= 599 ? response : Object.defineProperty(response, 'status', { value: status })
}
