import { RegExpParser } from '@eslint-community/regexpp'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Alphabet from '../../src/regex-safety/alphabet.ts'
import * as Ambiguity from '../../src/regex-safety/ambiguity.ts'
import * as PositionAutomaton from '../../src/regex-safety/position-automaton.ts'
import { describe, table } from '../support/describe.ts'

const made = (
  source: string,
): readonly [PositionAutomaton.PositionAutomaton, Alphabet.Alphabet] => {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
  const alphabet = Alphabet.of(pattern)
  return [PositionAutomaton.ofAlternatives(alphabet.read)(pattern.alternatives), alphabet]
}

describe('Ambiguity.exponentialPump', (test) => {
  table(
    test,
    [
      // the body of a loop, and a text that leads through it in two ways
      ['', O.none],
      ['a', O.none],
      ['a|b', O.none],
      ['ab|ac', O.none],
      ['a*b', O.none],
      ['a+b+', O.none],
      ['a|a', O.some('aa')],
      ['a*', O.some('aa')],
      ['a|b|ab', O.some('aab')],
      ['xa*y?', O.none],
      ['xa*a*y', O.some('xay')],
      ['\\d|[a-f0-3]', O.some('00')],
    ] as const,
    (body, expected) => {
      const [automaton, { letters }] = made(body)
      const text = pipe(
        Ambiguity.exponentialPump(PositionAutomaton.loop(automaton)),
        O.map((some) => some.map((set) => letters[set.toString(2).length - 1]).join('')),
      )
      assert.equal(text, expected)
    },
  )
})

describe('Ambiguity.polynomialDegree', (test) => {
  table(
    test,
    [
      ['ab?', 0],
      ['a*', 1],
      ['a*b*', 1],
      ['a*b*a*', 2], // b* matches the empty text
      ['a*ba*', 1],
      ['a*|a*', 1],
      ['a*a*', 2],
      ['a*a*b*b*', 3],
      ['a*a*a*', 3],
      ['.*,.*', 2], // a sequence of commas
      ['.+/.+/.+/.+', 4],
      ['\\d+-\\d+-\\d+', 1],
      ['(?:ab)*(?:ab)*', 2],
      ['(?:ab)*a(?:ba)*', 2],
      ['(?:ab)*(?:ba)*', 1],
      ['(?:ab)*(?:abab)*', 2],
      ['(?:a|bc)*(?:ad|b)*', 1],
    ] as const,
    (source, degree) => assert.is(Ambiguity.polynomialDegree(made(source)[0]), degree),
  )
})
