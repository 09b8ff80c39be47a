/**
 * Many requests at once, each with an identity of its own in everything that it sends: R-300. Every answer has to hold that one
 * alone, whatever else was on its way; filters and handlers wait for different times, so that requests overtake one another.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import {
  body,
  cookie,
  handle,
  header,
  json,
  needs,
  next,
  path,
  post,
  preMatching,
  produces,
  query,
  requestFilter,
  responseFilter,
  routes,
  slot,
  string,
  text,
  withFilter,
  withHeader,
} from '../../src/index.ts'
import { canGenerate } from '../../src/interpreter/back-end.ts'
import { silent } from '../../src/interpreter/logger.ts'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { describe } from '../support/describe.ts'

/** One back end is enough for all of them: what could be mixed up does not depend on it. */
const requests = canGenerate() ? 50_000 : 2_000
const connections = 200

/** Now, some turns of the loop later, or a millisecond later. */
const sometime = (id: string): Promise<unknown> | undefined => {
  const kind = id.charCodeAt(id.length - 1) % 5
  return kind < 2 ? undefined : kind === 2 ? Promise.resolve() : kind === 3 ? turn() : wait(1)
}

const open = new Set<string>()
const Who = slot<string>()('who')

const api = pipe(
  routes({
    echo: pipe(
      path('/echo/{id}'),
      post(),
      query({ id: string }),
      header({ 'x-id': string }),
      cookie({ id: string }),
      body(json(t.type({ id: t.string }))),
      needs({ who: Who }),
      produces(text),
      handle(async (input, { request, uri }) => {
        const later = request.header('X-Id') ?? ''
        await sometime(later.slice(0, -1))
        return [
          input.path.id,
          input.query.id,
          input.header['x-id'],
          input.cookie.id,
          input.body.id,
          input.needs.who,
          later,
          request.cookie('id'),
          uri.pathParameters.get('id'),
          uri.queryParameters.get('id')?.join(),
        ].join(' ')
      }),
    ),
  }),
  withFilter(
    requestFilter({ gives: { who: Who } }, async ({ request }) => {
      const who = request.cookie('id') ?? ''
      await sometime(who)
      return next({ who })
    }),
  ),
  withFilter(
    preMatching(({ request, response, onEnd }) => {
      const id = request.header('x-id') ?? ''
      open.add(id)
      onEnd(() => open.delete(id))
      response.addHeader('X-Added', id)
      return sometime(id.slice(0, -2))?.then(() => undefined)
    }),
    responseFilter((reply, { request }) =>
      pipe(reply, withHeader('X-Seen', request.header('x-id') ?? '')),
    ),
  ),
)

const requestOf = (id: string): string => {
  const content = JSON.stringify({ id })
  return [
    `POST /echo/${id}?id=${id} HTTP/1.1`,
    'Host: a.example',
    `X-Id: ${id}`,
    `Cookie: other=1; id=${id}`,
    'Content-Type: application/json',
    `Content-Length: ${content.length}`,
    '',
    content,
  ].join('\r\n')
}

/** Whether a response is the one to the request with that identity, and to no other. */
const isOf = (head: string, content: string, id: string): boolean =>
  head.startsWith('HTTP/1.1 200 ') &&
  head.includes(`\r\nX-Added: ${id}\r\n`) &&
  head.includes(`\r\nX-Seen: ${id}\r\n`) &&
  content === Array(10).fill(id).join(' ')

/** Sends requests on one connection, `together` of them before the first answer to them; counts the wrong answers. */
const talk = async (
  url: string,
  ids: ReadonlyArray<string>,
  together: number,
): Promise<number> => {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port) })
  let wrong = 0
  try {
    let received = ''
    let heard = (): void => undefined
    socket.setEncoding('latin1').on('data', (piece: string) => {
      received += piece
      heard()
    })
    for (let at = 0; at < ids.length; at += together) {
      const batch = ids.slice(at, at + together)
      socket.write(batch.map(requestOf).join(''))
      for (const id of batch) {
        let length: number | undefined
        for (;;) {
          const end = received.indexOf('\r\n\r\n')
          length = end < 0 ? undefined : lengthOf(received.slice(0, end))
          if (length !== undefined && received.length >= end + 4 + length) {
            const content = received.slice(end + 4, end + 4 + length)
            if (!isOf(`${received.slice(0, end)}\r\n`, content, id)) wrong++
            received = received.slice(end + 4 + length)
            break
          }
          await new Promise<void>((resolve, reject) => {
            heard = resolve
            socket.once('close', () => reject(new Error('the connection was closed')))
          })
          socket.removeAllListeners('close')
        }
      }
    }
  } finally {
    socket.destroy()
  }
  return wrong
}

const lengthOf = (head: string): number =>
  Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)

describe('Requests at once', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serve(api, {
      logger: silent,
      'fw.http.host': '127.0.0.1',
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
    })
  })
  after(() => server?.close())

  test(`R-300: of ${requests} none is taken for another, and none is left open`, async () => {
    const each = requests / connections
    const wrong = await Promise.all(
      Array.from({ length: connections }, (_, connection) =>
        talk(
          server?.url ?? '',
          Array.from({ length: each }, (__, turnOf) => `${connection}-${turnOf}-${crypto.randomUUID()}`),
          connection % 2 === 0 ? 1 : 16,
        ),
      ),
    )
    assert.is(
      wrong.reduce((sum, one) => sum + one, 0),
      0,
    )
    for (let turns = 0; open.size > 0 && turns < 100; turns++) await wait(10)
    assert.is(open.size, 0)
  })
})
