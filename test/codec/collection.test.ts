import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { optional, withDefault } from '../../src/codec/optional.ts'
import { isCollection, list, separated, set, sortedSet } from '../../src/codec/collection.ts'
import { bigint, decimal } from '../../src/codec/decimal.ts'
import { encoded } from '../../src/codec/structure/parameter-codecs.ts'
import { fromString } from '../../src/codec/from-string.ts'
import { int, number, string } from '../../src/codec/scalar.ts'
import { dateFormat } from '../../src/codec/temporal/date-format.ts'
import { instant, plainDate } from '../../src/codec/temporal/date-time.ts'
import { duration } from '../../src/codec/temporal/duration.ts'
import { isSet } from '../../src/http/platform-value.ts'
import { compileCodec } from '../../src/codec/compiled/compiled-codec.ts'
import { strict } from '../../src/codec/strict.ts'
import { inView, secureField, view } from '../../src/codec/structure/restricted-member.ts'
import { unrestricted } from '../../src/codec/unrestricted.ts'
import { partialView } from '../../src/codec/visibility/visibility.ts'
import { interpretedBackEnd } from '../../src/codec/compiled/interpreted-back-end.ts'
import { backEnds } from './back-ends.ts'
import { describe, roundTrip, table } from '../support/describe.ts'
import { hex } from '../support/sample.ts'

const money = fromString('money', Number, (value: number, digits = 2) => value.toFixed(digits))

/** A grade from A, the best, to F. */
class Grade {
  readonly letter: string
  constructor(letter: string) {
    this.letter = letter
  }
  static compare(a: Grade, b: Grade): number {
    return b.letter.charCodeAt(0) - a.letter.charCodeAt(0)
  }
}
const gradeCodec = fromString(
  'grade',
  (letter) => new Grade(letter),
  ({ letter }) => letter,
)
const versionCodec = fromString(
  'version',
  (text) => ({ numbers: text.split('.').map(Number) }),
  ({ numbers }) => numbers.join('.'),
)

