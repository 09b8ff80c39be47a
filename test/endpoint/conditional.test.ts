/** Declarations of `conditional`. Its behaviour is tested in `test/contract/responses/conditional-operations.test.ts`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  conditional,
  del,
  get,
  handle,
  head,
  path,
  produces,
  put,
  routes,
  text,
} from '../../src/index.ts'
import { describeRoutes } from '../../src/node.ts'
import { testContext } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

const version = { etag: () => 'a' }

describe('conditional', (test) => {
  table(
    test,
    [
      ['GET', pipe(path('/'), get(), conditional(version)), [304, 412]],
      ['HEAD', pipe(path('/'), head(), conditional(version)), [304, 412]],
      ['PUT', pipe(path('/'), put(), conditional(version)), [412]],
      ['DELETE', pipe(path('/'), del(), conditional(version)), [412]],
    ] as const,
    (_, { definition }, statuses) =>
      assert.equal(
        definition.responses.map(({ status, failure }) => [status, failure]),
        statuses.map((status) => [status, status === 412]),
      ),
  )
  test('does not change the endpoint that it is applied to', () => {
    const before = pipe(path('/'), get())
    pipe(before, conditional(version))
    assert.equal(before.definition.responses, [])
    assert.is(before.definition.preconditions, undefined)
  })
  test('run calls the handler without evaluating preconditions', () => {
    const note = pipe(
      path('/'),
      get(),
      produces(text),
      conditional(version),
      handle(() => 'note'),
    )
    const context = testContext({ request: { headers: ['If-None-Match', '"a"'] } })
    assert.is(note.run({}, context), 'note')
  })
  test('requires a function', () => {
    const none: Parameters<typeof conditional>[0] = JSON.parse('{}')
    assert.throws(
      () => conditional(none)(path('/')),
      /conditional requires an etag function or a lastModified function/,
    )
  })
  test('before the method is a configuration error', () => {
    const { definition } = pipe(path('/'), conditional(version))
    const read = pipe(
      path('/'),
      get(),
      handle(() => {}),
    )
    const misplaced = { ...read, definition: { ...definition, method: 'GET' } }
    assert.throws(
      () => describeRoutes(routes({ misplaced })),
      /FW-ROUTE-005[^]*conditional must follow the method, such as get\(\)/,
    )
  })
  test('describeRoutes lists the responses and the evaluation', () => {
    const read = pipe(
      path('/'),
      get(),
      produces(text),
      conditional(version),
      handle(() => 'note'),
    )
    assert.equal(describeRoutes(routes({ read })).split('\n'), [
      'GET /  (read)',
      '  responds 200 text/plain;charset=UTF-8',
      '  responds 304 without a body',
      '  fails 412 without a body',
      '  evaluates preconditions',
    ])
  })
})
