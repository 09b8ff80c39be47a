/** Return types of handlers: values, replies, `Either`, promises, `Task` and `TaskEither`. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../../src/index.ts'
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
} from '../../../src/index.ts'
import type { StatusAndBody } from '../../support/send-request.ts'
import { responseTo } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const Missing = t.type({ missing: t.string })
const Locked = t.type({ by: t.string })

/** Returns the result of the row of `rows` with this name. */
const operation = pipe(
  path('/results/{name}'),
  get(),
  produces(text),
  responds(202, text),
  responds(204),
  fails(404, json(Missing)),
  fails(423, json(Locked)),
)

type Result = () => ReturnType<HandlerOf<typeof operation>>

const missing = { missing: 'it' }
const locked = { by: 'me' }

type Row = readonly [name: string, run: Result, expected: StatusAndBody]

const rows: ReadonlyArray<Row> = [
  ['a value', () => 'a', [200, 'a']],
  ['a reply', () => reply(202, 'a'), [202, 'a']],
  ['a promise of a value', () => Promise.resolve('a'), [200, 'a']],
  ['a promise of a reply', () => Promise.resolve(reply(202, 'a')), [202, 'a']],
  ['a Right of a value', () => E.right('a'), [200, 'a']],
  ['a Right of a reply', () => E.right(reply(202, 'a')), [202, 'a']],
  ['a Left of a value', () => E.left(missing), [404, missing]],
  ['a Left of another value', () => E.left(locked), [423, locked]],
  ['a Left of a reply', () => E.left(reply(423, locked)), [423, locked]],
  ['a failure as a reply', () => notFound(missing), [404, missing]],
  ['a promise of a Right', () => Promise.resolve(E.right('a')), [200, 'a']],
  ['a promise of a Left', () => Promise.resolve(E.left(missing)), [404, missing]],
  ['a Task of a value', () => T.of('a'), [200, 'a']],
  ['a Task of a reply', () => T.of(reply(202, 'a')), [202, 'a']],
  ['a TaskEither of a value', () => TE.right('a'), [200, 'a']],
  ['a TaskEither of a reply', () => TE.right(reply(202, 'a')), [202, 'a']],
  ['a TaskEither of a failure', () => TE.left(missing), [404, missing]],
  ['a TaskEither of a failure as a reply', () => TE.left(notFound(missing)), [404, missing]],
  ['a reply without a body', () => noContent, [204, '']],
]

const results = new Map(rows.map(([name, run]) => [name, run]))

const api = routes({
  result: implement(operation, (input) => results.get(input.path.name)?.() ?? 'no such row'),
})

valueContract('return types of handlers', api, (test, call) =>
  table<Row>(test, rows, async (name, _, expected) =>
    assert.equal(await responseTo(call, `GET /results/${encodeURIComponent(name)}`), expected),
  ),
)
