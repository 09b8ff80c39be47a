/** What errors become. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../src/index.ts'
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
} from '../../src/index.ts'
import { answerTo, ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

class Failed extends Error {}
class Broken extends Failed {}
class Slow extends Error {}
class Wrapping extends Error {}
class Unlucky extends Error {}

const throwing = (error: unknown) => (): never => {
  throw error
}

const failing = pipe(path('/{what}'), get(), produces(text))
type Returned = ReturnType<HandlerOf<typeof failing>>

/** What the types do not let through. */
const unforeseen = (value: unknown): Returned => value as Returned

type Row = readonly [name: string, make: () => Returned, status: number, content?: string]

const rows: ReadonlyArray<Row> = [
  ['thrown', throwing(new Failed('a')), 400, 'Failed: a'],
  ['rejected', () => Promise.reject(new Failed('b')), 400, 'Failed: b'],
  ['rejected by a Task', () => () => Promise.reject(new Failed('c')), 400, 'Failed: c'],
  ['a Left', () => unforeseen(E.left(new Failed('d'))), 400, 'Failed: d'],
  ['a Left of a TaskEither', () => unforeseen(TE.left(new Failed('e'))), 400, 'Failed: e'],
  ['a class below', throwing(new Broken('f')), 400, 'Failed: f'],
  ['a tagged value', throwing({ _tag: 'Missing', what: 'g' }), 404, 'there is no g'],
  ['a tagged Left', () => unforeseen(E.left({ _tag: 'Missing', what: 'h' })), 404, 'there is no h'],
  ['nothing at all', throwing(undefined), 418, 'nothing'],
  ['a cause', throwing(new Wrapping('', { cause: new Failed('i') })), 400, 'Failed: i'],
  ['a cause with a status', throwing(new Wrapping('', { cause: new HttpError(410) })), 410],
  ['an error with a reply', throwing(new HttpError(reply(409, 'own'))), 409, 'own'],
  ['an error with a reply, returned', () => new HttpError(reply(409, 'own')), 409, 'own'],
  ['an error with a status', throwing(new Conflict('hidden')), 450, 'Conflict'],
  ['an error with a status, returned', () => new Conflict(), 450, 'Conflict'],
  ['not mapped', throwing(new RangeError()), 500],
  ['a promise', throwing(new Slow('promise')), 503, 'promise'],
  ['a Task', throwing(new Slow('task')), 503, 'task'],
  ['a mapper throws', throwing(new Unlucky('throws')), 500],
  ['a mapper rejects', throwing(new Unlucky('rejects')), 500],
  ['a mapper throws what is mapped', throwing(new Unlucky('mapped')), 500],
  ['a mapper throws an error with a status', throwing(new Unlucky('status')), 451],
  ['a mapper returns no reply', throwing(new Unlucky('nothing')), 500],
  ['a mapper replies what cannot be sent', throwing(new Unlucky('unsendable')), 500],
  ['a guard throws', throwing(new Unlucky('guard')), 500],
]

const makes = new Map(rows.map(([name, make]) => [name, make]))

const isUnlucky = (error: unknown): error is Unlucky => {
  if (error instanceof Unlucky && error.message === 'guard') throw new Error('in a guard')
  return error instanceof Unlucky
}

const seen: unknown[] = []

const everything = pipe(
  routes({ failing: implement(failing, ({ path: { what } }) => makes.get(what)?.() ?? '?') }),
  withMapper(
    mapError(Failed, ({ message }) => reply(400, `Failed: ${message}`)),
    mapError(Conflict, ({ name }) => reply(450, name)),
    mapTagged({
      Missing: ({ what }: { readonly what: string }) => reply(404, `there is no ${what}`),
    }),
    unwrap(Wrapping),
    mapError(
      (error): error is undefined => error === undefined,
      () => reply(418, 'nothing'),
    ),
    mapError(Slow, ({ message }) =>
      message === 'task' ? T.of(reply(503, message)) : Promise.resolve(reply(503, message)),
    ),
    mapError(isUnlucky, ({ message }) => {
      if (message === 'throws') throw new Error('in a mapper')
      if (message === 'mapped') throw new Failed('in a mapper')
      if (message === 'status') throw new HttpError(451)
      if (message === 'nothing') return undefined as never
      if (message === 'unsendable') return reply(1000, 'in a mapper')
      return Promise.reject(new Error('in a mapper'))
    }),
  ),
  withFilter(
    responseFilter((replied, _, failure) => {
      seen.push([replied.status, failure])
      return pipe(replied, withHeader('X-Seen', 'yes'))
    }),
  ),
)

contract('what a mapper makes of an error', everything, (test, call) => {
  table<Row>(test, rows, async (name, _, status, content) => {
    const response = await ask(call, `GET /${encodeURIComponent(name)}`)
    assert.is(response.status, status)
    assert.is(response.headers.get('X-Seen'), 'yes')
    const said = await response.text()
    if (content === undefined) assert.not.match(said, 'in a')
    else assert.is(said, content)
  })

  table<[name: string, status: number, failure: string]>(
    test,
    [
      ['thrown', 400, 'a'],
      ['a cause', 400, ''],
      ['a mapper throws', 500, 'throws'],
      ['a mapper replies what cannot be sent', 1000, 'unsendable'],
    ],
    async (name, status, message) => {
      seen.length = 0
      await ask(call, `GET /${encodeURIComponent(name)}`)
      const [first, ...others] = seen as ReadonlyArray<readonly [number, Error]>
      assert.equal(others, [], 'a response filter sees a reply once')
      assert.equal([first?.[0], first?.[1].message], [status, message])
    },
  )
})

