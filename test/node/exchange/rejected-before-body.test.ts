/** Requests that are rejected before any byte of their body is read, whatever its announced length. */
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
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { check, to } from '../../support/raw.ts'

const length = 50 * 1024 * 1024
let read = 0
let handled = 0

const octets = representation({
  mediaType: 'application/x-octets',
  read: (content) => {
    read += content.length
    return content.length
  },
  write: () => '',
})
const api = pipe(
  routes({
    upload: pipe(
      path('/upload'),
      post(),
      rolesAllowed('editor'),
      body(octets),
      produces(text),
      handle(({ body: content }) => {
        handled++
        return String(content)
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
const rows: ReadonlyArray<[name: string, fields: ReadonlyArray<string>, status: number]> = [
  ['somebody who is not known', [], 401],
  ['bad credentials', ['Authorization: Basic !'], 401],
  ['somebody without the role', [as('bob')], 403],
]
const field = (line: string): ReadonlyArray<string> => line.split(': ')
const type = 'Content-Type: application/x-octets'

describe('a body of an unauthorized request', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await onLoopback(api, {
      'fw.http.limits.max-body-size': '100M',
    })
  })
  after(() => server?.close())

  table(test, rows, async (_, fields, status) => {
    read = handled = 0
    const connection = await connectTo(server?.url ?? '')
    connection.write(to('POST /upload', type, `Content-Length: ${length}`, ...fields))
    check(await connection.next(), status)
    assert.equal([read, handled], [0, 0])
    connection.leave()
  })
  table<(typeof rows)[number]>(
    test,
    rows.map(([name, ...row]) => [`${name}, who asks before`, ...row]),
    async (_, fields, status) => {
      const connection = await connectTo(server?.url ?? '')
      connection.write(
        to('POST /upload', type, `Content-Length: ${length}`, 'Expect: 100-continue', ...fields),
      )
      const response = await connection.next()
      check(response, status)
      assert.is(fieldOf(response, 'connection'), 'close')
      connection.leave()
    },
  )
  test('the body of an authorized request is read', async () => {
    read = handled = 0
    const connection = await connectTo(server?.url ?? '')
    connection.write(to('POST /upload', type, 'Content-Length: 3', as('ann')))
    connection.write('abc')
    check(await connection.next(), [200, '3'])
    assert.equal([read, handled], [3, 1])
    connection.leave()
  })
})

describe('the interpreter', (test) => {
  const run = interpret(compile(api))
  const taken = (headers: ReadonlyArray<string>): Promise<[status: number, taken: number]> =>
    new Promise((resolve) => {
      let times = 0
      const exchange = exchangeOf(
        {
          method: 'POST',
          path: '/upload',
          headers: ['Content-Type', 'application/x-octets', ...headers],
          readBody: (_, then) => {
            times++
            then(new Uint8Array(1))
          },
        },
        ({ status }) => resolve([status, times]),
      )
      run(exchange)
    })
  table(test, rows, async (_, fields, status) => {
    assert.equal(await taken(fields.flatMap(field)), [status, 0])
  })
  test('requests the body of an authorized request', async () => {
    assert.equal(await taken(field(as('ann'))), [200, 1])
  })
})
