import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { portablePattern } from '../../src/regex-safety/portable-pattern.ts'
import { describe, law, table } from '../support/describe.ts'

type Row = readonly [expression: RegExp, expected: string | undefined]

const written: ReadonlyArray<Row> = [
  [/^\d{2,}\w+?$/, '^[0-9]{2,}[0-9A-Z_a-z]+?$'],
  [/[\d-]\D[^\w]/, '[0-9\\-][^0-9][^0-9A-Z_a-z]'],
  [/^(?:a|b)(?:c)(?<year>d)*$/, '^(a|b)c(d)*$'],
  [/a{3}b{0,1}c{0,}d{1,}/, 'a{3}b?c*d+'],
  [new RegExp('\\/\\-\\:\\é'), '/-:é'],
  [new RegExp('[\\]\\^\\-a]'), '[\\]\\^\\-a]'],
  [/a.b/, 'a[^\\n\\r\\u2028\\u2029]b'],
  [/a.b/s, 'a[\\s\\S]b'],
  [/x-[a-f0-9]/i, '[Xx]-[a-fA-F0-9]'],
  [/\t\u00AD/, '\\u0009\\u00AD'],
  [/^(?!0)(?=.{1,3}$)\d+$/, '^(?!0)(?=[^\\n\\r\\u2028\\u2029]{1,3}$)[0-9]+$'],
  [/\p{Lu}\P{L}/u, '[\\p{Lu}][\\P{L}]'],
  [/[🍐]/u, '[🍐]'],
  [/[^]/, '[\\s\\S]'],
  [new RegExp('[]'), '(?!)'],
  [/(a)\1/, undefined],
  [/\ba/, undefined],
  [/(?<=a)b/, undefined],
  [/^a$/m, undefined],
  [/[é-ü]/i, undefined],
  [/[\D]/, undefined],
  [/🍐/, undefined],
  [new RegExp('[a--b]', 'v'), undefined],
]

const parts = ['a', 'B', '\\d', '[b-d]', '[^a]', '\\w', '\\.', '\\-', '.', '(?:a|b)', '(b)', '\\s']
const quantifiers = ['', '', '*', '+?', '{1,2}', '?']

const expression = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...parts), fc.constantFrom(...quantifiers)), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.constantFrom('', 'i', 's', 'u', 'is'),
    fc.boolean(),
  )
  .map(([atoms, flags, isAnchored]) => {
    const source = atoms.map(([part, quantifier]) => part + quantifier).join('')
    return new RegExp(
      isAnchored ? `^${source}$` : source,
      flags.replace('u', source.includes('\\-') ? '' : 'u'),
    )
  })

describe('portablePattern', (test) => {
  table<readonly [string, RegExp, string | undefined]>(
    test,
    written.map(([from, expected]) => [String(from), from, expected] as const),
    (_, from, expected) => assert.is(portablePattern(from), expected),
  )
  law(
    test,
    'matches the same strings',
    fc.tuple(expression, fc.stringMatching(/^[abcBCD1.\-_ \n]{0,5}$/)),
    ([from, text]) => {
      const pattern = portablePattern(from)
      assert.ok(pattern !== undefined, String(from))
      assert.is(new RegExp(pattern ?? '', 'u').test(text), from.test(text), pattern)
    },
  )
})
