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
import { normalizeResult } from '../../../src/interpreter/response/handler-result.ts'
import type { Plan } from '../../../src/compiler/plan.ts'
import type { ResponseValue } from '../../../src/interpreter/response/encode-response.ts'
import { describe, table } from '../../support/describe.ts'
import { planOfOne } from '../../support/plan.ts'

const at = pipe(path('/'), get())
const planOf = (step: (endpoint: typeof at) => Parameters<typeof planOfOne>[0]): Plan =>
  planOfOne(step(at))

const texts = planOf((endpoint) =>
  pipe(
    endpoint,
    produces(text),
    handle(() => ''),
  ),
)
const teapots = planOf((endpoint) =>
  pipe(
    endpoint,
    produces(text),
    status(218),
    handle(() => ''),
  ),
)
const nothing = planOf((endpoint) =>
  pipe(
    endpoint,
    handle(() => undefined),
  ),
)
const reset = planOf((endpoint) =>
  pipe(
    endpoint,
    status(205),
    handle(() => undefined),
  ),
)

/** What is sent of a reply. */
const sent = ({ status: code, entity, headers }: ResponseValue): ResponseValue => ({
  status: code,
  entity,
  headers,
})

/** What was settled: now or, when it was promised, later. */
const settled = (result: unknown, plan: Plan): Promise<ResponseValue> =>
  new Promise((resolve, reject) =>
    normalizeResult(result, plan, { respond: (outcome) => resolve(sent(outcome)), fail: reject }),
  )
const atOnce = (result: unknown, plan: Plan): ResponseValue | undefined => {
  const replies: ResponseValue[] = []
  const failures: unknown[] = []
  normalizeResult(result, plan, {
    respond: (outcome) => replies.push(sent(outcome)),
    fail: (error) => failures.push(error),
  })
  if (failures.length > 0) throw failures[0]
  return replies[0]
}

describe('settle: a result that is there', (test) => {
  table<readonly [string, Plan, unknown, ResponseValue]>(
    test,
    [
      ['a value', texts, 'a', reply(200, 'a')],
      ['a value under a status', teapots, 'a', reply(218, 'a')],
      ['an empty value', texts, '', reply(200, '')],
      ['no value where one is produced', texts, undefined, noContent],
      ['null where a value is produced', texts, null, noContent],
      ['no value under a status', teapots, undefined, noContent],
      ['no value where nothing is produced', nothing, undefined, noContent],
      ['no value under a status without content', reset, undefined, reply(205)],
      ['a reply', texts, created('/a', 'a'), created('/a', 'a')],
      ['a Right', texts, E.right('a'), reply(200, 'a')],
      ['a Right of a reply', texts, E.right(noContent), noContent],
      ['a Left of a reply', texts, E.left(reply(404)), reply(404)],
      ['an IO', texts, () => 'a', reply(200, 'a')],
      ['an IOEither', texts, () => E.right('a'), reply(200, 'a')],
      [
        'an object that only looks like an Either',
        texts,
        { _tag: 'Left' },
        reply(200, { _tag: 'Left' }),
      ],
    ],
    (_, plan, result, expected) => assert.equal(atOnce(result, plan), sent(expected)),
  )
})

describe('settle: a result that is promised', (test) => {
  table<readonly [string, unknown, ResponseValue]>(
    test,
    [
      ['a promise', Promise.resolve('a'), reply(200, 'a')],
      ['a promise of nothing', Promise.resolve(), noContent],
      ['a promise of a reply', Promise.resolve(noContent), noContent],
      ['a promise of a Right', Promise.resolve(E.right('a')), reply(200, 'a')],
      ['a Task', T.of('a'), reply(200, 'a')],
      ['a TaskEither', TE.right('a'), reply(200, 'a')],
      ['a TaskEither of a reply', TE.left(reply(404)), reply(404)],
    ],
    async (_, result, expected) => {
      const later = settled(result, texts)
      assert.equal(await later, sent(expected))
    },
  )
})

const Missing = t.type({ id: t.string })
const typed = planOf((endpoint) =>
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
const only = planOf((endpoint) =>
  pipe(
    endpoint,
    produces(text),
    fails(404, json(Missing)),
    handle(() => ''),
  ),
)
const own = representation({ mediaType: 'a/b', write: () => '' })
const loose = planOf((endpoint) =>
  pipe(
    endpoint,
    produces(text),
    fails(404, rawJson),
    fails(409, formMap),
    fails(418, own),
    handle(() => ''),
  ),
)

describe('settle: a Left is the failure that it fits', (test) => {
  table<readonly [string, Plan, unknown, number]>(
    test,
    [
      ['by a codec of JSON', typed, { id: 'a' }, 404],
      ['by a codec of text', typed, 7, 409],
      ['by nothing', typed, undefined, 410],
      ['by octets', typed, new Uint8Array(1), 422],
      ['by text that is JSON already', loose, '{}', 404],
      ['by a map', loose, new Map(), 409],
      ['by a representation that takes anything', loose, { a: 1 }, 418],
    ],
    (_, plan, left, expected) =>
      assert.equal(atOnce(E.left(left), plan), sent(reply(expected, left))),
  )
  test('R-387: one that does not fit the only failure is a defect, such as what a client says of another service', () =>
    assert.throws(
      () => atOnce(E.left({ _tag: 'NetworkError', operation: 'find' }), only),
      /Left returned by one matches no declared failure/,
    ))
  test('a Left that fits none is a defect', () =>
    assert.throws(
      () => atOnce(E.left({ no: 1 }), typed),
      /Left returned by one matches no declared failure/,
    ))
  test('so is a Left where no failure is declared', () =>
    assert.throws(() => atOnce(E.left('a'), texts), TypeError))
})

describe('settle: errors', (test) => {
  const conflict = new Conflict('taken')
  const isConflict = (error: unknown): boolean => error === conflict
  test('an error with a status is failed with wherever it was', () => {
    for (const result of [conflict, E.left(conflict), E.right(conflict), () => conflict])
      assert.throws(() => atOnce(result, texts), isConflict)
  })
  test('what an IO throws is thrown', () =>
    assert.throws(
      () =>
        atOnce(() => {
          throw conflict
        }, texts),
      isConflict,
    ))
  table<readonly [string, unknown]>(
    test,
    [
      ['a rejection', () => Promise.reject(conflict)],
      ['a promised error with a status', Promise.resolve(conflict)],
      ['a promised Left of one', TE.left(conflict)],
    ],
    async (_, result) => {
      const error: unknown = await settled(result, texts).then(
        () => assert.unreachable('was not failed'),
        (reason: unknown) => reason,
      )
      assert.is(error, conflict)
    },
  )
  test('a reply that cannot be sent fails, once', async () => {
    const failures: unknown[] = []
    await new Promise<void>((resolve) => {
      normalizeResult(Promise.resolve('a'), texts, {
        respond: () => {
          throw conflict
        },
        fail: (error) => {
          failures.push(error)
          resolve()
        },
      })
    })
    assert.equal(failures, [conflict])
  })
})
