import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { describe, law, roundTrip, table } from '../support/describe.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { ValidationError } from '../../src/http/failure.ts'
import { between, int, list, optional, withDefault } from '../../src/index.ts'
import { expectedTypes } from '../../src/codec/from-string.ts'
import { bodyErrors, formatPointer, parameterErrors } from '../../src/body/decode-body.ts'
import { unicodeString } from '../support/unicode-string.ts'

/** Parses a pointer as RFC 6901, 4 evaluates it. */
const segmentsOf = (fragment: string): ReadonlyArray<string> =>
  decodeURIComponent(fragment.slice(1))
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

describe('formatPointer', (test) => {
  table(
    test,
    [
      ['#', []], // RFC 6901, 6
      ['#/foo', ['foo']],
      ['#/foo/0', ['foo', '0']],
      ['#/', ['']],
      ['#/a~1b', ['a/b']],
      ['#/c%25d', ['c%d']],
      ['#/e%5Ef', ['e^f']],
      ['#/g%7Ch', ['g|h']],
      ['#/i%5Cj', ['i\\j']],
      ['#/k%22l', ['k"l']],
      ['#/%20', [' ']],
      ['#/m~0n', ['m~n']],
      ['#/~01', ['~1']], // RFC 6901, 4
      ['#/a~1b/%C3%A9', ['a/b', 'é']],
      ['#/%F0%9F%8C%B3', ['🌳']],
      ['#/%EF%BF%BD', ['\ud83c']], // a lone surrogate
      ['#/%23', ['#']],
      ['#/%5B0%5D', ['[0]']],
      ["#/?:@!$&'()*+,;=-._~0", ["?:@!$&'()*+,;=-._~"]], // RFC 3986, 3.5
      ['#//', ['', '']],
    ] as const,
    (expected, segments) => assert.is(formatPointer(segments), expected),
  )

  law(test, 'returns a URI fragment', fc.array(unicodeString), (segments) =>
    assert.match(formatPointer(segments), /^#(?:[\w\-.~!$&'()*+,;=:@/?]|%[\dA-F]{2})*$/),
  )

  roundTrip(
    test,
    fc.array(fc.string({ unit: 'grapheme' })),
    formatPointer,
    segmentsOf,
    (actual, segments) => assert.equal(actual, segments),
  )
})

const errorsOf = (codec: t.Mixed, input: unknown): t.Errors => {
  const result = codec.decode(input)
  return E.isLeft(result) ? result.left : []
}

/** Creates a codec with an error message. */
const withMessage = (message: string): t.Type<string> =>
  new t.Type(
    'withMessage',
    t.string.is,
    (input, context) =>
      input === 'valid' ? t.success('valid') : t.failure(input, context, message),
    t.identity,
  )

describe('parameterErrors', (test) => {
  const location = { in: 'query', name: 'p' } as const
  table<readonly [string, t.Mixed, unknown, string]>(
    test,
    [
      ['a missing value', int, undefined, 'is required and must be an integer'],
      ['an invalid value', int, 'x', 'must be an integer'],
      ['a value out of range', between(1, 9)(int), 10, 'must be an integer from 1 to 9'],
      ['a value of another type', between(1, 9)(int), '10', 'must be an integer'],
      ['a union of two types', t.union([t.number, t.null]), 'x', 'must be a number or null'],
      ['a union of equal types', t.union([t.number, t.number]), 'x', 'must be a number'],
      ['an optional value', optional(int), 'x', 'must be an integer'],
      ['a value with a default', withDefault(int, 1), 'x', 'must be an integer'],
      ['a list with two invalid elements', list(int), ['x', 'y', '1'], 'must be an integer'],
      ['a message of the codec', withMessage('is invalid'), 'x', 'is invalid'],
      [
        'two messages of a union',
        t.union([withMessage('is invalid'), withMessage('is bad')]),
        'x',
        'is invalid; is bad',
      ],
      ['one message of a union', t.union([t.number, withMessage('is invalid')]), 'x', 'is invalid'],
    ],
    (_, codec, input, detail) =>
      assert.equal(parameterErrors(location)(errorsOf(codec, input)), { ...location, detail }),
  )
})

describe('parameterErrors called again', (test) => {
  const toValidationError = parameterErrors({ in: 'query', name: 'p' })
  const detailOf = (codec: t.Mixed, input: unknown): string =>
    toValidationError(errorsOf(codec, input)).detail
  test('returns the cached error for the same codec', () => {
    assert.is(toValidationError(errorsOf(int, 'x')), toValidationError(errorsOf(int, 'y')))
    assert.is(toValidationError(errorsOf(list(int), ['x'])), toValidationError(errorsOf(int, 'x')))
  })
  test('distinguishes codecs, missing values and messages', () => {
    const details = [int, t.number, withMessage('is bad'), withMessage('is worse')].flatMap(
      (codec) => [detailOf(codec, 'x'), detailOf(codec, undefined)],
    )
    assert.equal(details, [
      'must be an integer',
      'is required and must be an integer',
      'must be a number',
      'is required and must be a number',
      'is bad',
      'is bad',
      'is worse',
      'is worse',
    ])
  })
  test('caches up to 16 errors', () => {
    for (let n = 0; n < 40; n++) {
      const codec = new t.Type(`${n}`, t.string.is, t.failure, t.identity)
      assert.is(detailOf(codec, 'x'), `must be ${n}`)
    }
    const late = new t.Type('late', t.string.is, t.failure, t.identity)
    assert.is.not(toValidationError(errorsOf(late, 'x')), toValidationError(errorsOf(late, 'x')))
  })
})

/** Returns the details for an invalid and a missing value, twice. */
const repeatedDetails = (codec: t.Mixed): ReadonlyArray<string | undefined> =>
  ['x', undefined, 'y', undefined].map((input) => bodyErrors(errorsOf(codec, input))[0]?.detail)

const detailsNaming = (name: string): ReadonlyArray<string> => {
  const details = [`must be ${name}`, `is required and must be ${name}`]
  return [...details, ...details]
}

describe('bodyErrors called again', (test) => {
  test('distinguishes codecs and missing values', () => {
    assert.equal(repeatedDetails(int), detailsNaming('an integer'))
    assert.equal(repeatedDetails(t.number), detailsNaming('a number'))
    assert.equal(repeatedDetails(int), detailsNaming('an integer'))
  })
  test('uses the new name of a codec that has been renamed', () => {
    const codec = new t.Type('a', t.string.is, t.failure, t.identity)
    assert.equal(repeatedDetails(codec), detailsNaming('a'))
    Object.assign(codec, { name: 'b' })
    assert.equal(repeatedDetails(codec), detailsNaming('b'))
  })
})

const errorAt = (pointer: string, detail: string): ValidationError => ({
  in: 'body',
  pointer,
  detail,
})

describe('bodyErrors', (test) => {
  const Book = t.type({ title: t.string, pages: t.number })
  table<readonly [string, t.Mixed, unknown, ReadonlyArray<ValidationError>]>(
    test,
    [
      ['the complete body', t.string, 1, [errorAt('#', 'must be a string')]],
      [
        'members in the order of the codec',
        Book,
        { pages: 'x' },
        [
          errorAt('#/title', 'is required and must be a string'),
          errorAt('#/pages', 'must be a number'),
        ],
      ],
      [
        'an element of an array',
        t.array(Book),
        [
          { title: 'a', pages: 1 },
          { title: 2, pages: 3 },
        ],
        [errorAt('#/1/title', 'must be a string')],
      ],
      [
        'a member name with special characters', // RFC 6901, 3 and 6
        t.type({ 'a/b~c d': t.string }),
        { 'a/b~c d': 1 },
        [errorAt('#/a~1b~0c%20d', 'must be a string')],
      ],
      [
        'a union at one location',
        t.type({ a: t.union([t.string, t.number]) }),
        { a: true },
        [errorAt('#/a', 'must be a string or a number')],
      ],
      [
        'an invalid optional member',
        t.type({ a: t.union([t.string, t.undefined]) }),
        { a: 1 },
        [errorAt('#/a', 'must be a string')],
      ],
      [
        'members of an intersection, without its indexes',
        t.intersection([t.type({ a: t.string }), t.type({ b: t.type({ c: t.string }) })]),
        { b: {} },
        [
          errorAt('#/a', 'is required and must be a string'),
          errorAt('#/b/c', 'is required and must be a string'),
        ],
      ],
      [
        'members of the alternatives of a union',
        t.union([t.type({ a: t.string }), t.type({ b: t.string })]),
        {},
        [
          errorAt('#/a', 'is required and must be a string'),
          errorAt('#/b', 'is required and must be a string'),
        ],
      ],
    ],
    (_, codec, input, expected) => assert.equal(bodyErrors(errorsOf(codec, input)), expected),
  )

  test('returns at most 1000 errors', () => {
    const many = Array.from({ length: 5000 }, () => 'x')
    assert.is(bodyErrors(errorsOf(t.array(t.number), many)).length, 1000)
  })
  law(
    test,
    'errors do not contain the rejected value',
    fc.array(fc.oneof(fc.constant('hunter2'), fc.constant({ title: ['hunter2'] }), fc.nat()), {
      minLength: 1,
    }),
    (input) => {
      const text = JSON.stringify([
        bodyErrors(errorsOf(t.array(Book), input)),
        parameterErrors({ in: 'form', name: 'p' })(errorsOf(list(int), input)),
      ])
      assert.not.match(text, 'hunter2')
      assert.match(text, /"#\/0[/"]/)
    },
  )
})

