import type {
  StandardIssue,
  StandardResult,
  StandardSchema,
} from '../../../src/codec/standard-schema/schema-types.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { fromStandardSchema } from '../../../src/codec/standard-schema/standard-schema.ts'
import { describe, table } from '../../support/describe.ts'

const schema = <I, O>(
  validate: (value: unknown) => StandardResult<O> | Promise<StandardResult<O>>,
): StandardSchema<I, O> => ({ '~standard': { version: 1, vendor: 'example', validate } })

const text = schema<string, string>((value) =>
  typeof value === 'string' ? { value } : { issues: [{ message: 'must be text' }] },
)
const digits = schema<string, number>((value) =>
  typeof value === 'string' && /^\d+$/.test(value)
    ? { value: Number(value) }
    : { issues: [{ message: 'must be digits' }] },
)
const failing = (...issues: readonly StandardIssue[]): StandardSchema<unknown, unknown> =>
  schema(() => ({ issues }))

describe('fromStandardSchema', (test) => {
  test('decodes values that the schema accepts', () => {
    assert.equal(fromStandardSchema(text).decode('a'), E.right('a'))
    assert.equal(fromStandardSchema(digits, String).decode('12'), E.right(12))
  })
  test('encodes with the schema, or with the encode function', () => {
    assert.is(fromStandardSchema(text).encode('a'), 'a')
    assert.is(fromStandardSchema(digits, String).encode(12), '12')
  })
  test('accepts schemas that are functions', () => {
    const callable = Object.assign(() => true, text)
    assert.equal(fromStandardSchema(callable).decode('a'), E.right('a'))
  })
  test('is agrees with the schema', () => {
    assert.ok(fromStandardSchema(text).is('a'))
    assert.not(fromStandardSchema(text).is(1))
  })
  test('has the name of the vendor and the schema as a member', () => {
    assert.is(fromStandardSchema(text).name, 'example')
    assert.is(fromStandardSchema(text).schema, text)
    assert.is(fromStandardSchema(text)._tag, 'StandardType')
  })
  test('throws for a schema that validates asynchronously', () => {
    const asynchronous = fromStandardSchema(
      schema<string, string>(() => Promise.resolve({ value: 'a' })),
    )
    assert.throws(
      () => asynchronous.decode('a'),
      'invalid example schema: asynchronous validation is not supported',
    )
  })
})

describe('fromStandardSchema: errors', (test) => {
  table(
    test,
    [
      ['an issue without a path', { message: 'm' }, ['']],
      ['an empty path', { message: 'm', path: [] }, ['']],
      ['a path of names', { message: 'm', path: ['a', 'b'] }, ['', 'a', 'b']],
      ['a path with an index', { message: 'm', path: ['a', 0] }, ['', 'a', '0']],
      ['a path of objects', { message: 'm', path: [{ key: 'a' }, { key: 0 }] }, ['', 'a', '0']],
      ['a path with a symbol', { message: 'm', path: [Symbol('s')] }, ['', 'Symbol(s)']],
    ] as ReadonlyArray<[string, StandardIssue, ReadonlyArray<string>]>,
    (_, issue, keys) => {
      const result = fromStandardSchema(failing(issue)).decode(1)
      assert.equal(
        E.isLeft(result) &&
          result.left.map(({ message, context }) => [message, context.map(({ key }) => key)]),
        [[keys.length === 1 ? 'm' : 'is required', keys]],
      )
    },
  )
  test('each issue results in one error, in the same order', () => {
    const result = fromStandardSchema(
      failing({ message: '1', path: ['a'] }, { message: '2', path: ['b'] }),
    ).decode(1)
    assert.equal(E.isLeft(result) && result.left.map(({ context }) => context[1]?.key), ['a', 'b'])
  })
  test('messages of the schema that repeat the value are not used', () => {
    const result = fromStandardSchema(
      failing({ message: 'must be "a" (was "hunter2")', path: ['role'] }),
    ).decode({ role: 'hunter2' })
    assert.equal(E.isLeft(result) && result.left.map(({ message }) => message), ['is invalid'])
  })
  test('an issue of a missing member results in "is required"', () => {
    const result = fromStandardSchema(failing({ message: 'm', path: ['role'] })).decode({})
    assert.equal(E.isLeft(result) && result.left.map(({ message }) => message), ['is required'])
  })
  test('the path starts with the context of the codec', () => {
    const member = t.type({ a: fromStandardSchema(failing({ message: 'm', path: ['b'] })) })
    const result = member.decode({ a: 1 })
    assert.equal(E.isLeft(result) && result.left[0]?.context.map(({ key }) => key), ['', 'a', 'b'])
  })
})

interface User {
  readonly name: string
}

