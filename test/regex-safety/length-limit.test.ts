import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as RedosCheck from '../../src/regex-safety/redos-check.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { describe, law, table } from '../support/describe.ts'
import { linear, polynomial } from './everyday-expressions.ts'

const tagOf = (expression: RegExp): string =>
  O.match(
    () => 'none',
    ({ _tag }: RedosCheck.RegexDiagnostic) => _tag,
  )(RedosCheck.lengthLimit(expression).diagnostic)

/** Five times the documented limit, for slow machines. With a limit for the wrong degree, matching takes over a hundred times as long. */
const maxTime = 50

/** The minimum CPU time of several runs. The first one runs bytecode. */
const timeOf = (source: string, flags: string, text: string): number =>
  Math.min(
    ...[0, 1, 2].map((run) => {
      const fresh = new RegExp(`${source}(?:){${run + 1}}`, flags)
      const start = cpuTime()
      fresh.test(text)
      return cpuTime() - start
    }),
  )

describe('RedosCheck.lengthLimit for linear expressions', (test) => {
  table(
    test,
    linear.map((expression): [string, RegExp] => [String(expression), expression]),
    (_, expression) => assert.is(RedosCheck.lengthLimit(expression).maxLength, Infinity),
  )
})

describe('RedosCheck.lengthLimit for polynomial expressions', (test) => {
  for (const [expression, degree, worst] of polynomial) {
    const limit = RedosCheck.lengthLimit(expression)
    test(`${String(expression)} is reported with degree ${degree}`, () =>
      assert.equal(limit.diagnostic, O.some({ _tag: 'Polynomial', degree })))
    test(`${String(expression)} is fast at its limit`, () => {
      assert.ok(limit.maxLength > 50 && limit.maxLength < 3000, String(limit.maxLength))
      const taken = timeOf(expression.source, expression.flags, worst(limit.maxLength))
      assert.ok(taken < maxTime, `${taken} ms for ${limit.maxLength} characters`)
    })
  }
  test('an expression that is tested several times has a lower limit', () => {
    const once = RedosCheck.lengthLimit(/^\d+\d+x$/).maxLength
    const often = RedosCheck.lengthLimit(/^\d+\d+x$/, 100).maxLength
    assert.ok(often < once / 5 && often > once / 20, `${once}, ${often}`)
  })
})

describe('RedosCheck.lengthLimit for other expressions', (test) => {
  table(
    test,
    [
      ['^(a+)+$', '', 'Exponential'],
      ['(\\-+)+x', '', 'Exponential'], // an escape that is invalid with the flag u
      ['^(?:a|A)+$', 'i', 'Exponential'],
      ['^(?:\\w|k)+$', 'iu', 'Exponential'],
      ['^(?:[\\w--\\d]|a)+$', 'v', 'Exponential'],
      ['^(?:\\S|[^a])*x$', 's', 'Exponential'],
      ['^(?:(a)\\1?)*b$', '', 'Polynomial'], // exponential because of the backreference
      ['^(?:(?=(a+)+b)a)*c$', '', 'Exponential'],
      ['^[\\q{ab|c}a]+$', 'v', 'Unsupported'],
      ['^\\p{RGI_Emoji}+$', 'v', 'Unsupported'],
      ['(?<=a+)b+', '', 'Unsupported'],
      ['(?<=(\\w)\\1)b+', '', 'Unsupported'],
      ['(?<!ab?)c+', '', 'Polynomial'],
      ['(?<=^|,)[^,]*(?=,|$)', '', 'Polynomial'], // lookbehinds are assumed to hold
    ] as const,
    (source, flags, tag) => assert.is(tagOf(new RegExp(source, flags)), tag),
  )
  test('the analysis of a large expression is bounded', () => {
    const hostile = [
      '(?:[ab]?[bc]?[cd]?)'.repeat(200),
      `.*a${'[ab]'.repeat(200)}`,
      '(?:a{1,100}b?){1,100}c',
      '(?:|a)'.repeat(30),
      '((((a?){9}){9}){9}){9}',
      `${'(a|b)'.repeat(3000)}+`,
      `^${'(?=.*a)'.repeat(50)}.*$`,
      '(a)(\\1\\1)(\\2\\2)(\\3\\3)(\\4\\4)(\\5\\5)(\\6\\6)(\\7\\7)(\\8\\8)*',
    ]
    for (const source of hostile) {
      const start = cpuTime()
      RedosCheck.lengthLimit(new RegExp(source))
      const taken = cpuTime() - start
      assert.ok(taken < 3000, `${taken} ms for ${source.slice(0, 40)}`)
    }
  })
})

/** Expressions over a, b and c with all supported syntax. */
const sources: fc.Arbitrary<string> = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { maxDepth: 4, depthSize: 'large', withCrossShrink: true },
    fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\w', '\\W', '\\b', '^', '$'),
    fc.array(tie('source'), { minLength: 2, maxLength: 4 }).map((parts) => parts.join('')),
    fc.array(tie('source'), { minLength: 2, maxLength: 3 }).map((all) => `(?:${all.join('|')})`),
    fc
      .tuple(tie('source'), fc.constantFrom('*', '+', '?', '*?', '+?', '{2}', '{1,3}', '{2,}'))
      .map(([body, quantifier]) => `(?:${body})${quantifier}`),
    fc
      .tuple(fc.constantFrom('(?=', '(?!', '('), tie('source'))
      .map(([start, body]) => `${start}${body})`),
  ),
})).source

const whole = fc
  .tuple(
    fc.constantFrom('^', ''),
    sources,
    fc.constantFrom('$', ''),
    fc.constantFrom('', 'u', 's', 'm'),
  )
  .map(([start, source, end, flags]) => new RegExp(`${start}${source}${end}`, flags))

describe('RedosCheck.lengthLimit for arbitrary expressions', (test) => {
  const pumps = ['a', 'b', 'ab', 'aab', '-', 'a-', '\n', 'a\n']
  const ends = ['', '!', '\n', 'a', '-a']
  law(test, 'a text within the limit takes less than 10 ms', whole, (expression) => {
    const { maxLength } = RedosCheck.lengthLimit(expression)
    const length = Math.min(maxLength, 3000)
    for (const pump of pumps)
      for (const end of ends) {
        const text = pump.repeat(length).slice(0, Math.max(0, length - end.length)) + end
        if (text.length > maxLength) continue
        const start = cpuTime()
        expression.test(text)
        if (cpuTime() - start < maxTime) continue
        const taken = timeOf(expression.source, expression.flags, text)
        assert.ok(taken < maxTime, `${taken} ms for ${text.length} of ${JSON.stringify(pump)}`)
      }
  })
})
