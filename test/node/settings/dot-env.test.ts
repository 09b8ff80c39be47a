import * as assert from 'uvu/assert'
import { malformedLines } from '../../../src/node/settings/dot-env.ts'
import { describe, table } from '../../support/describe.ts'

describe('DotEnv.malformedLines', (test) => {
  table(
    test,
    [
      ['', []],
      ['A=1\n\n# a comment\n  # another\nexport B=2\n', []],
      ['A=1\nno variable\nB=2', [2]],
      ['one\r\ntwo\r\nC=', [1, 2]],
      ['A="first\nsecond\nthird"\nnothing', [4]],
      ["A='x\n\ny'\nB=`p\nq`", []],
      ['A = "1" # said\nB', [2]],
    ] as const,
    (text, expected) => assert.equal(malformedLines(text), expected),
  )
})
