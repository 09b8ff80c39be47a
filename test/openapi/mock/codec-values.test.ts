import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as fc from 'fast-check'
import type { Codec } from '../../../src/codec/codec.ts'
import {
  bigint,
  decimal,
  between,
  date,
  duration,
  enumOf,
  instant,
  int,
  length,
  list,
  nullable,
  offsetDateTime,
  offsetTime,
  optional,
  pattern,
  plainDate,
  plainDateTime,
  plainTime,
  separated,
  set,
  sortedSet,
  string,
  strict,
  uuid,
  withDefault,
  year,
  yearMonth,
  zonedDateTime,
  described,
  named,
  withSchema,
  boolean,
  number,
  encoded,
} from '../../../src/index.ts'
import type { KnownMembers } from '../../../src/openapi/mock/codec-values.ts'
import { valuesOf, valuesOfSchema } from '../../../src/openapi/mock/codec-values.ts'
import { random } from '../../../src/openapi/mock/random.ts'
import { describe, repetitions, table } from '../../support/describe.ts'
import { hex, sample } from '../../support/sample.ts'

const seeds: ReadonlyArray<number> = Array.from({ length: 25 }, (_, seed) => seed)

interface Tree {
  readonly label: string
  readonly children: ReadonlyArray<Tree>
}
const Tree: t.Type<Tree> = t.recursion('Tree', () =>
  t.type({ label: t.string, children: t.readonlyArray(Tree) }),
)

interface Chain {
  readonly next: Chain | null
}
const Chain: t.Type<Chain> = t.recursion('Chain', () => t.type({ next: t.union([Chain, t.null]) }))

interface Endless {
  readonly next: Endless
}
const Endless: t.Type<Endless> = t.recursion('Endless', () => t.type({ next: Endless }))

const Shape = t.union([
  t.type({ kind: t.literal('circle'), radius: t.number }),
  t.type({ kind: t.literal('square'), side: t.number }),
])

interface PositiveBrand {
  readonly Positive: unique symbol
}
const Positive = t.brand(
  t.number,
  (value): value is t.Branded<number, PositiveBrand> => value > 0,
  'Positive',
)

/** Whether the name of a codec shows that it contains the opaque codec of `sample`. */
const containsHex = ({ name }: Codec): boolean => name.includes(hex.name)

