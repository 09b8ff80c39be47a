/** What a handler may return, in every form, and what becomes of it. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../src/index.ts'
import {
  bytes,
  created,
  del,
  fails,
  get,
  handle,
  html,
  implement,
  int,
  json,
  noContent,
  notFound,
  ok,
  optional,
  path,
  post,
  produces,
  rawJson,
  reply,
  responds,
  responseHeader,
  routes,
  status,
  text,
} from '../../src/index.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/doors.ts'

const Missing = t.type({ missing: t.string })
const Locked = t.type({ by: t.string })

/** The number of a row of `forms` selects what the handler returns. */
const form = pipe(
  path('/forms/{row}', { row: int }),
  get(),
  produces(text),
  responds(202, text),
  responds(204),
  fails(404, json(Missing)),
  fails(423, json(Locked)),
)

type Returned = () => ReturnType<HandlerOf<typeof form>>

const gone = { missing: 'it' }
const goneText = '{"missing":"it"}'

/** A promise of any other make. */
const thenable: PromiseLike<string> = {
  // oxlint-disable-next-line
  then: (fulfilled, rejected) => Promise.resolve('a').then(fulfilled, rejected),
}

const forms: ReadonlyArray<readonly [string, Returned, status: number, content: string]> = [
  ['a value', () => 'a', 200, 'a'],
  ['a reply', () => reply(202, 'a'), 202, 'a'],
  ['a promise of a value', () => Promise.resolve('a'), 200, 'a'],
  ['a promise of a reply', () => Promise.resolve(reply(202, 'a')), 202, 'a'],
  ['a Right of a value', () => E.right('a'), 200, 'a'],
  ['a Right of a reply', () => E.right(reply(202, 'a')), 202, 'a'],
  ['a Left of a value', () => E.left(gone), 404, goneText],
  ['a Left of another value', () => E.left({ by: 'me' }), 423, '{"by":"me"}'],
  ['a Left of a reply', () => E.left(reply(423, { by: 'me' })), 423, '{"by":"me"}'],
  ['a failure as a reply', () => notFound(gone), 404, goneText],
  ['a promise of a Right', () => Promise.resolve(E.right('a')), 200, 'a'],
  ['a promise of a Left', () => Promise.resolve(E.left(gone)), 404, goneText],
  ['a Task of a value', () => T.of('a'), 200, 'a'],
  ['a Task of a reply', () => T.of(reply(202, 'a')), 202, 'a'],
  ['a TaskEither, right', () => TE.right('a'), 200, 'a'],
  ['a TaskEither, right with a reply', () => TE.right(reply(202, 'a')), 202, 'a'],
  ['a TaskEither, left', () => TE.left(gone), 404, goneText],
  ['a TaskEither, left with a reply', () => TE.left(notFound(gone)), 404, goneText],
  ['a reply without content', () => noContent, 204, ''],
]

const Pair = t.type({ a: int, b: t.string })

const api = routes({
  form: implement(form, ({ path: { row } }) => forms[row]?.[1]() ?? reply(204)),
  text: pipe(
    path('/text'),
    get(),
    produces(text),
    handle(() => 'é'),
  ),
  html: pipe(
    path('/html'),
    get(),
    produces(html),
    handle(() => '<p>'),
  ),
  bytes: pipe(
    path('/bytes'),
    get(),
    produces(bytes),
    handle(() => Uint8Array.of(97)),
  ),
  quoted: pipe(
    path('/quoted'),
    get(),
    produces(json(t.string)),
    handle(() => 'a"'),
  ),
  raw: pipe(
    path('/raw'),
    get(),
    produces(rawJson),
    handle(() => '[1.0]'),
  ),
  pair: pipe(
    path('/pair'),
    get(),
    produces(json(Pair)),
    handle(() => ({ b: 'b', a: 1 })),
  ),
})
