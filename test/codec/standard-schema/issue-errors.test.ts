/** The details of validation errors of schemas. */
import { type } from 'arktype'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import * as z from 'zod'
import type { AnySchema, StandardIssue } from '../../../src/codec/standard-schema/schema-types.ts'
import { schemaCodec } from '../../../src/codec/standard-schema/standard-schema.ts'
import { describe, law, table } from '../../support/describe.ts'

type Row = readonly [name: string, schema: AnySchema, value: unknown, errors: ReadonlyArray<string>]

/** Returns the errors of a value, each as its path and its message. */
const errorsOf = (schema: AnySchema, value: unknown): ReadonlyArray<string> => {
  const decoded = schemaCodec(schema).decode(value)
  return E.isRight(decoded)
    ? []
    : decoded.left.map(({ context, message = '' }) => {
        const path = context.map(({ key }) => key).join('/')
        return path === '' ? message : `${path}: ${message}`
      })
}

const check = (_: string, schema: AnySchema, value: unknown, errors: ReadonlyArray<string>): void =>
  assert.equal(errorsOf(schema, value), errors)

const zodRows: ReadonlyArray<Row> = [
  ['a type', z.string(), 5, ['Invalid input: expected string, received number']],
  ['a missing member', z.object({ a: z.string() }), {}, ['/a: is required']],
  ['a missing option', z.object({ a: z.enum(['b']) }), {}, ['/a: is required']],
  [
    'a missing member with a message',
    z.object({ a: z.string('a is a name') }),
    {},
    ['/a: a is a name'],
  ],
  ['a length', z.string().min(1), '', ['Too small: expected string to have >=1 characters']],
  ['a bound that is the value', z.number().gt(10), 10, ['Too small: expected number to be >10']],
  ['a format', z.email(), 'hunter2', ['Invalid email address']],
  ['a pattern', z.string().regex(/^a/), 'hunter2', ['Invalid string: must match pattern /^a/']],
  ['options', z.enum(['a', 'b']), 'hunter2', ['Invalid option: expected one of "a"|"b"']],
  ['a literal', z.literal('a'), 'hunter2', ['Invalid input: expected "a"']],
  [
    'a union',
    z.union([z.string(), z.number()]),
    true,
    ['Invalid input: expected string or number'],
  ],
  [
    'a union of literals',
    z.union([z.literal(1), z.null()]),
    2,
    ['Invalid input: expected 1 or null'],
  ],
  [
    'a union of objects',
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    { a: 1 },
    ['Invalid input'],
  ],
  ['a refinement', z.string().refine(() => false), 'hunter2', ['Invalid input']],
  ['a message', z.string().min(3, 'is too short'), 'a', ['is too short']],
  [
    'a message with the value',
    z.string().refine(() => false, { error: ({ input }) => `${String(input)} is taken` }),
    'hunter2',
    ['is invalid'],
  ],
  [
    'undeclared members',
    z.object({ a: z.strictObject({}) }),
    { a: { hunter2: 1, b: 2 } },
    ['/a/hunter2: is not declared', '/a/b: is not declared'],
  ],
  [
    'nested members',
    z.object({ a: z.array(z.object({ 'b/c': z.string() })) }),
    { a: [{ 'b/c': '' }, { 'b/c': 1 }] },
    ['/a/1/b/c: Invalid input: expected string, received number'],
  ],
]

const valibotRows: ReadonlyArray<Row> = [
  ['a type', v.string(), 5, ['Invalid type: expected string']],
  ['a missing member', v.object({ a: v.string() }), {}, ['/a: is required']],
  ['a length', v.pipe(v.string(), v.minLength(1)), '', ['Invalid length: expected >=1']],
  ['a format', v.pipe(v.string(), v.email()), 'hunter2', ['Invalid email']],
  ['options', v.picklist(['a', 'b']), 'hunter2', ['Invalid type: expected ("a" | "b")']],
  ['a pattern', v.pipe(v.string(), v.regex(/^a/)), 'hunter2', ['Invalid format: expected /^a/']],
  [
    'a check',
    v.pipe(
      v.string(),
      v.check(() => false),
    ),
    'hunter2',
    ['Invalid input'],
  ],
  ['a value with a colon', v.pipe(v.string(), v.email()), 'a: Received b', ['Invalid email']],
  ['a message', v.pipe(v.string(), v.minLength(3, 'is too short')), 'a', ['is too short']],
  [
    'a message with the value',
    v.pipe(
      v.string(),
      v.check(
        () => false,
        ({ input }) => `${input} is taken`,
      ),
    ),
    'hunter2',
    ['is invalid'],
  ],
  [
    'undeclared members',
    v.object({ a: v.strictObject({}) }),
    { a: { hunter2: 1 } },
    ['/a/hunter2: is not declared'],
  ],
  [
    'nested members',
    v.object({ a: v.array(v.object({ b: v.string() })) }),
    { a: [{ b: '' }, { b: 1 }] },
    ['/a/1/b: Invalid type: expected string'],
  ],
]

