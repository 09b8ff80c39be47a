/** What nobody foresaw in a handler. The client learns an id, and the log learns the rest. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../src/index.ts'
import {
  HttpError,
  InternalServerError,
  Unauthorized,
  fails,
  get,
  handle,
  implement,
  json,
  path,
  produces,
  reply,
  routes,
  text,
} from '../../src/index.ts'
import type { Log, Logger } from '../../src/compiler/settings/logger.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const Missing = t.type({ missing: t.string })
const Locked = t.type({ by: t.string })

/** The name of a row of `defects` selects what goes wrong. */
const defective = pipe(
  path('/{name}'),
  get(),
  produces(text),
  fails(404, json(Missing)),
  fails(423, json(Locked)),
)

type Returned = ReturnType<HandlerOf<typeof defective>>

/** What the types do not let through. */
const unforeseen = (value: unknown): Returned => value as Returned

const untouchable = (): never => {
  const { proxy, revoke } = Proxy.revocable(new Error('hidden'), {})
  revoke()
  throw proxy
}
const unsendable = new HttpError(reply(400, 1n), 'hidden')

type Row = readonly [name: string, make: () => Returned]

const defects: ReadonlyArray<Row> = [
  ['an error that is thrown', () => JSON.parse('hidden')],
  ['an error that is rejected', () => Promise.reject(new Error('hidden'))],
  ['an error that a Task rejects', () => () => Promise.reject(new Error('hidden'))],
  ['a rejection that is no error', () => Promise.reject('hidden')],
  ['a rejection without a reason', () => Promise.reject()],
  ['a Left that is not declared', () => unforeseen(E.left('hidden'))],
  ['a Left of nothing', () => unforeseen(E.left(undefined))],
  ['a status that is not declared', () => unforeseen(reply(202, 'hidden'))],
  ['the same without content', () => unforeseen(reply(202))],
  ['a value of another type', () => unforeseen({ hidden: true })],
  ['such a value, later', () => unforeseen(Promise.resolve({ hidden: true }))],
  ['what cannot be looked at', untouchable],
  ['the same, later', () => Promise.resolve().then(untouchable)],
  ['a status that HTTP does not have', () => new HttpError(1000, 'hidden')],
  ['such a status, later', () => Promise.reject(new HttpError(150, 'hidden'))],
  ['an entity that is no JSON', () => unsendable],
  ['such an entity, later', () => Promise.reject(unsendable)],
]

const makes = new Map(defects)

const foreseen = new InternalServerError('hidden')

const api = routes({
  defective: implement(defective, (input) => makes.get(input.path.name)?.() ?? 'no such row'),
  foreseen: pipe(
    path('/foreseen/error'),
    get(),
    handle(() => foreseen),
  ),
  denied: pipe(
    path('/denied/{id}'),
    get(),
    handle((_, { request }) => new Unauthorized(`Basic realm="${request.id}"`)),
  ),
  failed: pipe(
    path('/failed/{id}'),
    get(),
    produces(text),
    handle((_, { request }) => {
      throw new Error(request.id)
    }),
  ),
})

interface Line {
  readonly level: string
  readonly members: Parameters<Log>[0]
  readonly message: string
}

/** The log since it was last emptied. */
const lines: Line[] = []

const log =
  (level: string): Log =>
  (members, message) => {
    lines.push({ level, members, message })
  }

const logger: Logger = {
  trace: log('trace'),
  debug: log('debug'),
  info: log('info'),
  warn: log('warn'),
  error: log('error'),
}

/** What the log tells at a level. */
const told = (level: string): ReadonlyArray<Line> => lines.filter((line) => line.level === level)

interface Document {
  readonly instance: string
}

contract(
  'defects',
  api,
  (test, call) => {
    table<Row>(test, defects, async (name) => {
      lines.length = 0
      const response = await ask(call, `GET /${encodeURIComponent(name)}`)
      assert.is(response.status, 500)
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      const { instance, ...problem } = (await response.json()) as Document
      assert.equal(problem, { type: 'about:blank', title: 'Internal Server Error', status: 500 })
      assert.equal(
        told('error').map(({ members }) => `urn:uuid:${String(members.id)}`),
        [instance],
      )
    })

    test('the log has the path, the id and the error', async () => {
      lines.length = 0
      const response = await ask(call, 'GET /failed/a%20b?c=d')
      const { instance } = (await response.json()) as Document
      const id = instance.replace('urn:uuid:', '')
      assert.match(id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
      const [line] = told('error')
      assert.is(line?.message, `HTTP Request to /failed/a%20b failed, error id: ${id}`)
      assert.is(line?.members.id, id)
      assert.instance(line?.members.err, Error)
    })

    test('the id is that of the context', async () => {
      lines.length = 0
      await ask(call, 'GET /failed/1')
      const [line] = told('error')
      assert.is(line?.members.err instanceof Error && line.members.err.message, line?.members.id)
    })

    test('the id of an error with a status is that of the context', async () => {
      const response = await ask(call, 'GET /denied/1')
      const { instance } = (await response.json()) as Document
      const realm = response.headers.get('www-authenticate') ?? ''
      assert.is(realm, `Basic realm="${instance.replace('urn:uuid:', '')}"`)
    })

    test('an error with a status is no defect, whatever its status', async () => {
      lines.length = 0
      assert.is((await ask(call, 'GET /foreseen/error')).status, 500)
      assert.equal(told('error'), [])
      const [line] = told('debug')
      assert.is(line?.message, 'GET /foreseen/error failed with 500')
      assert.is(line?.members.err, foreseen)
    })
  },
  { logger, 'fw.log.level': 'debug' },
)
