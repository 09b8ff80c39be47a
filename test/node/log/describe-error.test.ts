import net from 'node:net'
import { runInNewContext } from 'node:vm'
import * as assert from 'uvu/assert'
import { describeError } from '../../../src/node/log/describe-error.ts'
import { isError } from '../../../src/http/platform-value.ts'
import { describe, table } from '../../support/describe.ts'

/** Describes an error as the log contains it, without stacks. */
const described = (error: unknown, maxErrors = 16): unknown => {
  assert.ok(isError(error))
  return JSON.parse(
    JSON.stringify(describeError(error, maxErrors), (name, value) =>
      name === 'stack' ? undefined : typeof value === 'bigint' ? String(value) : value,
    ),
  )
}

const failed = (members: object): Error => Object.assign(new Error('failed'), members)

const base = { name: 'Error', message: 'failed' }

describe('errors in the log', (test) => {
  table(
    test,
    [
      [
        'code and detail',
        failed({ code: '23505', detail: 'Key (id)=(1) exists.' }),
        { code: '23505', detail: 'Key (id)=(1) exists.' },
      ],
      [
        'numbers, booleans and bigints',
        failed({ errno: -111, fatal: true, id: 2n }),
        { errno: -111, fatal: true, id: '2' },
      ],
      [
        'plain objects',
        failed({ meta: { target: ['email'], modelName: 'User' } }),
        { meta: { target: ['email'], modelName: 'User' } },
      ],
      ['deep objects', failed({ meta: { a: { b: { c: 1 } } } }), { meta: { a: {} } }],
      ['class instances', failed({ socket: new net.Socket(), on: new Date(0) }), {}],
      [
        'a request of axios',
        failed({
          config: { headers: { Authorization: 'Bearer x' } },
          request: {},
          response: { data: 'x' },
        }),
        {},
      ],
      [
        'statements with values',
        failed({
          sql: "insert into users values ('x')",
          parameters: ['x'],
          sqlState: '23000',
          sqlMessage: 'Duplicate',
        }),
        { sqlState: '23000', sqlMessage: 'Duplicate' },
      ],
      [
        'secrets',
        failed({ password: 'x', accessToken: 'x', apiKey: 'x', meta: { cookie: 'x', code: 1 } }),
        { meta: { code: 1 } },
      ],
      [
        'values of clients',
        failed({ value: 'x', stringValue: 'x', keyValue: { email: 'x' }, path: 'age' }),
        { path: 'age' },
      ],
      [
        'a throwing getter',
        Object.defineProperty(failed({ code: 'A' }), 'bad', {
          enumerable: true,
          get: () => assert.unreachable(),
        }),
        { code: 'A' },
      ],
      [
        'a throwing cause',
        Object.defineProperty(failed({}), 'cause', { get: () => assert.unreachable() }),
        {},
      ],
      [
        'a member with the name __proto__',
        Object.defineProperty(failed({}), '__proto__', { enumerable: true, value: 'x' }),
        JSON.parse('{"__proto__":"x"}'),
      ],
      [
        'many members',
        failed(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`m${i}`, i]))),
        Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`m${i}`, i])),
      ],
      ['a cause that is text', failed({ cause: 'reason' }), { cause: 'reason' }],
      ['a cause that is a symbol', failed({ cause: Symbol('a') }), {}],
      [
        'errors of an AggregateError',
        new AggregateError([failed({ code: 'A' })], 'failed'),
        { name: 'AggregateError', errors: [{ ...base, code: 'A' }] },
      ],
      [
        'reasons of an AggregateError that are not errors',
        new AggregateError(['timeout', { code: 'A', value: 'x' }, new Map()], 'failed'),
        { name: 'AggregateError', errors: ['timeout', { code: 'A' }] },
      ],
      [
        'an error of another realm',
        runInNewContext(
          'Object.assign(new Error("failed"), { code: "A", cause: new TypeError("b") })',
        ),
        { code: 'A', cause: { name: 'TypeError', message: 'b' } },
      ],
    ] as const,
    (_, error, expected) =>
      assert.is(JSON.stringify(described(error)), JSON.stringify({ ...base, ...expected })),
  )

  table(
    test,
    [
      ['text', 'reason', 'reason'],
      ['a plain object', { code: '23505', token: 'x' }, { code: '23505' }],
      ['an instance of a class', new Map([[1, 2]]), undefined],
      ['undefined', undefined, undefined],
    ] as const,
    (_, thrown, expected) => assert.equal(describeError(thrown), expected),
  )

  test('a cyclic cause is marked', () => {
    const error = failed({})
    error.cause = new Error('inner', { cause: error })
    assert.equal(described(error), {
      ...base,
      cause: { name: 'Error', message: 'inner', cause: '[circular]' },
    })
  })
  test('the number of errors is limited', () => {
    const nested = (depth: number): Error =>
      depth === 0
        ? new Error('last')
        : new AggregateError(
            Array.from({ length: 3 }, () => nested(depth - 1)),
            'failed',
          )
    const text = JSON.stringify(described(nested(8), 5))
    assert.is(text.split('"message"').length - 1, 5)
    assert.match(text, '[truncated]')
  })
  test('a chain of causes ends at the limit', () => {
    let error = failed({})
    for (let i = 0; i < 100_000; i++) error = new Error('outer', { cause: error })
    assert.is(JSON.stringify(described(error)).split('"message"').length - 1, 16)
  })
  test('a connection that is not accepted names its addresses', async () => {
    const failure: unknown = await new Promise((resolve) =>
      net
        .connect({
          host: 'db.example',
          port: 1,
          autoSelectFamily: true,
          lookup: (_host, _options, done) =>
            Reflect.apply(done, undefined, [
              null,
              [
                { address: '127.0.0.1', family: 4 },
                { address: '127.0.0.2', family: 4 },
              ],
            ]),
        })
        .on('error', resolve),
    )
    assert.match(JSON.stringify(described(failure)), /127\.0\.0\.1:1.*127\.0\.0\.2:1/)
  })
})