describe('valuesOf', (test) => {
  table<readonly [name: string, codec: Codec]>(
    test,
    [
      ['t.string', t.string],
      ['t.number', t.number],
      ['t.boolean', t.boolean],
      ['t.null', t.null],
      ['t.unknown', t.unknown],
      ['t.UnknownRecord', t.UnknownRecord],
      ['t.UnknownArray', t.UnknownArray],
      ['string', string],
      ['int', int],
      ['number', number],
      ['boolean', boolean],
      ['bigint', bigint],
      ['decimal', decimal],
      ['uuid', uuid],
      ['enumOf("a", 1)', enumOf('a', 1)],
      ['between(3, 4)(int)', between(3, 4)(int)],
      ['length(2, 3)(string)', length(2, 3)(string)],
      ['pattern(/^[A-Z]{3}-\\d+$/)(string)', pattern(/^[A-Z]{3}-\d+$/)(string)],
      ['instant', instant],
      ['plainDate', plainDate],
      ['plainTime', plainTime],
      ['plainDateTime', plainDateTime],
      ['zonedDateTime', zonedDateTime],
      ['offsetDateTime', offsetDateTime],
      ['offsetTime', offsetTime],
      ['year', year],
      ['yearMonth', yearMonth],
      ['duration', duration],
      ['date', date],
      ['optional(int)', optional(int)],
      ['nullable(int)', nullable(int)],
      ['withDefault(int, 3)', withDefault(int, 3)],
      ['list(int)', list(int)],
      ['set(enumOf("a", "b", "c"))', set(enumOf('a', 'b', 'c'))],
      ['sortedSet(int)', sortedSet(int)],
      ['separated(",")(list(int))', separated(',')(list(int))],
      ['encoded(string)', encoded(string)],
      [
        't.type({ a: int, b: t.array(t.type({ c: instant })) }, "Nested")',
        t.type({ a: int, b: t.array(t.type({ c: instant })) }, 'Nested'),
      ],
      ['t.partial({ a: int })', t.partial({ a: int })],
      ['t.exact(t.type({ a: int }))', t.exact(t.type({ a: int }))],
      ['strict(t.type({ a: int }))', strict(t.type({ a: int }))],
      ['t.readonly(t.type({ a: int }))', t.readonly(t.type({ a: int }))],
      ['t.tuple([t.string, int])', t.tuple([t.string, int])],
      ['t.record(t.string, int)', t.record(t.string, int)],
      [
        't.record(t.keyof({ a: null, b: null }), int)',
        t.record(t.keyof({ a: null, b: null }), int),
      ],
      [
        't.intersection([t.type({ a: int }), t.partial({ b: string })])',
        t.intersection([t.type({ a: int }), t.partial({ b: string })]),
      ],
      ['Shape', Shape],
      [
        't.intersection([Shape, t.type({ id: int })])',
        t.intersection([Shape, t.type({ id: int })]),
      ],
      ['Positive', Positive],
      [
        't.refinement(t.number, (value) => value > 500)',
        t.refinement(t.number, (value) => value > 500),
      ],
      ['Tree', Tree],
      ['Chain', Chain],
      [
        'named("Names")(t.array(described("A name.", { examples: ["Ada"] })(t.string)))',
        named('Names')(t.array(described('A name.', { examples: ['Ada'] })(t.string))),
      ],
      [
        'withSchema({ type: "string", pattern: "^[a-f]+$" })(hex)',
        withSchema({ type: 'string', pattern: '^[a-f]+$' })(hex),
      ],
      ['hex', hex],
      ['t.type({ hex })', t.type({ hex })],
    ],
    (_, codec) => {
      const generate = valuesOf(codec)
      for (const seed of seeds) {
        const generated = generate(random(seed))
        assert.ok(generated !== undefined, `seed ${seed}`)
        assert.ok(codec.is(generated.value), JSON.stringify(generated.json))
        assert.is(codec.decode(generated.json)._tag, 'Right')
        assert.equal(generate(random(seed))?.json, generated.json)
      }
    },
  )
  test('a codec without finite values has no value', () =>
    assert.is(valuesOf(Endless)(random(0)), undefined))
  test('a codec of values that JSON cannot represent has no value', () =>
    assert.is(valuesOf(t.bigint)(random(0)), undefined))
  test('a codec that accepts no generated value has no value', () =>
    assert.is(valuesOf(t.refinement(t.string, () => false))(random(0)), undefined))
  test('arbitrary codecs decode the generated values', () =>
    fc.assert(
      fc.property(sample, fc.nat(), ({ codec }, seed) => {
        fc.pre(!containsHex(codec))
        const generated = valuesOf(codec)(random(seed))
        assert.ok(generated !== undefined)
        assert.ok(codec.is(generated.value))
      }),
      { numRuns: repetitions(30, 3000) },
    ))
})

describe('valuesOfSchema', (test) => {
  const Book = t.type({ id: int, title: length(1, 5)(string) })
  const generate = valuesOfSchema(
    Book,
    {
      type: 'object',
      required: ['id', 'title'],
      properties: {
        id: { type: 'integer' },
        title: { type: 'string', maxLength: 5, minLength: 1 },
      },
    },
    {},
  )
  table<readonly [known: KnownMembers, expected: object]>(
    test,
    [
      [new Map([['id', [4]]]), { id: 4 }],
      [new Map([['id', ['four', 4]]]), { id: 4 }],
      [new Map([['title', ['Emma']]]), { title: 'Emma' }],
      [
        new Map<string, ReadonlyArray<string | number>>([
          ['title', ['Emma']],
          ['id', [3]],
        ]),
        { id: 3, title: 'Emma' },
      ],
    ],
    (known, expected) => {
      const json = generate(random(0), known)?.json
      assert.equal(json, { ...Object(generate(random(0))?.json), ...expected })
    },
  )
  table<readonly [known: KnownMembers]>(
    test,
    [
      [new Map([['id', ['four']]])],
      [new Map([['title', ['too long']]])],
      [new Map([['other', [1]]])],
    ],
    (known) => assert.equal(generate(random(0), known)?.json, generate(random(0))?.json),
  )
})
