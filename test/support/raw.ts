/**
 * Requests as octets, and what has to come back. A row sends what it says on a connection of its own; every response is
 * read strictly, the connection is then shown to be usable or closed, and the server answers others as before.
 */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { ServeOptions, Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { describe, table } from './describe.ts'
import { api, secret } from './raw-api.ts'
import type { RawConnection } from './raw-connection.ts'
import { connectTo } from './raw-connection.ts'
import type { RawResponse } from './raw-response.ts'
import { fieldOf } from './raw-response.ts'

/** A status alone; or with the content, and fields of which `undefined` must not be there. */
export type Answer =
  | number
  | readonly [
      status: number,
      content: string | RegExp,
      fields?: Readonly<Record<string, string | RegExp | undefined>>,
    ]

export interface Expected {
  readonly responses: ReadonlyArray<Answer>
  readonly closes: boolean
}

/** What is sent, an octet a character, and what it has to lead to. */
export type Row = readonly [title: string, octets: string, expected: Expected]

/** These responses, in this order, and a connection that takes another request. */
export const open = (...responses: ReadonlyArray<Answer>): Expected => ({
  responses,
  closes: false,
})

/** These responses, in this order, and the end of the connection. */
export const shut = (...responses: ReadonlyArray<Answer>): Expected => ({
  responses,
  closes: true,
})

/** The head of a message: these lines and an empty one. */
export const head = (...lines: ReadonlyArray<string>): string => `${lines.join('\r\n')}\r\n\r\n`

/** A request that has everything it needs; further lines follow `Host`. */
export const to = (methodAndTarget: string, ...fields: ReadonlyArray<string>): string =>
  head(`${methodAndTarget} HTTP/1.1`, 'Host: a.example', ...fields)

/** A request with a content, whose length is added. */
export const sending = (
  methodAndTarget: string,
  content: string,
  ...fields: ReadonlyArray<string>
): string => to(methodAndTarget, ...fields, `Content-Length: ${content.length}`) + content

/** A request with a content in chunks. */
export const chunked = (
  methodAndTarget: string,
  chunks: ReadonlyArray<string>,
  ...fields: ReadonlyArray<string>
): string =>
  to(methodAndTarget, ...fields, 'Transfer-Encoding: chunked') +
  [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')

/** Octets of a text in UTF-8, one a character. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

/** The octets of a content that the server under test takes. */
export const mostContent = 256 * 1024

/** Starts the server that the rows are sent to. */
export const start = (options: ServeOptions = {}): Promise<Server> =>
  serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.http.limits.max-body-size': mostContent,
    'fw.shutdown.grace': 0,
    ...options,
  })

/**
 * A suite of rows, with a server for it. `section` is what decides all of them; a row that another one decides, or a more
 * exact one, names it behind itself.
 */
export const raw = (
  name: string,
  section: string,
  rows: ReadonlyArray<Row>,
  options: ServeOptions = {},
): void =>
  describe(`Raw requests: ${name} (${section})`, (test, { before, after }) => {
    let server: Server | undefined
    const defects: string[] = []
    const error = (_: object, message: string): void => {
      defects.push(message)
    }
    const warned = ({ message }: Error): void => {
      defects.push(message)
    }
    before(async () => {
      process.on('warning', warned)
      server = await start({ ...options, logger: { ...silentLogger, error } })
    })
    after(async () => {
      process.off('warning', warned)
      await server?.close()
    })
    table<Row>(test, rows, async (_, octets, expected) => {
      if (server === undefined) throw new Error('the server has not started')
      await exchange(server.url, octets, expected)
      await exchange(server.url, to('GET /alive'), open([200, 'alive']))
      const expectedDefects = expected.responses.filter((answer) => statusOf(answer) === 500)
      assert.is(defects.splice(0).length, expectedDefects.length)
    })
  })

const exchange = async (
  url: string,
  octets: string,
  { responses, closes }: Expected,
): Promise<void> => {
  const connection = await connectTo(url)
  try {
    connection.write(octets)
    const methods = methodsOf(octets)
    for (const [index, answer] of responses.entries()) {
      const response = await next(connection, methods)
      check(response, answer)
      const last = closes && index === responses.length - 1
      if (last) assert.is(fieldOf(response, 'connection'), 'close')
    }
    if (closes) return await closing(connection)
    connection.write(probe)
    check(await connection.next(), [200, '/target probe'])
  } finally {
    connection.leave()
  }
}

const probe = to('GET /target?probe')

/** A server that still reads what it does not want closes as soon as nothing more can come; it answers none of it. */
const closing = async (connection: RawConnection): Promise<void> => {
  const closed = await Promise.race([connection.closed().then(() => true), wait(10, false)])
  if (closed) return
  connection.write(probe)
  connection.socket.end()
  await connection.closed()
}

/** Interim responses leave the method for the final one. */
const next = async (connection: RawConnection, methods: string[]): Promise<RawResponse> => {
  const response = await connection.next(methods[0])
  if (response.status >= 200) methods.shift()
  return response
}

const methodsOf = (octets: string): string[] =>
  [...octets.matchAll(/^(\S+) \S+ HTTP\/1\.[01]\r$/gm)].map(([, method = '']) => method)

const statusOf = (answer: Answer): number => (typeof answer === 'number' ? answer : answer[0])

/** Throws when a response is not what was expected, or tells what no response may tell. */
export const check = (response: RawResponse, answer: Answer): void => {
  const [status, content, fields = {}] = typeof answer === 'number' ? [answer] : answer
  assert.is(response.status, status, response.content)
  if (typeof content === 'string') assert.is(response.content, content)
  if (content instanceof RegExp) assert.match(response.content, content)
  for (const [name, value] of Object.entries(fields)) {
    const actual = fieldOf(response, name)
    if (value instanceof RegExp) assert.match(actual ?? '', value)
    else assert.is(actual, value, name)
  }
  discreet(response)
}

/** Neither stacks nor files nor what was refused; errors are problem documents that nobody stores. */
const discreet = (response: RawResponse): void => {
  if (response.status < 400) return
  assert.not.match(response.content, new RegExp(secret))
  assert.not.match(response.content, /\n +at |node:|file:|\.[jt]s\b|node_modules/)
  assert.is(fieldOf(response, 'cache-control'), 'no-store')
  if (response.content === '' || fieldOf(response, 'content-type') !== 'application/problem+json')
    return
  const problem: unknown = JSON.parse(response.content)
  assert.ok(typeof problem === 'object' && problem !== null)
  assert.is('status' in problem && problem.status, response.status)
  assert.match('instance' in problem ? String(problem.instance) : '', /^urn:uuid:[\da-f-]{36}$/)
}
