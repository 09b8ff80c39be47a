/** Readers of elements: unions, validation errors and their cost. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { strict, int, list, optional } from '../../../src/index.ts'
import { xmlAttribute, xmlContext, xmlElement, xmlElementWrapper } from '../../../src/xml.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { describe, table } from '../../support/describe.ts'

const assertFast = (run: () => unknown): void => {
  const begin = cpuTime()
  run()
  assert.ok(cpuTime() - begin < 5000)
}

const bare = { declaration: false }
const A = t.type({ a: int })
const B = t.type({ b: int })

/** A recursive union whose alternatives all match every element, so that a naive choice takes exponential time. */
const Deep: t.Type<unknown, unknown> = t.recursion('Deep', (self: t.Mixed) =>
  t.union([
    t.type({ a: optional(self) }),
    t.type({ a: optional(self), b: optional(int) }),
    t.record(t.string, self),
  ]),
)

describe('elements of records with literal keys', (test) => {
  const keys = t.keyof({ a: null, b: null })
  table(
    test,
    [
      [
        'have the keys as names, in the order of the value',
        t.record(keys, xmlElement('x')(int), 'It'),
        { b: 1, a: 2 },
        '<it><b>1</b><a>2</a></it>',
      ],
      [
        'in an intersection are those of members',
        t.intersection([t.record(keys, int), t.type({ c: int })], 'It'),
        { a: 1, b: 2, c: 3 },
        '<it><a>1</a><b>2</b><c>3</c></it>',
      ],
    ] as const,
    (_, codec, value, text) => {
      const context = xmlContext([codec as t.Mixed], bare)
      assert.is(context.write(value), text)
      assert.equal(context.read(text), E.right(value))
    },
  )
})

describe('elements of unions', (test) => {
  table(
    test,
    [
      ['alternatives with the same name', t.type({ it: t.union([A, B]) }, 'It'), { it: { b: 1 } }],
      [
        'alternatives with different names',
        t.type({ it: t.union([xmlElement('x')(A), xmlElement('y')(B)]) }, 'It'),
        { it: { b: 1 } },
      ],
      [
        'alternatives in a record use the key as the name',
        t.record(t.string, t.union([xmlElement('x')(A), xmlElement('y')(B)]), 'It'),
        { one: { a: 1 }, two: { b: 1 } },
      ],
      [
        'a tagged union in another union',
        t.type(
          {
            it: t.union([
              t.union([
                t.type({ kind: t.literal('x'), a: int }),
                t.type({ kind: t.literal('x'), b: int }),
              ]),
              t.type({ kind: t.literal('y') }),
            ]),
          },
          'It',
        ),
        { it: { kind: 'x', b: 1 } },
      ],
    ] as const,
    (_, codec, value) => {
      const context = xmlContext([codec as t.Mixed], bare)
      assert.equal(context.read(context.write(value)), E.right(value))
    },
  )
  test('nested unions try each alternative once', () => {
    const depth = 90
    const text = `<deep>${'<a>'.repeat(depth)}<z>x</z>${'</a>'.repeat(depth)}</deep>`
    const context = xmlContext([strict(Deep)], bare)
    assertFast(() => assert.ok(E.isLeft(context.read(text))))
  })
})

describe('validation errors of elements', (test) => {
  const It = t.type({ of: t.record(t.string, list(int)), by: optional(int) }, 'It')
  table(
    test,
    [
      [
        'errors in a record have a path',
        It,
        '<it><of><a>1</a><a><b/></a></of></it>',
        [
          ['/it/of/a[2]', 'must be a single value without child elements'],
          ['/it/of/a[2]', 'must be an integer'],
        ],
      ],
      [
        'a key that could modify a prototype is an error',
        It,
        '<it><of><__proto__>1</__proto__></of></it>',
        [['/it/of/__proto__', 'has a forbidden name']],
      ],
      [
        'a duplicate element is an error',
        It,
        '<it><of/><by>1</by><by>2</by></it>',
        [['/it/by[2]', 'occurs more than once']],
      ],
      [
        'character data and attributes in a record are errors',
        strict(It),
        '<it><of c="d">x</of></it>',
        [
          ['/it/of/@c', 'is not declared'],
          ['/it/of', 'character data is not declared'],
        ],
      ],
      [
        'an undeclared element in a union that is the root element is an error',
        strict(t.union([It, t.type({ a: t.string }, 'Other')])),
        '<other><a>x</a><b/></other>',
        [['/other/b', 'is not declared']],
      ],
      [
        'character data and attributes in a wrapper are errors',
        strict(t.type({ all: xmlElementWrapper('all', 'one')(list(int)) }, 'It')),
        '<it><all c="d">x<one>1</one><two/></all></it>',
        [
          ['/it/all/two', 'is not declared'],
          ['/it/all/@c', 'is not declared'],
          ['/it/all', 'character data is not declared'],
        ],
      ],
      [
        'white space, xml: and xsi: attributes are accepted',
        strict(t.type({ all: xmlElementWrapper('all', 'one')(list(int)) }, 'It')),
        '<it xml:lang="en" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="it"><all>\n<one>x</one>\n</all></it>',
        [['/it/all/one[1]', 'must be an integer']],
      ],
    ] as const,
    (_, codec, text, expected) => {
      const read = xmlContext([codec as t.Mixed], bare).read(text)
      const errors = E.isLeft(read) ? read.left.map(({ path, message }) => [path, message]) : []
      assert.equal(errors, expected)
    },
  )
  test('at most 1,000 errors are reported, within the time limit', () => {
    const Flooded = strict(t.type({ a: xmlAttribute()(int), u: t.union([A, B]) }, 'It'))
    const inside = '<b>1</b>'.repeat(200_000)
    assertFast(() => {
      const read = xmlContext([Flooded], bare).read(`<it a="1"><u>${inside}</u>${inside}</it>`)
      // plus the errors of the codec
      assert.ok(E.isLeft(read) && read.left.length >= 1000 && read.left.length < 1010)
    })
  })
})