const indexingTypes = new Set<t.Mixed>([
  t.union([t.string, t.number]),
  t.intersection([t.type({ a: t.string }), t.type({ b: t.string })]),
])
const keys = ['a', 'b', '', '0', '1:a', 'a/b', '~', '\ud800', '\ufffd'] as const
const entry = fc.record(
  {
    key: fc.constantFrom(...keys),
    type: fc.constantFrom<t.Mixed>(
      t.string,
      t.number,
      t.undefined,
      t.array(t.string),
      ...indexingTypes,
    ),
  },
  { noNullPrototype: true },
)
const anyErrors: fc.Arbitrary<t.Errors> = fc
  .array(
    fc.record(
      {
        context: fc.array(entry, { maxLength: 4 }),
        value: fc.constantFrom(undefined, 'x'),
        message: fc.constantFrom(undefined, undefined, 'is invalid', 'is bad', ''),
      },
      { noNullPrototype: true },
    ),
    { maxLength: 6 },
  )
  .map((all) =>
    all.map(({ message, ...rest }) => (message === undefined ? rest : { ...rest, message })),
  )

/** Returns the keys that are not indexes of unions or intersections. */
const pathOf = (context: t.Context): ReadonlyArray<string> =>
  context.flatMap(({ key }, index) => {
    const parent = index === 0 ? undefined : context[index - 1]?.type
    return [...indexingTypes, undefined].some((type) => type === parent) ? [] : [key]
  })

