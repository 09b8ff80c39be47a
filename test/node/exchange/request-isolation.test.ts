/**
 * Many requests at once, each with an identity of its own in everything that it sends, credentials too. Every response has
 * to hold that one alone, whatever else was on its way; authentication, filters and handlers wait for different times, so that
 * requests overtake one another.
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
import { canGenerateCode } from '../../../src/codec/generated/select-back-end.ts'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { onLoopback } from '../../support/loopback.ts'

/** One back end is enough for all of them: what could be mixed up does not depend on it. */
const requests = canGenerateCode() ? 10_000 : 2_000
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
      handle(async (input, { request, uri, security }) => {
        const before = security.principal?.name
        const later = request.header('X-Id') ?? ''
        await sometime(later.slice(0, -1))
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
        await sometime(user.slice(0, -3))
        return { name: user, roles: [], claims: { id: password } }
      },
    }),
  ),
)

const requestOf = (id: string): string => {
  const content = JSON.stringify({ id })
  return [
    `POST /echo/${id}?id=${id} HTTP/1.1`,
    'Host: a.example',
    `X-Id: ${id}`,
    `Cookie: other=1; id=${id}`,
    `Authorization: Basic ${btoa(`${id}:${id}`)}`,
    'Content-Type: application/json',
    `Content-Length: ${content.length}`,
    '',
    content,
  ].join('\r\n')
}

/** Whether a response is the one to the request with that identity, and to no other. */
const isOf = (response: string, id: string): boolean =>
  response.startsWith('HTTP/1.1 200 ') &&
  response.includes(`\r\nX-Added: ${id}\r\n`) &&
  response.includes(`\r\nX-Seen: ${id}\r\n`) &&
  response.includes(`\r\nX-Principal: ${id}\r\n`) &&
  response.endsWith(`\r\n\r\n${Array(13).fill(id).join(' ')}`)

/** Sends requests on one connection, `together` of them before the first answer to them; counts the wrong answers. */
const talk = async (url: string, ids: ReadonlyArray<string>, together: number): Promise<number> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) }).setEncoding('latin1')
  const pieces: AsyncIterator<unknown> = socket[Symbol.asyncIterator]()
  let received = ''
  let wrong = 0
  for (let at = 0; at < ids.length; at += together) {
    const batch = ids.slice(at, at + together)
    socket.write(batch.map(requestOf).join(''))
    for (const id of batch) {
      let end = endOf(received)
      for (; end === undefined; end = endOf(received)) {
        const { done = false, value } = await pieces.next()
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

/** Where the first response ends; `undefined` while it has not. */
const endOf = (received: string): number | undefined => {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, head)) ?? []
  const end = head + 4 + Number(length)
  return received.length < end ? undefined : end
}

describe('Requests at once', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await onLoopback(api)
  })
  after(() => server?.close())

  test(`of ${requests} concurrent requests, each gets its own response, and none stays open`, async () => {
    const each = requests / connections
    const wrong = await Promise.all(
      Array.from({ length: connections }, (_, connection) =>
        talk(
          server?.url ?? '',
          Array.from(
            { length: each },
            (__, turnOf) => `${connection}-${turnOf}-${crypto.randomUUID()}`,
          ),
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