const isUser = (value: unknown): value is User =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
const invalid = { issues: [{ message: 'invalid' }] }
/** Strips undeclared members, like zod and valibot. */
const strips = schema<User, User>((value) =>
  isUser(value) ? { value: { name: value.name } } : invalid,
)
/** Keeps undeclared members, like arktype. */
const keeps = schema<User, User>((value) => (isUser(value) ? { value } : invalid))
const described = (output: () => unknown): StandardSchema<User, User> => ({
  '~standard': Object.assign({ jsonSchema: { input: output, output } }, keeps['~standard']),
})
const object = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const user = { name: 'ann', passwordHash: 'hunter2' }

describe('fromStandardSchema: encode', (test) => {
  table<readonly [string, t.Mixed, unknown, unknown]>(
    test,
    [
      ['an object with undeclared members', fromStandardSchema(strips), user, { name: 'ann' }],
      ['an object in a list', t.array(fromStandardSchema(strips)), [user], [{ name: 'ann' }]],
      [
        'an object in an object',
        t.type({ user: fromStandardSchema(strips) }),
        { user },
        { user: { name: 'ann' } },
      ],
      [
        'an object in a union',
        t.union([t.null, fromStandardSchema(strips)]),
        user,
        { name: 'ann' },
      ],
      [
        'an object of a schema with a JSON Schema',
        fromStandardSchema(described(() => object)),
        user,
        { name: 'ann' },
      ],
      [
        'an object of a JSON Schema that allows additional properties',
        fromStandardSchema(described(() => ({ ...object, additionalProperties: {} }))),
        user,
        user,
      ],
      [
        'the result of an encode function',
        fromStandardSchema(
          schema<{ readonly n: string }, User>((value) =>
            typeof value === 'object' && value !== null && 'n' in value
              ? { value: { name: String(value.n) } }
              : invalid,
          ),
          ({ name, ...rest }) => ({ n: name, ...rest }),
        ),
        user,
        { n: 'ann' },
      ],
      [
        'the result of an encode function for a schema that keeps members',
        fromStandardSchema(keeps, ({ name }: User) => ({ name })),
        user,
        { name: 'ann' },
      ],
    ],
    (_, codec, value, expected) => assert.equal(codec.encode(value), expected),
  )
  table<readonly [string, t.Mixed, unknown, RegExp]>(
    test,
    [
      [
        'a value that the schema rejects',
        fromStandardSchema(strips),
        { passwordHash: 'x' },
        /invalid value for the/,
      ],
      [
        'a value of a schema that copies undeclared members',
        t.array(
          fromStandardSchema(
            schema<User, User>((value) => (isUser(value) ? { value: { ...value } } : invalid)),
          ),
        ),
        [user],
        /keeps undeclared members/,
      ],
      [
        'a value of a schema that keeps undeclared members',
        fromStandardSchema(keeps),
        user,
        /keeps undeclared members/,
      ],
      [
        'a value of a schema without a JSON Schema for its output',
        fromStandardSchema(
          described(() => {
            throw new Error('no JSON Schema')
          }),
        ),
        user,
        /keeps undeclared members/,
      ],
      [
        'an object of a schema that validates asynchronously and has no JSON Schema',
        fromStandardSchema(schema<User, User>(() => Promise.reject(new Error('later')))),
        user,
        /has no JSON Schema with which undeclared members can be stripped/,
      ],
      [
        'an output that is not a valid input',
        fromStandardSchema(
          schema<string, string>((value) => (value === 'in' ? { value: 'out' } : invalid)),
        ),
        'out',
        /invalid value for the/,
      ],
    ],
    (_, codec, value, message) => assert.throws(() => codec.encode(value), message),
  )
  test('encodes a value of a schema that rejects undeclared members', () => {
    const closed = fromStandardSchema(
      schema<User, User>((value) =>
        isUser(value) && Object.keys(value).length === 1 ? { value: { ...value } } : invalid,
      ),
    )
    assert.equal(closed.encode({ name: 'ann' }), { name: 'ann' })
    assert.throws(() => closed.encode(user), /invalid value for the/)
  })
  test('encodingProblem is defined if the schema keeps members of an empty object or list', () => {
    const anything = schema<unknown, unknown>((value) => ({ value }))
    const list = schema<unknown, unknown>((value) => (Array.isArray(value) ? { value } : invalid))
    assert.ok(fromStandardSchema(anything).encodingProblem() !== undefined)
    assert.ok(fromStandardSchema(list).encodingProblem() !== undefined)
    assert.is(fromStandardSchema(anything, (value) => value).encodingProblem(), undefined)
    assert.is(fromStandardSchema(described(() => object)).encodingProblem(), undefined)
    assert.is(fromStandardSchema(strips).encodingProblem(), undefined)
    assert.is(fromStandardSchema(text).encodingProblem(), undefined)
  })
  test('is accepts values that encode accepts', () => {
    assert.ok(fromStandardSchema(digits, String).is(12))
    assert.not(fromStandardSchema(digits, String).is('x'))
  })
})