/** Groups errors by path, in the order of their first error. */
const groupsOf = (all: t.Errors): ReadonlyArray<t.Errors> => {
  const paths = all.map(({ context }) => JSON.stringify(pathOf(context)))
  return [...new Set(paths)].map((path) => all.filter((_, index) => paths[index] === path))
}

/** Combines errors: their messages, or the expected types. A value is missing if the last error of every group has no value. */
const expectedDetail = (groups: ReadonlyArray<t.Errors>): string => {
  const all = groups.flat()
  const messages = all.flatMap(({ message }) => (message === undefined ? [] : [message]))
  if (messages.length > 0) return [...new Set(messages)].join('; ')
  const names = all.map(({ context }) => context.at(-1)?.type.name ?? '')
  const isMissing = groups.every((group) => group.at(-1)?.value === undefined)
  return expectedTypes(names, isMissing)
}

describe('errors of any codec', (test) => {
  law(test, 'parameterErrors combines all errors', anyErrors, (all) =>
    assert.equal(parameterErrors({ in: 'path', name: 'p' })([...all]), {
      in: 'path',
      name: 'p',
      detail: expectedDetail(groupsOf(all)),
    }),
  )
  law(test, 'bodyErrors groups errors by path', anyErrors, (all) =>
    assert.equal(
      bodyErrors([...all]),
      groupsOf(all).map((group) =>
        errorAt(formatPointer(pathOf(group[0]?.context ?? [])), expectedDetail([group])),
      ),
    ),
  )
})
