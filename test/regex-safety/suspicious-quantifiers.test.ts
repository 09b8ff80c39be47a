import { RegExpParser, type AST } from '@eslint-community/regexpp'
import * as assert from 'uvu/assert'
import * as Alphabet from '../../src/regex-safety/alphabet.ts'
import * as Quantifiers from '../../src/regex-safety/suspicious-quantifiers.ts'
import { describe, table } from '../support/describe.ts'

const parse = (source: string): AST.Pattern =>
  new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })

describe('Quantifiers.suspiciousQuantifiers', (test) => {
  table(
    test,
    [
      ['a*', []], // no group
      ['(a)?', []],
      ['(a){10}', []],
      ['(a){11}', ['(a){11}']],
      ['(a){0,11}', ['(a){0,11}']],
      ['(?:a)+', ['(?:a)+']],
      ['(?:(?:a)*b)*', ['(?:a)*', '(?:(?:a)*b)*']],
      ['(?:(?:a){3}b){4}', ['(?:a){3}']],
      ['(?:(?:a){3}b)*', ['(?:(?:a){3}b)*']],
      ['(?=(a)*)', ['(a)*']],
    ] as const,
    (source, expected) =>
      assert.equal(
        Quantifiers.suspiciousQuantifiers(parse(source)).map(({ raw }) => raw),
        expected,
      ),
  )
})

describe('Quantifiers.asLoop', (test) => {
  table(
    test,
    [
      ['(?:a)*', 1],
      ['(?:a){20}', 1],
      ['(?:a?){0,20}', 1],
      ['(?:a?){20}', 2], // empty iterations count if iterations are required
      ['(?:a?){20,}', 2],
      ['(?:a?){5,}', 1],
    ] as const,
    (source, ways) => {
      const pattern = parse(source)
      const { read } = Alphabet.of(pattern)
      assert.equal(
        Quantifiers.suspiciousQuantifiers(pattern).map((found) => [
          ...Quantifiers.asLoop(found, read).follow,
        ]),
        [[new Map([[0, ways]])]],
      )
    },
  )
})