const arktypeRows: ReadonlyArray<Row> = [
  ['a type', type.string, 5, ['must be a string']],
  ['a missing member', type({ a: 'string' }), {}, ['/a: is required']],
  ['a length', type('string > 0'), '', ['must be non-empty']],
  ['a bound that is the value', type('number > 10'), 10, ['must be more than 10']],
  ['a format', type('string.email'), 'hunter2', ['must be an email address']],
  ['options', type("'a' | 'b'"), 'hunter2', ['must be "a" or "b"']],
  ['options of a member', type({ c: "'a' | 'b'" }), { c: 'hunter2' }, ['/c: must be "a" or "b"']],
  ['a union', type('string | number'), true, ['must be a number or a string']],
  ['several rules', type('number.integer > 0'), -0.5, ['must be an integer and positive']],
  [
    'a narrowed type',
    type.string.narrow((_, context) => context.mustBe('new')),
    'hunter2',
    ['must be new'],
  ],
  [
    'a message',
    type.string.narrow((_, context) => context.reject({ message: 'is taken' })),
    'hunter2',
    ['is taken'],
  ],
  [
    'a message with the value',
    type('string > 9').configure({ message: ({ data }) => `${String(data)} is short` }),
    'hunter2',
    ['is invalid'],
  ],
  [
    'undeclared members',
    type({ a: { '+': 'reject' } }),
    { a: { hunter2: 1 } },
    ['/a/hunter2: must be removed'],
  ],
  [
    'nested members',
    type({ a: type({ b: 'string' }).array() }),
    { a: [{ b: '' }, { b: 1 }] },
    ['/a/1/b: must be a string'],
  ],
]

/** A schema of another library, whose issue has the given message. */
const failing = (message: string, path?: StandardIssue['path']): AnySchema => ({
  '~standard': {
    version: 1,
    vendor: 'example',
    validate: () => ({ issues: [path === undefined ? { message } : { message, path }] }),
  },
})

describe('errors of zod', (test) => table<Row>(test, zodRows, check))
describe('errors of valibot', (test) => table<Row>(test, valibotRows, check))
describe('errors of arktype', (test) => table<Row>(test, arktypeRows, check))
describe('errors of other libraries', (test) => {
  table<Row>(
    test,
    [
      ['a message', failing('must be text'), 5, ['must be text']],
      ['an empty message', failing(''), 5, ['is invalid']],
      ['a missing member', failing('must be text', ['a']), {}, ['/a: is required']],
      ['a string in quotes', failing('must be text, was "hunter2"'), 'hunter2', ['is invalid']],
      ['a number', failing('expected text, got 42'), 42, ['is invalid']],
      ['digits of another number', failing('must be under 425'), 42, ['must be under 425']],
      ['a member', failing('got {"a":["hunter2"]}'), { a: ['hunter2'] }, ['is invalid']],
      ['an escaped string', failing('got "a\\"b"'), 'a"b', ['is invalid']],
      ['a long message', failing('x'.repeat(501)), 5, ['is invalid']],
      ['a value with many members', failing('must be text'), Array(200).fill(1), ['is invalid']],
    ],
    check,
  )
  law(
    test,
    'no message contains a string of the value',
    fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
    (text) =>
      assert.equal(errorsOf(failing(`must be "a" (was ${JSON.stringify(text)})`), text), [
        'is invalid',
      ]),
  )
})
