/**
 * Tests that concurrent requests do not share state. Each request sends its own id in the path, the headers, the body and the
 * credentials, and its response must contain only that id. Authentication, filters and handlers wait for different times, so
 * that requests overtake one another.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { connect } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import {
  basic,
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
} from '../../../src/index.ts'
import { canGenerateCode } from '../../../src/codec/compiled/select-back-end.ts'
import type { Server } from '../../../src/node.ts'
import { describe, repetitions } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** Fewer requests without code generation, because isolation does not depend on the codec back end. */
const requests = canGenerateCode() ? repetitions(400, 10_000) : 1000
const connections = 200

/** Waits not at all, for a turn of the event loop, or for a millisecond, depending on the id. */
const delay = (id: string): Promise<unknown> | undefined => {
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
      handle(async (input, { request, uri, security }) => {
        const before = security.principal?.name
        const later = request.header('X-Id') ?? ''
        await delay(later.slice(0, -1))
        return [
          input.path.id,
          input.query.id,
          input.header['x-id'],
          input.cookie.id,
          input.body.id,
          input.needs.who,
          before,
          security.principal?.name,
          security.principal?.claims?.['id'],
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
      await delay(who)
      return next({ who })
    }),
  ),
  withFilter(
    preMatching(({ request, response, onEnd }) => {
      const id = request.header('x-id') ?? ''
      open.add(id)
      onEnd(() => open.delete(id))
      response.addHeader('X-Added', id)
      return delay(id.slice(0, -2))?.then(() => undefined)
    }),
    responseFilter((reply, { request, security }) =>
      pipe(
        reply,
        withHeader('X-Seen', request.header('x-id') ?? ''),
        withHeader('X-Principal', security.principal?.name ?? ''),
      ),
    ),
    basic({
      realm: 'echo',
      verify: async ({ user, password }) => {
        await delay(user.slice(0, -3))
        return { name: user, roles: [], claims: { id: password } }
      },
    }),
  ),
)

const requestOf = (id: string): string => {
  const encoded = JSON.stringify({ id })
  return [
    `POST /echo/${id}?id=${id} HTTP/1.1`,
    'Host: a.example',
    `X-Id: ${id}`,
    `Cookie: other=1; id=${id}`,
    `Authorization: Basic ${btoa(`${id}:${id}`)}`,
    'Content-Type: application/json',
    `Content-Length: ${encoded.length}`,
    '',
    encoded,
  ].join('\r\n')
}

/** Whether a response contains the id in all places. */
const isOf = (response: string, id: string): boolean =>
  response.startsWith('HTTP/1.1 200 ') &&
  response.includes(`\r\nX-Added: ${id}\r\n`) &&
  response.includes(`\r\nX-Seen: ${id}\r\n`) &&
  response.includes(`\r\nX-Principal: ${id}\r\n`) &&
  response.endsWith(`\r\n\r\n${Array(13).fill(id).join(' ')}`)

/** Sends requests on one connection, `pipelined` at a time. Returns the number of wrong responses. */
const countWrongResponses = async (
  url: string,
  ids: ReadonlyArray<string>,
  pipelined: number,
): Promise<number> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) }).setEncoding('latin1')
  const chunks: AsyncIterator<unknown> = socket[Symbol.asyncIterator]()
  let received = ''
  let wrong = 0
  for (let at = 0; at < ids.length; at += pipelined) {
    const batch = ids.slice(at, at + pipelined)
    socket.write(batch.map(requestOf).join(''))
    for (const id of batch) {
      let end = endOf(received)
      for (; end === undefined; end = endOf(received)) {
        const { done = false, value } = await chunks.next()
        if (done) throw new Error('the connection was closed')
        received += String(value)
      }
      if (!isOf(received.slice(0, end), id)) wrong++
      received = received.slice(end)
    }
  }
  socket.destroy()
  return wrong
}

/** The index of the end of the first response; `undefined` if it is incomplete. */
const endOf = (received: string): number | undefined => {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, head)) ?? []
  const end = head + 4 + Number(length)
  return received.length < end ? undefined : end
}

describe('concurrent requests', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serveLocally(api)
  })
  after(() => server?.close())

  test(`each of ${requests} requests gets its own response and ends`, async () => {
    const perConnection = requests / connections
    const wrong = await Promise.all(
      Array.from({ length: connections }, (_, connection) =>
        countWrongResponses(
          server?.url ?? '',
          Array.from(
            { length: perConnection },
            (__, turnOf) => `${connection}-${turnOf}-${crypto.randomUUID()}`,
          ),
          connection % 2 === 0 ? 1 : 16,
        ),
      ),
    )
    assert.is(
      wrong.reduce((sum, count) => sum + count, 0),
      0,
    )
    await waitUntil(() => open.size === 0)
  })
})
