import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  Conflict,
  bytes,
  created,
  fails,
  formMap,
  get,
  handle,
  int,
  json,
  noContent,
  path,
  produces,
  rawJson,
  reply,
  representation,
  responds,
  status,
  text,
} from '../../../src/index.ts'
import { settle } from '../../../src/http/platform-value.ts'
import { normalizeResult } from '../../../src/interpreter/handler/handler-result.ts'
import type { Plan } from '../../../src/compiler/plan.ts'
import type { ResponseValue } from '../../../src/interpreter/response/encode-response.ts'
import { describe, table } from '../../support/describe.ts'
import { endpointPlan } from '../../support/plan.ts'

const endpointAtRoot = pipe(path('/'), get())
const planOf = (
  step: (endpoint: typeof endpointAtRoot) => Parameters<typeof endpointPlan>[0],
): Plan => endpointPlan(step(endpointAtRoot))

const textPlan = planOf((endpoint) =>
  pipe(
    endpoint,
    produces(text),
    handle(() => ''),
  ),
)
const statusPlan = planOf((endpoint) =>
  pipe(
    endpoint,
    produces(text),
    status(218),
    handle(() => ''),
  ),
)
const emptyPlan = planOf((endpoint) =>
  pipe(
    endpoint,
    handle(() => undefined),
  ),
)
const resetPlan = planOf((endpoint) =>
  pipe(
    endpoint,
    status(205),
    handle(() => undefined),
  ),
)

/** Returns a response value as a plain object. */
const plainValue = ({ status: code, entity, headers }: ResponseValue): ResponseValue => ({
  status: code,
  entity,
  headers,
})

/** Returns the response value of a handler result. Throws its error. */
const normalized = (value: unknown, plan: Plan): ResponseValue => {
  const result = normalizeResult(value, plan)
  if (E.isLeft(result)) throw result.left
  return plainValue(result.right)
}

/** Returns the response value of a result that is a plain value, a promise or a `Task`. */
const settled = async (result: unknown, plan: Plan): Promise<ResponseValue> =>
  normalized(await settle(result), plan)

describe('normalizeResult of a value', (test) => {
  table<readonly [string, Plan, unknown, ResponseValue]>(
    test,
    [
      ['a value', textPlan, 'a', reply(200, 'a')],
      ['a value with a declared status', statusPlan, 'a', reply(218, 'a')],
      ['an empty value', textPlan, '', reply(200, '')],
      ['undefined with a declared representation', textPlan, undefined, noContent],
      ['null with a declared representation', textPlan, null, noContent],
      ['undefined with a declared status', statusPlan, undefined, noContent],
      ['undefined without a representation', emptyPlan, undefined, noContent],
      ['undefined with a status without a body', resetPlan, undefined, reply(205)],
      ['a reply', textPlan, created('/a', 'a'), created('/a', 'a')],
      ['a Right', textPlan, E.right('a'), reply(200, 'a')],
      ['a Right of a reply', textPlan, E.right(noContent), noContent],
      ['a Left of a reply', textPlan, E.left(reply(404)), reply(404)],
      [
        'an object with the tag of an Either',
        textPlan,
        { _tag: 'Left' },
        reply(200, { _tag: 'Left' }),
      ],
    ],
    (_, plan, result, expected) => assert.equal(normalized(result, plan), plainValue(expected)),
  )
})

describe('normalizeResult of a settled result', (test) => {
  table<readonly [string, unknown, ResponseValue]>(
    test,
    [
      ['an IO', () => 'a', reply(200, 'a')],
      ['an IOEither', () => E.right('a'), reply(200, 'a')],
      ['a promise', Promise.resolve('a'), reply(200, 'a')],
      ['a promise of undefined', Promise.resolve(), noContent],
      ['a promise of a reply', Promise.resolve(noContent), noContent],
      ['a promise of a Right', Promise.resolve(E.right('a')), reply(200, 'a')],
      ['a Task', T.of('a'), reply(200, 'a')],
      ['a TaskEither', TE.right('a'), reply(200, 'a')],
      ['a TaskEither of a reply', TE.left(reply(404)), reply(404)],
    ],
    async (_, result, expected) => {
      assert.equal(await settled(result, textPlan), plainValue(expected))
    },
  )
})

const Missing = t.type({ id: t.string })
const failurePlan = planOf((endpoint) =>
  pipe(
    endpoint,
    produces(text),
    responds(202),
    fails(404, json(Missing)),
    fails(409, int),
    fails(410),
    fails(422, bytes),
    handle(() => ''),
  ),
)
const singleFailurePlan = planOf((endpoint) =>
  pipe(
    endpoint,
    produces(text),
    fails(404, json(Missing)),
    handle(() => ''),
  ),
)
const customRepresentation = representation({ mediaType: 'a/b', write: () => '' })
const untypedFailurePlan = planOf((endpoint) =>
  pipe(
    endpoint,
    produces(text),
    fails(404, rawJson),
    fails(409, formMap),
    fails(418, customRepresentation),
    handle(() => ''),
  ),
)

describe('normalizeResult of a Left', (test) => {
  table<readonly [string, Plan, unknown, number]>(
    test,
    [
      ['a value of a JSON codec', failurePlan, { id: 'a' }, 404],
      ['a value of a text codec', failurePlan, 7, 409],
      ['undefined for a failure without a body', failurePlan, undefined, 410],
      ['bytes', failurePlan, new Uint8Array(1), 422],
      ['text for raw JSON', untypedFailurePlan, '{}', 404],
      ['a map for a form', untypedFailurePlan, new Map(), 409],
      ['any value for a custom representation', untypedFailurePlan, { a: 1 }, 418],
    ],
    (_, plan, left, expected) =>
      assert.equal(normalized(E.left(left), plan), plainValue(reply(expected, left))),
  )
  test('a value that does not match the only declared failure is an internal error', () =>
    assert.throws(
      () => normalized(E.left({ _tag: 'NetworkError', operation: 'find' }), singleFailurePlan),
      /the Left value returned by one does not match any declared failure/,
    ))
  test('a value that matches none of several failures is an internal error', () =>
    assert.throws(
      () => normalized(E.left({ no: 1 }), failurePlan),
      /the Left value returned by one does not match any declared failure/,
    ))
  test('a Left without a declared failure is an internal error', () =>
    assert.throws(() => normalized(E.left('a'), textPlan), TypeError))
})

describe('normalizeResult of an error', (test) => {
  const conflict = new Conflict('taken')
  table<readonly [string, unknown]>(
    test,
    [
      ['an HttpError', conflict],
      ['a Left of an HttpError', E.left(conflict)],
      ['a Right of an HttpError', E.right(conflict)],
      ['an IO of an HttpError', () => conflict],
      ['a promise of an HttpError', Promise.resolve(conflict)],
      ['a TaskEither of an HttpError', TE.left(conflict)],
    ],
    async (_, result) => {
      const error: unknown = await settled(result, textPlan).then(
        () => assert.unreachable('did not fail'),
        (reason: unknown) => reason,
      )
      assert.is(error, conflict)
    },
  )
})
