import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type {
  StandardIssue,
  StandardResult,
  StandardSchema,
} from '../../src/codec/standard-schema.ts'
import { standard } from '../../src/codec/standard-schema.ts'
import { describe, table } from '../support/describe.ts'

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
  test('writes as it is, or by the function given', () => {
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
        [['m', keys]],
      )
    },
  )
  test('one for each issue, in their order', () => {
    const result = standard(failing({ message: '1' }, { message: '2' })).decode(1)
    assert.equal(E.isLeft(result) && result.left.map(({ message }) => message), ['1', '2'])
  })
  test('within the place of the codec', () => {
    const member = t.type({ a: standard(failing({ message: 'm', path: ['b'] })) })
    const result = member.decode({ a: 1 })
    assert.equal(E.isLeft(result) && result.left[0]?.context.map(({ key }) => key), ['', 'a', 'b'])
  })
})
