/** Error mappers: matching, failures of mappers, scope, declared responses, and response filters. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../../src/index.ts'
import {
  Conflict,
  HttpError,
  fails,
  get,
  implement,
  json,
  mapError,
  mapTagged,
  path,
  preMatching,
  produces,
  reply,
  representation,
  requestFilter,
  responseFilter,
  routes,
  text,
  unwrap,
  withFilter,
  withHeader,
  withMapper,
} from '../../../src/index.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

class Failed extends Error {}
class Broken extends Failed {}
class Slow extends Error {}
class Wrapper extends Error {}
class FailsInMapper extends Error {}

const throwing = (error: unknown) => (): never => {
  throw error
}

const failing = pipe(path('/{name}'), get(), produces(text))
type Returned = ReturnType<HandlerOf<typeof failing>>

/** Casts a value that the type of the handler excludes. */
const untyped = (value: unknown): Returned => value as Returned

type Row = readonly [name: string, create: () => Returned, status: number, content?: string]

const rows: ReadonlyArray<Row> = [
  ['a thrown error', throwing(new Failed('a')), 400, 'Failed: a'],
  ['a rejected promise', () => Promise.reject(new Failed('b')), 400, 'Failed: b'],
  ['a rejected Task', () => () => Promise.reject(new Failed('c')), 400, 'Failed: c'],
  ['a Left', () => untyped(E.left(new Failed('d'))), 400, 'Failed: d'],
  ['a Left of a TaskEither', () => untyped(TE.left(new Failed('e'))), 400, 'Failed: e'],
  ['a subclass', throwing(new Broken('f')), 400, 'Failed: f'],
  ['a tagged value', throwing({ _tag: 'Missing', item: 'g' }), 404, 'missing g'],
  ['a tagged Left', () => untyped(E.left({ _tag: 'Missing', item: 'h' })), 404, 'missing h'],
  ['undefined', throwing(undefined), 418, 'nothing'],
  [
    'the cause of a wrapping error',
    throwing(new Wrapper('', { cause: new Failed('i') })),
    400,
    'Failed: i',
  ],
  ['a cause with a status', throwing(new Wrapper('', { cause: new HttpError(410) })), 410],
  ['an error with a reply', throwing(new HttpError(reply(409, 'own'))), 409, 'own'],
  ['a returned error with a reply', () => new HttpError(reply(409, 'own')), 409, 'own'],
  ['an error with a status', throwing(new Conflict('hidden')), 450, 'Conflict'],
  ['a returned error with a status', () => new Conflict(), 450, 'Conflict'],
  ['an unmapped error', throwing(new RangeError()), 500],
  ['a mapper that returns a promise', throwing(new Slow('promise')), 503, 'promise'],
  ['a mapper that returns a Task', throwing(new Slow('task')), 503, 'task'],
  ['a mapper that throws', throwing(new FailsInMapper('throws')), 500],
  ['a mapper that rejects', throwing(new FailsInMapper('rejects')), 500],
  ['a mapper that throws a mapped error', throwing(new FailsInMapper('mapped')), 500],
  ['a mapper that throws an error with a status', throwing(new FailsInMapper('status')), 451],
  ['a mapper that returns undefined', throwing(new FailsInMapper('nothing')), 500],
  ['a mapper that returns an invalid reply', throwing(new FailsInMapper('unsendable')), 500],
  ['a guard that throws', throwing(new FailsInMapper('guard')), 500],
]

const factories = new Map(rows.map(([name, create]) => [name, create]))

const failsInMapper = (error: unknown): error is FailsInMapper => {
  if (error instanceof FailsInMapper && error.message === 'guard') throw new Error('in a guard')
  return error instanceof FailsInMapper
}

const filtered: unknown[] = []

