import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type {
  StandardIssue,
  StandardResult,
  StandardSchema,
} from '../../../src/codec/standard-schema/standard-schema.ts'
import { standard } from '../../../src/codec/standard-schema/standard-schema.ts'
import { describe, table } from '../../support/describe.ts'

const schema = <I, O>(
  validate: (value: unknown) => StandardResult<O> | Promise<StandardResult<O>>,
): StandardSchema<I, O> => ({ '~standard': { version: 1, vendor: 'handmade', validate } })

const text = schema<string, string>((value) =>
  typeof value === 'string' ? { value } : { issues: [{ message: 'has to be text' }] },
)
const digits = schema<string, number>((value) =>
  typeof value === 'string' && /^\d+$/.test(value)
    ? { value: Number(value) }
    : { issues: [{ message: 'has to be digits' }] },
)
const failing = (...issues: readonly StandardIssue[]): StandardSchema<unknown, unknown> =>
  schema(() => ({ issues }))

describe('standard', (test) => {
  test('reads what the schema accepts', () => {
    assert.equal(standard(text).decode('a'), E.right('a'))
    assert.equal(standard(digits, String).decode('12'), E.right(12))
  })
  test('writes what the schema parses, or what the function returns', () => {
    assert.is(standard(text).encode('a'), 'a')
    assert.is(standard(digits, String).encode(12), '12')
  })
  test('takes schemas that are functions, too', () => {
    const callable = Object.assign(() => true, text)
    assert.equal(standard(callable).decode('a'), E.right('a'))
  })
  test('is what the schema accepts', () => {
    assert.ok(standard(text).is('a'))
    assert.not(standard(text).is(1))
  })
  test('has the name of its vendor and shows its schema', () => {
    assert.is(standard(text).name, 'handmade')
    assert.is(standard(text).schema, text)
    assert.is(standard(text)._tag, 'StandardType')
  })
  test('a schema that validates later is refused', () => {
    const later = standard(schema<string, string>(() => Promise.resolve({ value: 'a' })))
    assert.throws(() => later.decode('a'), 'the handmade schema validates asynchronously')
  })
})

describe('standard, its errors', (test) => {
  table(
    test,
    [
      ['no path', { message: 'm' }, ['']],
      ['empty path', { message: 'm', path: [] }, ['']],
      ['names', { message: 'm', path: ['a', 'b'] }, ['', 'a', 'b']],
      ['positions', { message: 'm', path: ['a', 0] }, ['', 'a', '0']],
      ['steps as objects', { message: 'm', path: [{ key: 'a' }, { key: 0 }] }, ['', 'a', '0']],
      ['symbols', { message: 'm', path: [Symbol('s')] }, ['', 'Symbol(s)']],
    ] as ReadonlyArray<[string, StandardIssue, ReadonlyArray<string>]>,
    (_, issue, keys) => {
      const result = standard(failing(issue)).decode(1)
      assert.equal(
        E.isLeft(result) &&
          result.left.map(({ message, context }) => [message, context.map(({ key }) => key)]),
        [[keys.length === 1 ? 'is invalid' : 'is required', keys]],
      )
    },
  )
  test('one for each issue, in their order', () => {
    const result = standard(
      failing({ message: '1', path: ['a'] }, { message: '2', path: ['b'] }),
    ).decode(1)
    assert.equal(E.isLeft(result) && result.left.map(({ context }) => context[1]?.key), ['a', 'b'])
  })
  test('the messages of the schema are not used, because they may repeat the value', () => {
    const result = standard(
      failing({ message: 'must be "a" (was "hunter2")', path: ['role'] }),
    ).decode({ role: 'hunter2' })
    assert.equal(E.isLeft(result) && result.left.map(({ message }) => message), ['is invalid'])
  })
  test('a member that is missing is required', () => {
    const result = standard(failing({ message: 'm', path: ['role'] })).decode({})
    assert.equal(E.isLeft(result) && result.left.map(({ message }) => message), ['is required'])
  })
  test('within the place of the codec', () => {
    const member = t.type({ a: standard(failing({ message: 'm', path: ['b'] })) })
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
/** As zod and valibot parse objects. */
const strips = schema<User, User>((value) =>
  isUser(value) ? { value: { name: value.name } } : invalid,
)
/** As arktype parses objects. */
const keeps = schema<User, User>((value) => (isUser(value) ? { value } : invalid))
const described = (output: () => unknown): StandardSchema<User, User> => ({
  '~standard': Object.assign({ jsonSchema: { input: output, output } }, keeps['~standard']),
})
const object = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const user = { name: 'ann', passwordHash: 'hunter2' }

describe('standard strips undeclared members of what is written', (test) => {
  table<readonly [string, t.Mixed, unknown, unknown]>(
    test,
    [
      ['an object', standard(strips), user, { name: 'ann' }],
      ['in a list', t.array(standard(strips)), [user], [{ name: 'ann' }]],
      ['in an object', t.type({ user: standard(strips) }), { user }, { user: { name: 'ann' } }],
      ['in a union', t.union([t.null, standard(strips)]), user, { name: 'ann' }],
      ['by a JSON Schema', standard(described(() => object)), user, { name: 'ann' }],
      [
        'not where a JSON Schema allows additional properties',
        standard(described(() => ({ ...object, additionalProperties: {} }))),
        user,
        user,
      ],
      [
        'what a function encodes',
        standard(
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
        'a function decides for a schema that only checks',
        standard(keeps, ({ name }: User) => ({ name })),
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
        'that the schema does not accept',
        standard(strips),
        { passwordHash: 'x' },
        /does not accept/,
      ],
      [
        'of a schema that copies undeclared members',
        t.array(
          standard(
            schema<User, User>((value) => (isUser(value) ? { value: { ...value } } : invalid)),
          ),
        ),
        [user],
        /keeps undeclared members/,
      ],
      ['of a schema that only checks', standard(keeps), user, /keeps undeclared members/],
      [
        'of a schema without a JSON Schema for its output',
        standard(
          described(() => {
            throw new Error('no JSON Schema')
          }),
        ),
        user,
        /keeps undeclared members/,
      ],
      [
        'of a schema that validates later',
        standard(schema<User, User>(() => Promise.reject(new Error('later')))),
        user,
        /asynchronously/,
      ],
      [
        'whose output is no input',
        standard(schema<string, string>((value) => (value === 'in' ? { value: 'out' } : invalid))),
        'out',
        /does not accept/,
      ],
    ],
    (_, codec, value, message) => assert.throws(() => codec.encode(value), message),
  )
  test('writes a value of a schema that rejects undeclared members', () => {
    const closed = standard(
      schema<User, User>((value) =>
        isUser(value) && Object.keys(value).length === 1 ? { value: { ...value } } : invalid,
      ),
    )
    assert.equal(closed.encode({ name: 'ann' }), { name: 'ann' })
    assert.throws(() => closed.encode(user), /does not accept/)
  })
  test('keepsUndeclared is true if an empty object or list shows it', () => {
    const anything = schema<unknown, unknown>((value) => ({ value }))
    const list = schema<unknown, unknown>((value) => (Array.isArray(value) ? { value } : invalid))
    assert.ok(standard(anything).keepsUndeclared())
    assert.ok(standard(list).keepsUndeclared())
    assert.not(standard(anything, (value) => value).keepsUndeclared())
    assert.not(standard(described(() => object)).keepsUndeclared())
    assert.not(standard(strips).keepsUndeclared())
    assert.not(standard(text).keepsUndeclared())
  })
  test('is what encode can write', () => {
    assert.ok(standard(digits, String).is(12))
    assert.not(standard(digits, String).is('x'))
  })
})
