/** Unexpected errors of handlers: 500 with an error id, and a log line with the same id and the error. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../../src/index.ts'
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
} from '../../../src/index.ts'
import type { Log, Logger } from '../../../src/compiler/settings/logger.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const Missing = t.type({ missing: t.string })
const Locked = t.type({ by: t.string })

/** The path parameter selects a row of `errors`. */
const failing = pipe(
  path('/{name}'),
  get(),
  produces(text),
  fails(404, json(Missing)),
  fails(423, json(Locked)),
)

type Returned = ReturnType<HandlerOf<typeof failing>>

/** Casts a value that the type of the handler excludes. */
const untyped = (value: unknown): Returned => value as Returned

const throwRevokedProxy = (): never => {
  const { proxy, revoke } = Proxy.revocable(new Error('hidden'), {})
  revoke()
  throw proxy
}
const unsendable = new HttpError(reply(400, 1n), 'hidden')

type Row = readonly [name: string, create: () => Returned]

const errors: ReadonlyArray<Row> = [
  ['a thrown error', () => JSON.parse('hidden')],
  ['a rejected error', () => Promise.reject(new Error('hidden'))],
  ['an error rejected by a Task', () => () => Promise.reject(new Error('hidden'))],
  ['a rejected string', () => Promise.reject('hidden')],
  ['a rejection without a reason', () => Promise.reject()],
  ['an undeclared Left', () => untyped(E.left('hidden'))],
  ['a Left of undefined', () => untyped(E.left(undefined))],
  ['an undeclared status', () => untyped(reply(202, 'hidden'))],
  ['an undeclared status without a body', () => untyped(reply(202))],
  ['a value of another type', () => untyped({ hidden: true })],
  ['a promise of a value of another type', () => untyped(Promise.resolve({ hidden: true }))],
  ['a thrown revoked proxy', throwRevokedProxy],
  ['a rejected revoked proxy', () => Promise.resolve().then(throwRevokedProxy)],
  ['an invalid status', () => new HttpError(1000, 'hidden')],
  ['a rejected error with an invalid status', () => Promise.reject(new HttpError(150, 'hidden'))],
  ['an entity that cannot be encoded as JSON', () => unsendable],
  ['a rejected error with an entity that cannot be encoded', () => Promise.reject(unsendable)],
]

const factories = new Map(errors)

const expected = new InternalServerError('hidden')

const api = routes({
  failing: implement(failing, (input) => factories.get(input.path.name)?.() ?? 'unknown row'),
  expected: pipe(
    path('/expected/error'),
    get(),
    handle(() => expected),
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

/** Log lines since the last reset. */
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

/** Log lines of a level. */
const linesAt = (level: string): ReadonlyArray<Line> => lines.filter((line) => line.level === level)

interface Document {
  readonly instance: string
}

contract(
  'internal errors',
  api,
  (test, call) => {
    table<Row>(test, errors, async (name) => {
      lines.length = 0
      const response = await sendRequest(call, `GET /${encodeURIComponent(name)}`)
      assert.is(response.status, 500)
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      const { instance, ...problem } = (await response.json()) as Document
      assert.equal(problem, { type: 'about:blank', title: 'Internal Server Error', status: 500 })
      assert.equal(
        linesAt('error').map(({ members }) => `urn:uuid:${String(members.id)}`),
        [instance],
      )
    })

    test('the log line has the path, the id and the error', async () => {
      lines.length = 0
      const response = await sendRequest(call, 'GET /failed/a%20b?c=d')
      const { instance } = (await response.json()) as Document
      const id = instance.replace('urn:uuid:', '')
      assert.match(id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
      const [line] = linesAt('error')
      assert.is(line?.message, `HTTP request to /failed/a%20b failed, error ID: ${id}`)
      assert.is(line?.members.id, id)
      assert.instance(line?.members.err, Error)
    })

    test('the error id is the request id of the context', async () => {
      lines.length = 0
      await sendRequest(call, 'GET /failed/1')
      const [line] = linesAt('error')
      assert.is(line?.members.err instanceof Error && line.members.err.message, line?.members.id)
    })

    test('the instance of an HttpError is the request id of the context', async () => {
      const response = await sendRequest(call, 'GET /denied/1')
      const { instance } = (await response.json()) as Document
      const realm = response.headers.get('www-authenticate') ?? ''
      assert.is(realm, `Basic realm="${instance.replace('urn:uuid:', '')}"`)
    })

    test('an HttpError with status 500 is logged at debug level only', async () => {
      lines.length = 0
      assert.is((await sendRequest(call, 'GET /expected/error')).status, 500)
      assert.equal(linesAt('error'), [])
      const [line] = linesAt('debug')
      assert.is(line?.message, 'GET /expected/error failed with 500')
      assert.is(line?.members.err, expected)
    })
  },
  { logger, 'fw.log.level': 'debug' },
)