const mapped = pipe(
  routes({ failing: implement(failing, ({ path: { name } }) => factories.get(name)?.() ?? '?') }),
  withMapper(
    mapError(Failed, ({ message }) => reply(400, `Failed: ${message}`)),
    mapError(Conflict, ({ name }) => reply(450, name)),
    mapTagged({
      Missing: ({ item }: { readonly item: string }) => reply(404, `missing ${item}`),
    }),
    unwrap(Wrapper),
    mapError(
      (error): error is undefined => error === undefined,
      () => reply(418, 'nothing'),
    ),
    mapError(Slow, ({ message }) =>
      message === 'task' ? T.of(reply(503, message)) : Promise.resolve(reply(503, message)),
    ),
    mapError(failsInMapper, ({ message }) => {
      if (message === 'throws') throw new Error('in a mapper')
      if (message === 'mapped') throw new Failed('in a mapper')
      if (message === 'status') throw new HttpError(451)
      if (message === 'nothing') return undefined as never
      if (message === 'unsendable') return reply(1000, 'in a mapper')
      return Promise.reject(new Error('in a mapper'))
    }),
  ),
  withFilter(
    responseFilter((response, _, failure) => {
      filtered.push([response.status, failure])
      return pipe(response, withHeader('X-Seen', 'yes'))
    }),
  ),
)

valueContract('error mappers', mapped, (test, call) => {
  table<Row>(test, rows, async (name, _, status, content) => {
    const response = await sendRequest(call, `GET /${encodeURIComponent(name)}`)
    assert.is(response.status, status)
    assert.is(response.headers.get('X-Seen'), 'yes')
    const received = await response.text()
    if (content === undefined) assert.not.match(received, 'in a')
    else assert.is(received, content)
  })

  table<[title: string, name: string, status: number, message: string]>(
    test,
    [
      ['a mapped error in a response filter', 'a thrown error', 400, 'a'],
      ['a wrapping error in a response filter', 'the cause of a wrapping error', 400, ''],
      ['the original error if a mapper throws', 'a mapper that throws', 500, 'throws'],
      [
        'an invalid reply in a response filter',
        'a mapper that returns an invalid reply',
        1000,
        'unsendable',
      ],
    ],
    async (_, name, status, message) => {
      filtered.length = 0
      await sendRequest(call, `GET /${encodeURIComponent(name)}`)
      const [first, ...others] = filtered as ReadonlyArray<readonly [number, Error]>
      assert.equal(others, [], 'a response filter runs once per response')
      assert.equal([first?.[0], first?.[1].message], [status, message])
    },
  )
})

const throwingOperation = (name: string, error: unknown) =>
  pipe(path(`/${name}`), get(), (endpoint) => implement(endpoint, throwing(error)))
const mapTo = (name: string) => mapError(Error, () => reply(400, name))

const nested = pipe(
  routes({
    inner: pipe(
      routes({
        failed: throwingOperation('inner', new Failed()),
        tagless: throwingOperation('tagless', { a: 1 }),
      }),
      withMapper(mapTo('inner')),
    ),
    sibling: throwingOperation('sibling', new Failed()),
    other: throwingOperation('other', new Error()),
    stopped: pipe(
      routes({ it: throwingOperation('stopped', new Error('in the handler')) }),
      withFilter(requestFilter(throwing(new Failed('in a filter')))),
    ),
  }),
  withMapper(
    mapError(Failed, (error, { endpoint, request }) =>
      reply(400, `outer: ${endpoint?.name} ${request.method} ${error.message}`),
    ),
  ),
)

valueContract('scope and context of mappers', nested, (test, call) => {
  table<[line: string, content: string | undefined]>(
    test,
    [
      ['GET /inner', 'inner'],
      ['GET /sibling', 'outer: sibling GET '],
      ['GET /stopped', 'outer: stopped.it GET in a filter'],
      ['GET /other', undefined],
      ['GET /tagless', undefined],
    ],
    async (line, content) => {
      const [status, received] = await responseTo(call, line)
      if (content === undefined) assert.is(status, 500)
      else assert.equal([status, received], [400, content])
    },
  )
})

