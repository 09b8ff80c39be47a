import * as fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as RedosCheck from '../../src/regex-safety/redos-check.ts'
import { describe, law, table } from '../support/describe.ts'
import { expressions, partsOf, steps, write } from './counting-matcher.ts'
import { unicodeString } from '../support/unicode-string.ts'

const tagOf = (source: string): string =>
  pipe(
    RedosCheck.checkTemplate(source),
    O.match(
      () => 'safe',
      ({ _tag }) => _tag,
    ),
  )

describe('RedosCheck.checkTemplate: safe expressions', (test) => {
  table(
    test,
    [
      [''],
      ['.*'],
      ['\\d+'],
      ['[0-9]{4}'],
      ['\\d{4}-\\d{2}-\\d{2}'],
      ['[1-9]\\d*|0'],
      ['-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?'],
      ['[a-z]+(-[a-z]+)*'],
      ['[a-z]+(?:-[a-z0-9]+)*'],
      ['[a-z0-9]+(?:[-_.][a-z0-9]+)*'],
      ['[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'], // UUID
      ['[0-7][0-9A-HJKMNP-TV-Z]{25}'], // ULID
      ['[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?'], // IBAN, in groups of four
      ['[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\\d{3}))?'], // language tag
      ['(?:0|[1-9]\\d*)(?:\\.(?:0|[1-9]\\d*)){2}(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?'], // version
      ['(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.|$)){4}'], // IPv4
      ['(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}'], // IPv6
      ['(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}'], // domain name
      ['[\\w.%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}'], // mail address
      ['https?:\\/\\/[^\\s\\/?#]+(?:\\/[^\\s?#]*)?(?:\\?[^\\s#]*)?'],
      ['[A-Za-z0-9+\\/]*={0,2}'],
      ['(?:[A-Za-z0-9+\\/]{4})*(?:[A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=)?'], // Base64
      ['[^/]+\\.(?:png|jpg)'],
      ['.+\\.(?:tar\\.)?gz'],
      ['.+/.+'],
      ['.*.*'], // the second power of at most 1,024 characters
      ['[^]+?-[^]+?-[^]+?'], // as for /{a}-{b}-{c}: every rest matches
      ['(?=.{1,100}$)\\w+\\w+\\w+x'], // bounded by a lookahead
      ['[^/]+(?:/[^/]+)*'],
      ['(?:[^"\\\\]|\\\\.)*'],
      ['"(?:[^"\\\\]|\\\\.)*"(?:,"(?:[^"\\\\]|\\\\.)*")*'],
      ['(?:foo|bar)+'],
      ['(ab|cd)*'],
      ['(ab|ac)*'], // one way each, despite the common prefix
      ['(?:a|b)*'],
      ['(?:a*b)*'],
      ['(?:a+b+)*'],
      ['(\\w+\\s)*\\w+'],
      ['([0-9]{2}:)+[0-9]{2}'],
      ['(\\d{3})+'],
      ['(?:[A-F0-9]{32},?)+'],
      ['(?:[a-z]{1,1000}-)*'], // too many iterations to unroll
      ['(a?)*'], // empty iterations are abandoned
      ['(a?)+'],
      ['(?:a?){0,30}'],
      ['(?:^|\\b)*'],
      ['(?:\\b){1,1000000}'],
      ['(?:[]a|b)*'], // [] matches nothing
      ['(?:(?!ab)[ab]c)*'],
      ['(?<year>\\d{4})(?:-(?<month>\\d{2}))?'],
      ['(?:\\p{Lu}\\p{Ll}+)+'],
      ['(?:😀|😁)*'],
      ['a*/a*/a*/a*'], // four loops without common texts
      ['(?:a*x|a*y|a*z|a*w)'],
      ['(?:a|a){3}'], // eight ways at most
    ] as const,
    (source) => assert.is(tagOf(source), 'safe'),
  )
})