const raising = (name: string, error: unknown) =>
  pipe(path(`/${name}`), get(), (endpoint) => implement(endpoint, throwing(error)))
const named = (name: string) => mapError(Error, () => reply(400, name))

const grouped = pipe(
  routes({
    inner: pipe(
      routes({ failed: raising('inner', new Failed()), odd: raising('odd', { odd: true }) }),
      withMapper(named('inner')),
    ),
    sibling: raising('sibling', new Failed()),
    other: raising('other', new Error()),
    stopped: pipe(
      routes({ it: raising('stopped', new Error('in the handler')) }),
      withFilter(requestFilter(throwing(new Failed('in a filter')))),
    ),
  }),
  withMapper(
    mapError(Failed, (error, { endpoint, request }) =>
      reply(400, `outer: ${endpoint?.name} ${request.method} ${error.message}`),
    ),
  ),
)

contract('where a mapper stands, and its context', grouped, (test, call) => {
  table<[line: string, content: string | undefined]>(
    test,
    [
      ['GET /inner', 'inner'],
      ['GET /sibling', 'outer: sibling GET '],
      ['GET /stopped', 'outer: stopped.it GET in a filter'],
      ['GET /other', undefined],
      ['GET /odd', undefined],
    ],
    async (line, content) => {
      const [status, said] = await answerTo(call, line)
      if (content === undefined) assert.is(status, 500)
      else assert.equal([status, said], [400, content])
    },
  )
})

const Known = t.type({ known: t.string })
interface Later {
  readonly _tag: 'Later'
}
interface Sooner {
  readonly _tag: 'Sooner'
  readonly known: string
}
const odd = representation({ mediaType: 'application/odd', write: (value: string) => value })
const declared = pipe(
  routes({
    typed: raising('typed', new Failed('typed')),
    later: raising('later', { _tag: 'Later' }),
    sooner: raising('sooner', { _tag: 'Sooner', known: 'soon' }),
    fitting: pipe(path('/fitting'), get(), fails(404, json(Known)), fails(409), (endpoint) =>
      implement(endpoint, () => E.left({ _tag: 'Later', known: 'fits' })),
    ),
    custom: pipe(path('/custom'), get(), fails(404, odd), (endpoint) =>
      implement(endpoint, () => E.left({ _tag: 'Later' } as never)),
    ),
  }),
  withMapper(
    mapError(Failed, { fails: { 422: json(Known) } }, ({ message }) =>
      reply(422, { known: message, hidden: 'a' }),
    ),
    mapTagged<Later | Sooner>()(
      { fails: { 423: json(Known) } },
      {
        Later: async ({ _tag }) => reply(423, { known: _tag }),
        Sooner: ({ known }) => reply(409, known),
      },
    ),
  ),
)

contract('mappers declare what they reply', declared, (test, call) => {
  table<[line: string, status: number, content: unknown]>(
    test,
    [
      ['GET /typed', 422, { known: 'typed' }],
      ['GET /later', 423, { known: 'Later' }],
      ['GET /sooner', 409, 'soon'],
      ['GET /fitting', 404, { known: 'fits' }], // what the operation declares comes first
      ['GET /custom', 423, { known: 'Later' }], // unless nobody can ask whether it fits
    ],
    async (line, status, content) => {
      assert.equal(await answerTo(call, line), [status, content])
    },
  )
})

const filtered = (name: string) =>
  responseFilter((replied, { request }) => {
    if (request.query === `${name}=throw`) throw new Failed(`in ${name}`)
    if (request.query === `${name}=reject`) return Promise.reject(new Failed(`in ${name}`))
    if (request.query === `${name}=field`)
      return { ...replied, headers: [...replied.headers, 'X-Bad', 'a\nb'] }
    return pipe(replied, withHeader('X-Seen', name))
  })

const filters = pipe(
  routes({ failed: raising('failed', new Failed('first')), fine: raising('fine', new Conflict()) }),
  withMapper(mapError(Failed, ({ message }) => reply(400, message))),
  withFilter(filtered('outer'), filtered('inner')),
  withFilter(
    preMatching(({ request }) => {
      if (request.query === 'before') throw new Failed('before matching')
    }),
  ),
)

contract('mappers and filters', filters, (test, call) => {
  table<[line: string, status: number, content: string | undefined, seenBy: string | null]>(
    test,
    [
      ['GET /failed', 400, 'first', 'inner, outer'],
      ['GET /failed?before', 400, 'before matching', 'inner, outer'],
      ['GET /nothing?before', 400, 'before matching', 'inner, outer'],
      ['GET /fine', 409, undefined, 'inner, outer'],
      ['GET /fine?inner=throw', 400, 'in inner', 'outer'],
      ['GET /fine?inner=reject', 400, 'in inner', 'outer'],
      ['GET /nothing?inner=throw', 400, 'in inner', 'outer'],
      ['GET /nothing?inner=reject', 400, 'in inner', 'outer'],
      ['GET /nothing?outer=throw', 400, 'in outer', 'inner'],
      ['GET /failed?inner=throw', 500, undefined, 'outer'], // nothing is mapped twice
      ['GET /failed?inner=reject', 500, undefined, 'outer'],
      ['GET /failed?outer=throw', 500, undefined, 'inner'],
      ['GET /fine?outer=field', 500, undefined, null], // what cannot be sent is not tried for ever
    ],
    async (line, status, content, seenBy) => {
      const response = await ask(call, line)
      const said = await response.text()
      assert.is(response.status, status)
      assert.is(response.headers.get('X-Seen'), seenBy)
      if (content !== undefined) assert.is(said, content)
    },
  )
})
