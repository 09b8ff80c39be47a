/** Tests that unauthorized requests are rejected before any byte of their body is read. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  basic,
  body,
  handle,
  path,
  post,
  produces,
  representation,
  rolesAllowed,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { compile } from '../../../src/interpreter/program.ts'
import { interpret } from '../../../src/interpreter/pipeline.ts'
import type { Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { exchangeOf } from '../../support/exchange.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'

const length = 50 * 1024 * 1024
let read = 0
let handled = 0

const counted = representation({
  mediaType: 'application/x-counted',
  read: (data) => {
    read += data.length
    return data.length
  },
  write: () => '',
})
const api = pipe(
  routes({
    upload: pipe(
      path('/upload'),
      post(),
      rolesAllowed('editor'),
      body(counted),
      produces(text),
      handle((input) => {
        handled++
        return String(input.body)
      }),
    ),
  }),
  withFilter(
    basic({
      realm: 'a',
      verify: async ({ user }) => ({ name: user, roles: user === 'ann' ? ['editor'] : [] }),
    }),
  ),
)

const as = (user: string): string =>
  `Authorization: Basic ${Buffer.from(`${user}:`).toString('base64')}`
const rows: ReadonlyArray<[name: string, headers: ReadonlyArray<string>, status: number]> = [
  ['an anonymous caller', [], 401],
  ['bad credentials', ['Authorization: Basic !'], 401],
  ['a caller without the role', [as('bob')], 403],
]
const splitHeader = (line: string): ReadonlyArray<string> => line.split(': ')
const type = 'Content-Type: application/x-counted'

describe('a body of an unauthorized request', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serveLocally(api, {
      'fw.http.limits.max-body-size': '100M',
    })
  })
  after(() => server?.close())

  table(test, rows, async (_, headers, status) => {
    read = handled = 0
    const connection = await connectTo(server?.url ?? '')
    connection.write(rawRequest('POST /upload', type, `Content-Length: ${length}`, ...headers))
    assertResponse(await connection.next(), status)
    assert.equal([read, handled], [0, 0])
    connection.destroy()
  })
  table<(typeof rows)[number]>(
    test,
    rows.map(([name, ...row]) => [`${name}, with Expect`, ...row]),
    async (_, headers, status) => {
      const connection = await connectTo(server?.url ?? '')
      connection.write(
        rawRequest(
          'POST /upload',
          type,
          `Content-Length: ${length}`,
          'Expect: 100-continue',
          ...headers,
        ),
      )
      const response = await connection.next()
      assertResponse(response, status)
      assert.is(headerOf(response, 'connection'), 'close')
      connection.destroy()
    },
  )
  test('the body of an authorized request is read', async () => {
    read = handled = 0
    const connection = await connectTo(server?.url ?? '')
    connection.write(rawRequest('POST /upload', type, 'Content-Length: 3', as('ann')))
    connection.write('abc')
    assertResponse(await connection.next(), [200, '3'])
    assert.equal([read, handled], [3, 1])
    connection.destroy()
  })
})

describe('the interpreter', (test) => {
  const run = interpret(compile(api))
  const countReads = (headers: ReadonlyArray<string>): Promise<[status: number, reads: number]> =>
    new Promise((resolve) => {
      let reads = 0
      const exchange = exchangeOf(
        {
          method: 'POST',
          path: '/upload',
          headers: ['Content-Type', 'application/x-counted', ...headers],
          readBody: (_, then) => {
            reads++
            then(new Uint8Array(1))
          },
        },
        ({ status }) => resolve([status, reads]),
      )
      run(exchange)
    })
  table(test, rows, async (_, headers, status) => {
    assert.equal(await countReads(headers.flatMap(splitHeader)), [status, 0])
  })
  test('requests the body of an authorized request', async () => {
    assert.equal(await countReads(splitHeader(as('ann'))), [200, 1])
  })
})
