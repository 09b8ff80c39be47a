import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as JsonPointer from '../../src/http/json-pointer.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'

// RFC 6901, 4: how a pointer is evaluated
const segmentsOf = (fragment: string): ReadonlyArray<string> =>
  decodeURIComponent(fragment.slice(1))
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

describe('JsonPointer.format', (test) => {
  table(
    test,
    [
      ['#', []], // RFC 6901, 6: the table
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
      ['#/~01', ['~1']], // 4: `~0` is written before `~1`
      ['#/a~1b/%C3%A9', ['a/b', 'é']],
      ['#/%F0%9F%8C%B3', ['🌳']],
      ['#/%EF%BF%BD', ['\ud83c']], // half of a pair
      ['#/%23', ['#']],
      ['#/%5B0%5D', ['[0]']],
      ["#/?:@!$&'()*+,;=-._~0", ["?:@!$&'()*+,;=-._~"]], // RFC 3986, 3.5: a fragment holds these
      ['#//', ['', '']],
    ] as const,
    (expected, segments) => assert.is(JsonPointer.format(segments), expected),
  )

  law(test, 'is a URI fragment', fc.array(fc.string({ unit: 'binary' })), (segments) =>
    assert.match(JsonPointer.format(segments), /^#(?:[\w\-.~!$&'()*+,;=:@/?]|%[\dA-F]{2})*$/),
  )

  roundTrip(
    test,
    fc.array(fc.string({ unit: 'grapheme' })),
    JsonPointer.format,
    segmentsOf,
    (actual, segments) => assert.equal(actual, segments),
  )
})