describe('RedosCheck.checkTemplate: exponential expressions', (test) => {
  table(
    test,
    [
      ['(\\d+)+', '(\\d+)+'],
      ['(a*)*', '(a*)*'],
      ['(a*)*?', '(a*)*?'],
      ['(.*)*', '(.*)*'],
      ['(?:.+)+x', '(?:.+)+'],
      ['([a-zA-Z]+)*', '([a-zA-Z]+)*'],
      ['(a|a)*', '(a|a)*'],
      ['(a|aa)+', '(a|aa)+'],
      ['(a|a?)+', '(a|a?)+'],
      ['(?:a|b|ab)*c', '(?:a|b|ab)*'],
      ['(?:ab|aba|b)*', '(?:ab|aba|b)*'],
      ['(?:a?b?)*', '(?:a?b?)*'],
      ['(?:a(?:|))*', '(?:a(?:|))*'],
      ['(?:(?:a?)+b)*', '(?:(?:a?)+b)*'], // the first iteration of a?+ may be empty
      ['(x+x+)+y', '(x+x+)+'],
      ['(\\d|\\w)+', '(\\d|\\w)+'],
      ['(?:.|\\s)*', '(?:.|\\s)*'],
      ['(?:[^a]|[^b])*', '(?:[^a]|[^b])*'],
      ['(\\s*\\w+\\s*)+', '(\\s*\\w+\\s*)+'],
      ['(?:\\w+\\s?)*', '(?:\\w+\\s?)*'],
      ['(?:\\s*\\S+)*', '(?:\\s*\\S+)*'],
      ['(?:[a-z]+-?)+', '(?:[a-z]+-?)+'],
      ['^(([a-z])+.)+[A-Z]([a-z])+$', '(([a-z])+.)+'],
      ['([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*@[a-z0-9]+', '(([\\-.]|[_]+)?([a-zA-Z0-9]+))*'],
      ['(https?:\\/\\/)?([\\da-z.-]+)\\.([a-z.]{2,6})([\\/\\w .-]*)*\\/?', '([\\/\\w .-]*)*'],
      ['D[oD]?(\\[[^\\[\\]]*\\]|\\s+)+MMMM?', '(\\[[^\\[\\]]*\\]|\\s+)+'],
      ['(?:x(\\d+)+y)*z', '(\\d+)+'], // the innermost of several
      ['(?:\\d{1,3})*', '(?:\\d{1,3})*'],
      ['(?:[a-z]{1,1000})*', '(?:[a-z]{1,1000})*'],
      ['(?:\\d{1,3}){1,20}', '(?:\\d{1,3}){1,20}'], // bounded, by 3²⁰
      ['(?:a|a){11}', '(?:a|a){11}'],
      ['(?:(?:a|a){3}){4}', '(?:a|a){3}'],
      ['(?:a?){30}', '(?:a?){30}'], // required iterations may be empty
      ['(?:a?){20,}', '(?:a?){20,}'],
      ['(?=(a+)+b)c', '(a+)+'],
      ['(?<!(a+)+b)c', '(a+)+'],
      ['(?:[]|a|a)*', '(?:[]|a|a)*'],
      ['(?:\\p{L}|\\p{Lu})*', '(?:\\p{L}|\\p{Lu})*'],
      ['(?:\\p{Script=Deseret}|\\p{L})*', '(?:\\p{Script=Deseret}|\\p{L})*'],
      ['(?:[\\u{1f600}-\\u{1f610}]|😀)*', '(?:[\\u{1f600}-\\u{1f610}]|😀)*'],
      ['(?:\\s|[\\u2000-\\u2001])*', '(?:\\s|[\\u2000-\\u2001])*'],
    ] as const,
    (source, part) =>
      pipe(
        RedosCheck.checkTemplate(source),
        O.match(
          () => assert.unreachable('reported as safe'),
          (found) => assert.is(found._tag === 'Exponential' ? found.part : found._tag, part),
        ),
      ),
  )
})

