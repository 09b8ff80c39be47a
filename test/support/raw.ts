/**
 * Tables of raw HTTP requests and the expected responses. Each row uses a connection of its own. Responses are parsed strictly,
 * then the test checks that the connection is usable or closed, and that the server still serves other connections.
 */
import * as assert from 'uvu/assert'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { ServeOptions, Server } from '../../src/node.ts'
import { serveLocally } from './loopback.ts'
import { describe, table } from './describe.ts'
import { api, secret } from '../programs/raw-api.ts'
import type { RawConnection } from './raw-connection.ts'
import { connectTo } from './raw-connection.ts'
import type { RawResponse } from './raw-response.ts'
import { headerOf } from './raw-response.ts'
import { turns } from './wait-until.ts'

/** An expected status, optionally with the body and headers. A header with the value `undefined` must be absent. */
export type ExpectedResponse =
  | number
  | readonly [
      status: number,
      body: string | RegExp,
      headers?: Readonly<Record<string, string | RegExp | undefined>>,
    ]

export interface Expected {
  readonly responses: ReadonlyArray<ExpectedResponse>
  readonly closes: boolean
}

/** A title, the message to send, with one character for each byte, and the expected result. */
export type Row = readonly [title: string, message: string, expected: Expected]

/** Expects these responses in this order, on a connection that stays open for another request. */
export const keepsOpen = (...responses: ReadonlyArray<ExpectedResponse>): Expected => ({
  responses,
  closes: false,
})

/** Expects these responses in this order, and that the server then closes the connection. */
export const closes = (...responses: ReadonlyArray<ExpectedResponse>): Expected => ({
  responses,
  closes: true,
})

/** The configured implementation of connections, which `npm run test:all` sets for a part of the tests. */
export const isDirect = process.env['FW_HTTP_CONNECTION'] === 'direct'

/** Selects the expected result by the implementation of connections. */
export const byConnection = (expected: {
  readonly node: Expected
  readonly direct: Expected
}): Expected => (isDirect ? expected.direct : expected.node)

/** Formats the head of a message: the lines and an empty one. */
export const head = (...lines: ReadonlyArray<string>): string => `${lines.join('\r\n')}\r\n\r\n`

/** Formats a valid request. The header lines follow `Host`. */
export const rawRequest = (methodAndTarget: string, ...headers: ReadonlyArray<string>): string =>
  head(`${methodAndTarget} HTTP/1.1`, 'Host: a.example', ...headers)

/** Formats a request with a body and its `Content-Length`. */
export const requestWithBody = (
  methodAndTarget: string,
  body: string,
  ...headers: ReadonlyArray<string>
): string => rawRequest(methodAndTarget, ...headers, `Content-Length: ${body.length}`) + body

/** Formats a request with a chunked body. */
export const chunkedRequest = (
  methodAndTarget: string,
  chunks: ReadonlyArray<string>,
  ...headers: ReadonlyArray<string>
): string =>
  rawRequest(methodAndTarget, ...headers, 'Transfer-Encoding: chunked') +
  [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')

/** Encodes a string as UTF-8, with one character for each byte. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

/** `fw.http.limits.max-body-size` of the server under test, in bytes. */
export const maxBodySize = 256 * 1024

/** Starts the server under test. */
export const startServer = (options: ServeOptions = {}): Promise<Server> =>
  serveLocally(api, { 'fw.http.limits.max-body-size': maxBodySize, ...options })

/**
 * Registers a suite that sends each row to a server of its own. `section` is the section of the RFC that the rows test; a row
 * of another section names it in a comment.
 */
export const rawRequests = (
  name: string,
  section: string,
  rows: ReadonlyArray<Row>,
  options: ServeOptions = {},
): void =>
  describe(`Raw requests: ${name} (${section})`, (test, { before, after }) => {
    let server: Server | undefined
    const problems: string[] = []
    const error = (_: object, text: string): void => {
      problems.push(text)
    }
    const onWarning = ({ message }: Error): void => {
      problems.push(message)
    }
    before(async () => {
      process.on('warning', onWarning)
      server = await startServer({ ...options, logger: { ...silentLogger, error } })
    })
    after(async () => {
      process.off('warning', onWarning)
      await server?.close()
    })
    table<Row>(test, rows, async (_, message, expected) => {
      if (server === undefined) throw new Error('server not started')
      await exchange(server.url, message, expected)
      await exchange(server.url, rawRequest('GET /alive'), keepsOpen([200, 'alive']))
      const expectedProblems = expected.responses.filter((response) => statusOf(response) === 500)
      assert.is(problems.splice(0).length, expectedProblems.length)
    })
  })

const exchange = async (
  url: string,
  message: string,
  { responses, closes: isClosed }: Expected,
): Promise<void> => {
  const connection = await connectTo(url)
  try {
    connection.write(message)
    const methods = methodsOf(message)
    for (const [index, expected] of responses.entries()) {
      const response = await next(connection, methods)
      assertResponse(response, expected)
      const isLast = isClosed && index === responses.length - 1
      if (isLast) assert.is(headerOf(response, 'connection'), 'close')
    }
    if (isClosed) return await assertClosed(connection)
    connection.write(probe)
    assertResponse(await connection.next(), [200, '/target probe'])
  } finally {
    connection.destroy()
  }
}

const probe = rawRequest('GET /target?probe')

/** Asserts that the server closes the connection, or that it ignores another request until the client ends its side. */
const assertClosed = async (connection: RawConnection): Promise<void> => {
  const closed = await Promise.race([
    connection.closed().then(() => true),
    turns().then(() => false),
  ])
  if (closed) return
  connection.write(probe)
  connection.socket.end()
  await connection.closed()
}

/** Reads the next response. An interim response does not consume its method. */
const next = async (connection: RawConnection, methods: string[]): Promise<RawResponse> => {
  const response = await connection.next(methods[0])
  if (response.status >= 200) methods.shift()
  return response
}

const methodsOf = (message: string): string[] =>
  [...message.matchAll(/^(\S+) \S+ HTTP\/1\.[01]\r$/gm)].map(([, method = '']) => method)

const statusOf = (expected: ExpectedResponse): number =>
  typeof expected === 'number' ? expected : expected[0]

/** Asserts that a response is as expected and that an error response discloses no internals. */
export const assertResponse = (response: RawResponse, expected: ExpectedResponse): void => {
  const [status, body, headers = {}] = typeof expected === 'number' ? [expected] : expected
  assert.is(response.status, status, response.body)
  if (typeof body === 'string') assert.is(response.body, body)
  if (body instanceof RegExp) assert.match(response.body, body)
  for (const [name, value] of Object.entries(headers)) {
    const actual = headerOf(response, name)
    if (value instanceof RegExp) assert.match(actual ?? '', value)
    else assert.is(actual, value, name)
  }
  assertNoDisclosure(response)
}

/** Asserts that an error response has no stack trace, file name or rejected value, and that caches do not store it. */
const assertNoDisclosure = (response: RawResponse): void => {
  if (response.status < 400) return
  assert.not.match(response.body, new RegExp(secret))
  assert.not.match(response.body, /\n +at |node:|file:|\.[jt]s\b|node_modules/)
  assert.is(headerOf(response, 'cache-control'), 'no-store')
  if (response.body === '' || headerOf(response, 'content-type') !== 'application/problem+json')
    return
  const problem: unknown = JSON.parse(response.body)
  assert.ok(typeof problem === 'object' && problem !== null)
  assert.is('status' in problem && problem.status, response.status)
  assert.match('instance' in problem ? String(problem.instance) : '', /^urn:uuid:[\da-f-]{36}$/)
}