describe('list', (test) => {
  test('keeps the order and duplicate values', () =>
    assert.equal(list(hex).decode(['f', 'a', 'f']), E.right([15, 10, 15])))
  test('reports the index of each invalid element', () => {
    const result = list(int).decode([1, 'x', 2, 'y'])
    assert.equal(E.isLeft(result) && result.left.map(({ context }) => context.at(-1)?.key), [
      '1',
      '3',
    ])
  })
  test('rejects a value that is not an array', () =>
    assert.ok(E.isLeft(list(int).decode(undefined))))
  test('encodes each element without passing its index', () =>
    assert.equal(list(money).encode([1, 2, 3]), ['1.00', '2.00', '3.00']))
  roundTrip(
    test,
    fc.array(fc.nat()),
    list(hex).encode,
    (texts) => list(hex).decode(texts),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
})

describe('set', (test) => {
  table(
    test,
    [
      [[], []],
      [
        ['b', 'a', 'b'],
        [11, 10],
      ], // in the order of first occurrence
      [['0f', 'f'], [15]], // values are compared, not their texts
    ] as const,
    (texts, values) => assert.equal(decodedSet(set(hex), texts), values),
  )
  table(
    test,
    [
      [
        'equal dates',
        set(plainDate),
        ['2024-02-29', '2024-01-31', '2024-02-29'],
        ['2024-02-29', '2024-01-31'],
      ],
      ['equal decimal numbers', set(decimal), ['1.5', '1.50', '1.5'], ['1.5', '1.50']],
      [
        'objects that are not encoded as text',
        set(t.type({ a: int })),
        [{ a: 1 }, { a: 1 }],
        [{ a: 1 }, { a: 1 }],
      ],
    ] as const,
    (_, codec, received, expected) => assert.equal(reencoded(codec, received), expected),
  )
  test('rejects an invalid element', () => assert.ok(E.isLeft(set(int).decode([1, 'x']))))
  test('is accepts sets of valid values only', () => {
    assert.ok(set(int).is(new Set([1, 2])))
    assert.not(set(int).is(new Set([1, 'x'])))
    assert.not(set(int).is([1]))
  })
  test('encodes each element without passing its index', () =>
    assert.equal(set(money).encode(new Set([1, 2])), ['1.00', '2.00']))
  roundTrip(
    test,
    fc.array(fc.nat()).map((values) => new Set(values)),
    set(hex).encode,
    (texts) => set(hex).decode(texts),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
})

/** Decodes a set and encodes it again. */
const reencoded = (codec: t.Mixed, received: unknown): unknown => {
  const result = codec.decode(received)
  return E.isRight(result) ? codec.encode(result.right) : result.left
}

const decodedSet = (codec: t.Decoder<unknown, ReadonlySet<unknown>>, texts: unknown): unknown => {
  const result = codec.decode(texts)
  return E.isRight(result) ? [...result.right] : result.left
}

describe('sortedSet', (test) => {
  table(
    test,
    [
      ['numbers', sortedSet(number), [10, 9, -1, 9, 2.5], [-1, 2.5, 9, 10]],
      ['infinities', sortedSet(t.number), [Infinity, 0, -Infinity], [-Infinity, 0, Infinity]],
      [
        'texts by code unit',
        sortedSet(string),
        ['b', 'a', 'B', '10', '9'],
        ['10', '9', 'B', 'a', 'b'],
      ],
      ['bigints', sortedSet(t.bigint), [10n, 9n, -1n, 9n], [-1n, 9n, 10n]],
      ['bigints that are encoded as text', sortedSet(bigint), ['10', '9', '-1'], [-1n, 9n, 10n]],
      ['numbers that are encoded as text', sortedSet(hex), ['10', 'f'], [15, 16]],
      ['booleans', sortedSet(t.boolean), [true, false], [false, true]],
    ] as const,
    (_, codec, values, sorted) => assert.equal(decodedSet(codec, values), sorted),
  )
  table(
    test,
    [
      ['decimal numbers', sortedSet(decimal), ['10', '9.5', '-1', '9.5'], ['-1', '9.5', '10']],
      [
        'dates in a pattern',
        sortedSet(dateFormat('dd/MM/yyyy')(plainDate)),
        ['01/02/2024', '02/01/2024', '01/02/2024'],
        ['02/01/2024', '01/02/2024'],
      ],
      [
        'instants with fractions of a second',
        sortedSet(instant),
        ['2024-01-31T10:00:00.5Z', '2024-01-31T10:00:00Z'],
        ['2024-01-31T10:00:00Z', '2024-01-31T10:00:00.5Z'],
      ],
      ['durations', sortedSet(duration), ['PT10M', 'PT9M'], ['PT9M', 'PT10M']],
      [
        'durations with months, as text',
        sortedSet(duration),
        ['PT9M', 'PT10M', 'P1M'],
        ['P1M', 'PT10M', 'PT9M'],
      ],
      ['other objects, as text', sortedSet(versionCodec), ['1.9', '1.10'], ['1.10', '1.9']],
      ['a class with compare', sortedSet(gradeCodec), ['C', 'A', 'B', 'A'], ['C', 'B', 'A']],
    ] as const,
    (_, codec, received, expected) => assert.equal(reencoded(codec, received), expected),
  )
  roundTrip(
    test,
    fc.array(fc.integer()),
    (values) => values,
    (values) => decodedSet(sortedSet(int), values),
    (actual, values) =>
      assert.equal(
        actual,
        [...new Set(values)].toSorted((a, b) => a - b),
      ),
  )
})

describe('separated', (test) => {
  table(
    test,
    [
      ['an element', separated(',')(int), 'ReadonlyArrayType'],
      ['a list', separated(',')(list(int)), 'ReadonlyArrayType'],
      ['an array', separated(',')(t.array(int)), 'ArrayType'],
      ['a set', separated(',')(set(int)), 'SetType'],
      ['an encoded list', separated(',')(encoded(list(int))), 'EncodedType'],
      [
        'a refined list',
        separated(',')(t.refinement(list(int), ({ length }) => length > 0)),
        'RefinementType',
      ],
    ] as const,
    (_, { codec }, tag) => assert.is(codec._tag, tag),
  )
  test('has the separator, which is part of its name', () => {
    assert.is(separated('|')(int).separator, '|')
    assert.is(separated('|')(int).name, 'list of int separated by "|"')
  })
  test('decodes and encodes like the collection', () => {
    assert.equal(separated(',')(set(hex)).decode(['f', 'f']), E.right(new Set([15])))
    assert.equal(separated(',')(set(hex)).encode(new Set([15])), ['f'])
  })
})

describe('isCollection', (test) => {
  table(
    test,
    [
      ['list', list(int), true],
      ['array', t.array(int), true],
      ['set', set(int), true],
      ['branded', t.refinement(list(int), () => true), true],
      ['recursive', t.recursion('R', (): t.Mixed => list(int)), true],
      ['refined element', t.refinement(int, () => true), false],
      ['tuple', t.tuple([int, int]), false],
      ['optional', optional(list(int)), false],
      ['with a default', withDefault(list(int), []), false],
      ['scalar', int, false],
    ] as const,
    (_, codec, expected) => assert.is(isCollection(codec), expected),
  )
})

const restrictedBook = t.type({
  title: inView(view('Public'))(t.string),
  price: secureField('chief')(t.number),
})
const restrictedDay = secureField('chief')(plainDate)

describe('a set of restricted values', (test) => {
  test('is decoded from a response without the restricted members', () => {
    const Member = t.type({ name: t.string, pay: secureField('chief')(hex) })
    const received = [{ name: 'b' }, { name: 'a', pay: 'f' }]
    for (const create of [set, sortedSet])
      assert.equal(
        E.map((values: unknown) => (isSet(values) ? [...values] : values))(
          compileCodec(create(Member), 'drop', interpretedBackEnd, partialView).decode(received),
        ),
        E.right([
          { name: 'b', pay: undefined },
          { name: 'a', pay: 15 },
        ]),
      )
  })
  const books = [
    { title: 'b', price: 2 },
    { title: 'a', price: 1 },
    { title: 'b', price: 2 },
  ]
  const days = ['2024-02-29', '2024-01-31', '2024-02-29']
  for (const create of [set, sortedSet])
    table(
      test,
      [
        ['objects', create(restrictedBook), books, books],
        ['strict objects', create(strict(restrictedBook)), books, books],
        [
          'objects in a recursive codec',
          create(
            t.recursion<t.TypeOf<typeof restrictedBook>, unknown>('Book', () => restrictedBook),
          ),
          books,
          books,
        ],
        [
          'dates',
          create(restrictedDay),
          days,
          create === set ? ['2024-02-29', '2024-01-31'] : ['2024-01-31', '2024-02-29'],
        ],
      ] as const,
      (_, codec, received, expected) => {
        const encode = (values: unknown): unknown => unrestricted<t.Mixed>(codec).encode(values)
        assert.equal(E.map(encode)(codec.decode(received)), E.right(expected))
        for (const [, backEnd] of backEnds)
          assert.equal(
            E.map(encode)(compileCodec(codec, 'drop', backEnd).decode(received)),
            E.right(expected),
          )
      },
    )
})