describe('RedosCheck.checkTemplate: other expressions', (test) => {
  table(
    test,
    [
      ['.*.*.*', { _tag: 'Polynomial', degree: 3 }],
      ['\\d+\\d+\\d+x', { _tag: 'Polynomial', degree: 3 }],
      ['\\d{1,900}\\d{1,900}\\d{1,900}', { _tag: 'Polynomial', degree: 3 }],
      ['.*.*.*.*x', { _tag: 'Polynomial', degree: 4 }],
      ['[^/]+-[^/]+-[^/]+-[^/]+-[^/]+', { _tag: 'Polynomial', degree: 5 }],
      ['(?:ab)*(?:ab)*(?:ab)*(?:ab)*', { _tag: 'Polynomial', degree: 4 }],
      ['(?:a*){4}', { _tag: 'Polynomial', degree: 4 }],
      ['a*a*b*b*a*a*', { _tag: 'Polynomial', degree: 4 }], // three pairs with common texts, with and without the b
      ['(?=.*.*.*.*x).', { _tag: 'Polynomial', degree: 4 }],
      ['(a)\\1', { _tag: 'Backreference', part: '\\1' }],
      ['(?<x>a)\\k<x>', { _tag: 'Backreference', part: '\\k<x>' }],
    ] as const,
    (source, expected) => assert.equal(RedosCheck.checkTemplate(source), O.some(expected)),
  )
  table(
    test,
    [
      ['('],
      ['a)|(b'],
      ['*'],
      ['[b-a]'],
      ['a{2,1}'],
      ['\\'],
      ['(?<a>.)(?<a>.)'],
      ['(?i:a)*'],
    ] as const,
    (source) => assert.is(tagOf(source), 'Syntax'),
  )
})

describe('RedosCheck.format', (test) => {
  table(
    test,
    [
      [
        '(\\d+)+',
        '(\\d+)+ can match a string such as "00" in more than one way, so each repetition of the string can double the matching time',
      ],
      [
        '.*.*.*.*',
        '4 quantifiers can match the same text, so the matching time can be proportional to the string length raised to the power of 4',
      ],
      [
        '(a)\\1',
        '\\1 refers to a capturing group, and capturing groups are renumbered when the template is compiled',
      ],
      ['(', 'Invalid regular expression: /(/u: Unterminated group'],
    ] as const,
    (source, expected) =>
      assert.equal(
        pipe(RedosCheck.checkTemplate(source), O.map(RedosCheck.format)),
        O.some(expected),
      ),
  )
})

describe('RedosCheck.checkTemplate compared with a matcher that counts its steps', (test) => {
  const pumps = ['a', 'b', 'ab', 'aab', 'abb']
  const limit = 2_000_000
  law(
    test,
    'doubling the text takes a safe expression at most about eight times the steps',
    expressions,
    (e) => {
      if (tagOf(write(e)) !== 'safe') return
      for (const pump of pumps) {
        const [once, twice] = [24, 48].map((length) =>
          steps(e, `${pump.repeat(length / pump.length)}!`, limit),
        )
        assert.ok(
          twice !== undefined && once !== undefined && twice < 12 * once + 100,
          `${pump}: ${once}, ${twice}`,
        )
      }
    },
  )
  law(
    test,
    'each repetition of the pump doubles the steps of the reported part',
    expressions,
    (e) => {
      const found = RedosCheck.checkTemplate(write(e))
      if (O.isNone(found) || found.value._tag !== 'Exponential') return
      const { part, pump } = found.value
      const reported = partsOf(e).find((subexpression) => write(subexpression) === part)
      assert.ok(reported !== undefined, part)
      assert.ok(steps(reported, `${pump.repeat(14)}!`, limit) > 2 ** 14, `${part} ${pump}`)
    },
  )
})

describe('RedosCheck.checkTemplate with arbitrary text', (test) => {
  const texts = fc.oneof(
    unicodeString,
    fc.string({
      unit: fc.constantFrom(...Array.from('ab01()[]{}*+?|\\^$.,-dwsbpLku<>=!:')),
      maxLength: 30,
    }),
  )
  law(test, 'reports a syntax error if the engine rejects the expression', texts, (source) => {
    const tag = tagOf(source)
    try {
      assert.instance(new RegExp(source, 'u'), RegExp)
    } catch {
      assert.is(tag, 'Syntax')
    }
  })
})
