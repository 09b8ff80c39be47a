/** Sends requests over HTTP/2 without TLS, with the client of Node.js. */
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import { connect, constants } from 'node:http2'
import type { Routes } from '../../src/index.ts'
import type { ServeOptions, Server } from '../../src/node.ts'
import type { InMemoryCall } from '../../src/testing.ts'
import { responseOf } from './contract-response.ts'
import type { Test } from './describe.ts'
import { count } from './describe.ts'
import { serveLocally } from './loopback.ts'

/** Starts a server that accepts HTTP/2 on its clear-text port. */
export const serveHttp2 = <T, E>(
  api: Routes<T, {}, E>,
  options: ServeOptions = {},
): Promise<Server> =>
  serveLocally(api, {
    'fw.http.http2-clear-text': true,
    'fw.http.limits.max-concurrent-streams': 1000,
    ...options,
  })

/** A client with one connection, which is replaced if it has been closed. */
export interface Http2Caller {
  readonly call: InMemoryCall
  readonly close: () => void
}

/** Creates a client for a server. Only `:authority` and `Content-Length` are added to the headers of requests. */
export const http2Caller = (url: string): Http2Caller => {
  let session: ClientHttp2Session | undefined
  const current = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) {
      // by default, Node.js loses responses to requests whose bodies exceed 10 MB
      session = connect(url, { maxSessionMemory: 1000 })
      session.on('error', () => undefined)
    }
    return session
  }
  return {
    call: async (request) => {
      const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
      return send(current(), request, body)
    },
    close: () => session?.destroy(),
  }
}

/** Headers of HTTP/1.1 connections, which a client must not send. */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'host']

const send = (
  session: ClientHttp2Session,
  request: Request,
  body: Buffer | undefined,
): Promise<Response> => {
  const { pathname, search } = new URL(request.url)
  const host = request.headers.get('host')
  const headers = [...request.headers].filter(([name]) => !connectionHeaders.includes(name))
  const stream = session.request(
    {
      ...Object.fromEntries(headers),
      ':method': request.method,
      ':path': pathname + search,
      ...(host === null ? {} : { ':authority': host }),
      ...(body === undefined ? {} : { 'content-length': body.length }),
    },
    { endStream: body === undefined },
  )
  return new Promise((resolve, reject) => {
    stream.on('response', (received: IncomingHttpHeaders, _flags: number, raw: string[]) => {
      const fields = raw.filter((_, index) => !raw[index - (index % 2)]?.startsWith(':'))
      resolve(responseOf(Number(received[':status']), fields, streamOf(stream)))
    })
    stream.on('error', reject)
    stream.on('close', () => reject(new Error('the stream was closed without a response')))
    request.signal.addEventListener('abort', () => {
      stream.close(constants.NGHTTP2_CANCEL)
      reject(new Error('aborted'))
    })
    stream.end(body)
  })
}

/** Returns the body of a response. Cancelling it resets the stream. */
const streamOf = (stream: ClientHttp2Stream): ReadableStream<Uint8Array> => {
  const chunks: AsyncIterator<Uint8Array> = stream.iterator({ destroyOnReturn: false })
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    cancel: () => stream.close(constants.NGHTTP2_CANCEL),
  })
}

const noHighStatus = '`node:http2` sends no status above 599'

/** Tests of contracts that cannot pass over HTTP/2, with the reasons. */
const unsupportedTests: ReadonlyArray<readonly [suite: RegExp, title: RegExp, reason: string]> = [
  [/^HttpError$/, /status 666/, noHighStatus],
  [/^multipart forms$/, /^mappers receive an UnreadablePart$/, noHighStatus],
  [/^structured parts$/, /^mappers receive an UnreadablePart for each failure$/, noHighStatus],
  [/^replies$/, /^a status outside the classes$|^the highest status$/, noHighStatus],
]

/** Returns a function that defines the tests of a contract, except for those that cannot pass over HTTP/2. */
export const testsOfHttp2 =
  (suite: string, test: Test): Test =>
  (title, check) => {
    const found = unsupportedTests.find(([name, titles]) => name.test(suite) && titles.test(title))
    if (found === undefined) test(title, check)
    else count.skipped.push(`${suite}, over HTTP/2, ${title}: ${found[2]}`)
  }
