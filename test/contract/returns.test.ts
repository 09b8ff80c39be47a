/** The forms in which a handler may return what it has: values, replies, failures, now or later. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../src/index.ts'
import {
  fails,
  get,
  implement,
  json,
  noContent,
  notFound,
  path,
  produces,
  reply,
  responds,
  routes,
  text,
} from '../../src/index.ts'
import type { Answer } from '../support/ask.ts'
import { answerTo } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const Missing = t.type({ missing: t.string })
const Locked = t.type({ by: t.string })

/** The name of a row of `forms` selects what the handler returns. */
const form = pipe(
  path('/forms/{name}'),
  get(),
  produces(text),
  responds(202, text),
  responds(204),
  fails(404, json(Missing)),
  fails(423, json(Locked)),
)

type Returned = () => ReturnType<HandlerOf<typeof form>>

const gone = { missing: 'it' }
const locked = { by: 'me' }

type Row = readonly [name: string, make: Returned, answer: Answer]

const forms: ReadonlyArray<Row> = [
  ['a value', () => 'a', [200, 'a']],
  ['a reply', () => reply(202, 'a'), [202, 'a']],
  ['a promise of a value', () => Promise.resolve('a'), [200, 'a']],
  ['a promise of a reply', () => Promise.resolve(reply(202, 'a')), [202, 'a']],
  ['a Right of a value', () => E.right('a'), [200, 'a']],
  ['a Right of a reply', () => E.right(reply(202, 'a')), [202, 'a']],
  ['a Left of a value', () => E.left(gone), [404, gone]],
  ['a Left of another value', () => E.left(locked), [423, locked]],
  ['a Left of a reply', () => E.left(reply(423, locked)), [423, locked]],
  ['a failure as a reply', () => notFound(gone), [404, gone]],
  ['a promise of a Right', () => Promise.resolve(E.right('a')), [200, 'a']],
  ['a promise of a Left', () => Promise.resolve(E.left(gone)), [404, gone]],
  ['a Task of a value', () => T.of('a'), [200, 'a']],
  ['a Task of a reply', () => T.of(reply(202, 'a')), [202, 'a']],
  ['a TaskEither, right', () => TE.right('a'), [200, 'a']],
  ['a TaskEither, right with a reply', () => TE.right(reply(202, 'a')), [202, 'a']],
  ['a TaskEither, left', () => TE.left(gone), [404, gone]],
  ['a TaskEither, left with a reply', () => TE.left(notFound(gone)), [404, gone]],
  ['a reply without content', () => noContent, [204, '']],
]

const returned = new Map(forms.map(([name, make]) => [name, make]))

const api = routes({
  form: implement(form, (input) => returned.get(input.path.name)?.() ?? 'no such row'),
})

contract('returned', api, (test, call) =>
  table<Row>(test, forms, async (name, _, answer) =>
    assert.equal(await answerTo(call, `GET /forms/${encodeURIComponent(name)}`), answer),
  ),
)
