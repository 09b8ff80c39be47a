/** What the log tells of requests. */
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
} from '../../src/index.ts'
import { loggerByLevel } from '../../src/compiler/settings/logger.ts'
import { levelSetting } from '../../src/compiler/settings/log-level.ts'
import type { ServeOptions } from '../../src/node.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

class Mapped extends Error {}

/** The log since it was last emptied: category, level and message. */
const lines: Array<readonly [line: string, members: Readonly<Record<string, unknown>>]> = []
const logger = loggerByLevel((level) => (members, message) => {
  lines.push([`${String(members['category'])} ${level}: ${message}`, members])
})

const throwing = (name: string, error: Error) =>
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
    mapped: throwing('mapped', new Mapped('the real one')),
    conflict: throwing('conflict', new Conflict('lock 7')),
    defect: throwing('defect', new Error('broken')),
    inputs: pipe(
      path('/inputs/{n}', { n: int }),
      post(),
      query({ q: int }),
      body(json(t.type({ secret: t.string }))),
      handle(() => undefined),
    ),
    own: pipe(
      path('/own'),
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

const content = (value: unknown): RequestInit => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
})

type Row = readonly [line: string, init: RequestInit, told: ReadonlyArray<string>]

/** One category at a level, and everything else silent. */
const telling = (category: string, level: string): ServeOptions =>
  ({ logger, 'fw.log.level': 'off', [levelSetting(category)]: level }) as ServeOptions

const tells = (name: string, options: ServeOptions, rows: ReadonlyArray<Row>): void =>
  contract(
    name,
    api,
    (test, call) =>
      table<Row>(test, rows, async (line, init, told) => {
        lines.length = 0
        await ask(call, line, init)
        const id = /error id: [\da-f-]{36}$/
        assert.equal(
          lines.map(([said]) => said.replace(id, 'error id: …')),
          told,
        )
        for (const [, members] of lines) assert.type(members['id'], 'string')
      }),
    options,
  )

const defect = 'request error: HTTP Request to /defect failed, error id: …'

tells('by default, only defects are logged', { logger }, [
  ['GET /mapped', {}, []],
  ['GET /conflict', {}, []],
  ['POST /inputs/x?q=1', content({ secret: 'a' }), []],
  ['POST /inputs/1?q=1', content({ secret: 1 }), []],
  ['GET /nothing', {}, []],
  ['GET /defect', {}, [defect]],
])

tells('refused inputs at DEBUG of their category', telling('parameters', 'DEBUG'), [
  ['POST /inputs/x?q=1', content({ secret: 'a' }), [refused('/inputs/x')]],
  ['POST /inputs/1?q=x', content({ secret: 'a' }), [refused('/inputs/1')]],
  ['POST /inputs/1?q=1', content({ secret: 1 }), [refused('/inputs/1')]],
  ['POST /inputs/1?q=1', { ...content(''), body: '{' }, [refused('/inputs/1')]],
  ['GET /mapped', {}, []],
  ['GET /defect', {}, []],
])

function refused(target: string): string {
  return `parameters debug: Invalid input of POST ${target}`
}

tells('the real error before it is mapped, at DEBUG', telling('request', 'debug'), [
  ['GET /mapped', {}, ['request debug: An error is mapped.']],
  ['GET /conflict', {}, []],
  ['GET /defect', {}, [defect]],
])

const answered = ['HttpError debug: GET /conflict failed with 409']
for (const [category, level, told] of [
  ['HttpError', 'debug', answered],
  ['WebApplicationException', 'DEBUG', answered],
  ['WebApplicationException', 'info', []],
] as const)
  tells(`errors with a status, ${category} ${level}`, telling(category, level), [
    ['GET /conflict', {}, told],
    ['GET /mapped', {}, []],
    ['GET /defect', {}, []],
  ])

contract(
  'what lines tell',
  api,
  (test, call) => {
    const membersOf = async (line: string, init: RequestInit = {}) => {
      lines.length = 0
      const response = await ask(call, line, init)
      return [lines[0]?.[1] ?? {}, response] as const
    }
    test('the error itself', async () => {
      const [members] = await membersOf('GET /mapped')
      assert.instance(members['err'], Mapped)
    })
    test('what was expected, and nothing of what was sent', async () => {
      const [members] = await membersOf('POST /inputs/1?q=hidden', content({ secret: 'a' }))
      assert.match(JSON.stringify(members), /"name":"q","detail":"must be /)
      assert.not.match(JSON.stringify(members), /hidden/)
    })
    test('a category of the application has a level and the id of the request', async () => {
      const [members, response] = await membersOf('GET /own')
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
  routes({ own: throwing('new', new Conflict('lock')) }),
  withFilter(
    preMatching(({ request }) => rewrite({ target: '/new', id: `seen ${request.path}` })),
    preMatching(({ request, onEnd }) => {
      ids.push(`${request.path} ${request.id}`)
      onEnd(({ endpoint }) => ids.push(endpoint?.name ?? 'none'))
    }),
  ),
)

contract(
  'a filter before matching sees what those before it have rewritten',
  rewriting,
  (test, call) => {
    test('and the end of a request tells of its endpoint', async () => {
      ids.length = 0
      assert.is((await ask(call, 'GET /old')).status, 409)
      for (let turn = 0; ids.length < 2 && turn < 200; turn++)
        await new Promise((resolve) => setTimeout(resolve, 5))
      assert.equal(ids, ['/new seen /old', 'own'])
    })
  },
)