const Message = t.type({ message: t.string })
interface Locked {
  readonly _tag: 'Locked'
}
interface Stale {
  readonly _tag: 'Stale'
  readonly message: string
}
const custom = representation({
  mediaType: 'application/x-custom',
  write: (value: string) => value,
})
const declared = pipe(
  routes({
    typed: throwingOperation('typed', new Failed('typed')),
    locked: throwingOperation('locked', { _tag: 'Locked' }),
    stale: throwingOperation('stale', { _tag: 'Stale', message: 'stale' }),
    declared: pipe(path('/declared'), get(), fails(404, json(Message)), fails(409), (endpoint) =>
      implement(endpoint, () => E.left({ _tag: 'Locked', message: 'matches' })),
    ),
    custom: pipe(path('/custom'), get(), fails(404, custom), (endpoint) =>
      implement(endpoint, () => E.left({ _tag: 'Locked' } as never)),
    ),
  }),
  withMapper(
    mapError(Failed, { fails: { 422: json(Message) } }, ({ message }) =>
      reply(422, { message, hidden: 'a' }),
    ),
    mapTagged<Locked | Stale>()(
      { fails: { 423: json(Message) } },
      {
        Locked: async ({ _tag }) => reply(423, { message: _tag }),
        Stale: ({ message }) => reply(409, message),
      },
    ),
  ),
)

valueContract('declared responses of mappers', declared, (test, call) => {
  table<[line: string, status: number, content: unknown]>(
    test,
    [
      ['GET /typed', 422, { message: 'typed' }],
      ['GET /locked', 423, { message: 'Locked' }],
      ['GET /stale', 409, 'stale'],
      ['GET /declared', 404, { message: 'matches' }], // A declared failure of the operation takes precedence.
      ['GET /custom', 423, { message: 'Locked' }], // A custom representation has no codec to test the value.
    ],
    async (line, status, content) => {
      assert.equal(await responseTo(call, line), [status, content])
    },
  )
})

const filterNamed = (name: string) =>
  responseFilter((response, { request }) => {
    if (request.query === `${name}=throw`) throw new Failed(`in ${name}`)
    if (request.query === `${name}=reject`) return Promise.reject(new Failed(`in ${name}`))
    if (request.query === `${name}=header`)
      return { ...response, headers: [...response.headers, 'X-Bad', 'a\nb'] }
    return pipe(response, withHeader('X-Seen', name))
  })

const filters = pipe(
  routes({
    failed: throwingOperation('failed', new Failed('first')),
    fine: throwingOperation('fine', new Conflict()),
  }),
  withMapper(mapError(Failed, ({ message }) => reply(400, message))),
  withFilter(filterNamed('outer'), filterNamed('inner')),
  withFilter(
    preMatching(({ request }) => {
      if (request.query === 'before') throw new Failed('pre-matching')
    }),
  ),
)

valueContract('mappers with response filters', filters, (test, call) => {
  table<[line: string, status: number, content: string | undefined, filteredBy: string | null]>(
    test,
    [
      ['GET /failed', 400, 'first', 'inner, outer'],
      ['GET /failed?before', 400, 'pre-matching', 'inner, outer'],
      ['GET /nothing?before', 400, 'pre-matching', 'inner, outer'],
      ['GET /fine', 409, undefined, 'inner, outer'],
      ['GET /fine?inner=throw', 400, 'in inner', 'outer'],
      ['GET /fine?inner=reject', 400, 'in inner', 'outer'],
      ['GET /nothing?inner=throw', 400, 'in inner', 'outer'],
      ['GET /nothing?inner=reject', 400, 'in inner', 'outer'],
      ['GET /nothing?outer=throw', 400, 'in outer', 'inner'],
      ['GET /failed?inner=throw', 500, undefined, 'outer'], // Errors of filters are not mapped after a mapper has run.
      ['GET /failed?inner=reject', 500, undefined, 'outer'],
      ['GET /failed?outer=throw', 500, undefined, 'inner'],
      ['GET /fine?outer=header', 500, undefined, null], // The error response for an invalid header is sent without filters.
    ],
    async (line, status, content, filteredBy) => {
      const response = await sendRequest(call, line)
      const received = await response.text()
      assert.is(response.status, status)
      assert.is(response.headers.get('X-Seen'), filteredBy)
      if (content !== undefined) assert.is(received, content)
    },
  )
})
