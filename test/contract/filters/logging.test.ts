/** Log lines of requests: levels, categories and members, and pre-matching filters that rewrite the id. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  Conflict,
  get,
  handle,
  int,
  json,
  mapError,
  path,
  post,
  preMatching,
  produces,
  query,
  reply,
  rewrite,
  routes,
  text,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import { loggerByLevel, levelSetting } from '../../../src/compiler/settings/logger.ts'
import type { ServeOptions } from '../../../src/node.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { waitUntil } from '../../support/wait-until.ts'

class Mapped extends Error {}

/** Log lines since the last reset: category, level and message, with the members. */
const lines: Array<readonly [line: string, members: Readonly<Record<string, unknown>>]> = []
const logger = loggerByLevel((level) => (members, message) => {
  lines.push([`${String(members['category'])} ${level}: ${message}`, members])
})

const throwingOperation = (name: string, error: Error) =>
  pipe(
    path(`/${name}`),
    get(),
    produces(text),
    handle((): string => {
      throw error
    }),
  )

const api = pipe(
  routes({
    mapped: throwingOperation('mapped', new Mapped('original')),
    conflict: throwingOperation('conflict', new Conflict('lock 7')),
    internal: throwingOperation('internal', new Error('broken')),
    inputs: pipe(
      path('/inputs/{n}', { n: int }),
      post(),
      query({ q: int }),
      body(json(t.type({ secret: t.string }))),
      handle(() => undefined),
    ),
    category: pipe(
      path('/category'),
      get(),
      produces(text),
      handle((_, { logger: log, request }) => {
        log('orders').warn({ order: 7 }, 'shipped')
        log('orders').info({}, 'dropped')
        return request.id
      }),
    ),
  }),
  withMapper(mapError(Mapped, () => reply(418, 'mapped'))),
)

const jsonInit = (value: unknown): RequestInit => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
})

type Row = readonly [line: string, init: RequestInit, expected: ReadonlyArray<string>]

/** Options that set one category to `level` and disable all others. */
const onlyCategory = (category: string, level: string): ServeOptions =>
  ({ logger, 'fw.log.level': 'off', [levelSetting(category)]: level }) as ServeOptions

const logContract = (name: string, options: ServeOptions, rows: ReadonlyArray<Row>): void =>
  contract(
    name,
    api,
    (test, call) =>
      table<Row>(test, rows, async (line, init, expected) => {
        lines.length = 0
        await sendRequest(call, line, init)
        const id = /error ID: [\da-f-]{36}$/
        assert.equal(
          lines.map(([message]) => message.replace(id, 'error ID: …')),
          expected,
        )
        for (const [, members] of lines) assert.type(members['id'], 'string')
      }),
    options,
  )

const internal = 'request error: HTTP request to /internal failed, error ID: …'

logContract('log with default settings', { logger }, [
  ['GET /mapped', {}, []],
  ['GET /conflict', {}, []],
  ['POST /inputs/x?q=1', jsonInit({ secret: 'a' }), []],
  ['POST /inputs/1?q=1', jsonInit({ secret: 1 }), []],
  ['GET /nothing', {}, []],
  ['GET /internal', {}, [internal]],
])

logContract(
  'log of invalid input, category parameters at debug level',
  onlyCategory('parameters', 'DEBUG'),
  [
    ['POST /inputs/x?q=1', jsonInit({ secret: 'a' }), [invalidInput('/inputs/x')]],
    ['POST /inputs/1?q=x', jsonInit({ secret: 'a' }), [invalidInput('/inputs/1')]],
    ['POST /inputs/1?q=1', jsonInit({ secret: 1 }), [invalidInput('/inputs/1')]],
    ['POST /inputs/2?q=1', { ...jsonInit(''), body: '{' }, [invalidInput('/inputs/2')]],
    ['GET /mapped', {}, []],
    ['GET /internal', {}, []],
  ],
)

function invalidInput(target: string): string {
  return `parameters debug: Invalid input for POST ${target}`
}

logContract(
  'log of mapped errors, category request at debug level',
  onlyCategory('request', 'debug'),
  [
    ['GET /mapped', {}, ['request debug: Mapping an error to a response']],
    ['GET /conflict', {}, []],
    ['GET /internal', {}, [internal]],
  ],
)

const httpErrorLine = ['HttpError debug: GET /conflict failed with 409']
for (const [category, level, expected] of [
  ['HttpError', 'debug', httpErrorLine],
  ['WebApplicationException', 'DEBUG', httpErrorLine],
  ['WebApplicationException', 'info', []],
] as const)
  logContract(
    `log of HttpError, category ${category} at level ${level}`,
    onlyCategory(category, level),
    [
      ['GET /conflict', {}, expected],
      ['GET /mapped', {}, []],
      ['GET /internal', {}, []],
    ],
  )

contract(
  'members of log lines',
  api,
  (test, call) => {
    const membersOf = async (line: string, init: RequestInit = {}) => {
      lines.length = 0
      const response = await sendRequest(call, line, init)
      return [lines[0]?.[1] ?? {}, response] as const
    }
    test('a mapped error is the member err', async () => {
      const [members] = await membersOf('GET /mapped')
      assert.instance(members['err'], Mapped)
    })
    test('validation errors are logged without the input', async () => {
      const [members] = await membersOf('POST /inputs/1?q=hidden', jsonInit({ secret: 'a' }))
      assert.match(JSON.stringify(members), /"name":"q","detail":"must be /)
      assert.not.match(JSON.stringify(members), /hidden/)
    })
    test('an application category has its own level, and its lines have the request id', async () => {
      const [members, response] = await membersOf('GET /category')
      assert.equal(
        lines.map(([line]) => line),
        ['orders warn: shipped'],
      )
      assert.equal(members, { category: 'orders', id: await response.text(), order: 7 })
    })
  },
  { logger, 'fw.log.level': 'trace', 'fw.log.category.orders.level': 'warn' },
)

const ids: string[] = []
const rewriting = pipe(
  routes({ rewritten: throwingOperation('new', new Conflict('lock')) }),
  withFilter(
    preMatching(({ request }) => rewrite({ target: '/new', id: `from ${request.path}` })),
    preMatching(({ request, onEnd }) => {
      ids.push(`${request.path} ${request.id}`)
      onEnd(({ endpoint }) => ids.push(endpoint?.name ?? 'none'))
    }),
  ),
)

contract('pre-matching filters that rewrite the request', rewriting, (test, call) => {
  test('later filters see the new path and id, and onEnd receives the endpoint', async () => {
    ids.length = 0
    assert.is((await sendRequest(call, 'GET /old')).status, 409)
    await waitUntil(() => ids.length >= 2)
    assert.equal(ids, ['/new from /old', 'rewritten'])
  })
})
