import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Path from '../../../src/http/path.ts'
import {
  decodedSegments,
  endPosition,
  firstPosition,
  indexPath,
  nextPosition,
  rawSegments,
} from '../../../src/interpreter/routing/path-matcher.ts'
import { describe, law, table } from '../../support/describe.ts'

/** Returns the decoded and received segments, in the order of their positions. */
const segmentsOf = (
  path: string,
): ReadonlyArray<readonly [text: string, raw: string]> | undefined => {
  const text = indexPath(path)
  if (text === undefined) return undefined
  const segments: Array<readonly [string, string]> = []
  for (let at = firstPosition; at < endPosition(text); at = nextPosition(text, at)) {
    const next = nextPosition(text, at)
    segments.push([decodedSegments(text, at, next), rawSegments(text, at, next)])
  }
  return segments
}

describe('indexPath', (test) => {
  table(
    test,
    [
      ['/', [['', '']]],
      [
        '/users/42',
        [
          ['users', 'users'],
          ['42', '42'],
        ],
      ],
      [
        '/a/',
        [
          ['a', 'a'],
          ['', ''],
        ],
      ],
      [
        '/a;v=1/b;/;c',
        [
          ['a', 'a'],
          ['b', 'b'],
          ['', ''],
        ],
      ], // RFC 3986, 3.3: without parameters
      [
        '/%C3%A9/b',
        [
          ['é', '%C3%A9'],
          ['b', 'b'],
        ],
      ],
      [
        '/a%2Fb/c%3Bd',
        [
          ['a/b', 'a%2Fb'],
          ['c;d', 'c%3Bd'],
        ],
      ], // 2.2: an escaped delimiter is data
      ['/a;%zz', [['a', 'a']]], // parameters are not decoded
      [
        '/a/%zz',
        [
          ['a', 'a'],
          ['%zz', '%zz'],
        ],
      ], // URL Standard, 1.3: no escape
      ['/a/%FF', undefined],
      ['/%C3/%A9', undefined], // each segment is decoded separately
    ] as const,
    (path, expected) => assert.equal(segmentsOf(path), expected),
  )
  test('text and raw return several segments as one text', () => {
    const text = indexPath('/%61/b%2F/c;d/e')
    assert.ok(text !== undefined)
    assert.is(decodedSegments(text, firstPosition, endPosition(text)), 'a/b//c/e')
    assert.is(rawSegments(text, firstPosition, endPosition(text)), '%61/b%2F/c/e')
    assert.is(decodedSegments(text, nextPosition(text, firstPosition), endPosition(text)), 'b//c/e')
  })

  law(
    test,
    'has the same segments as Path.split',
    fc.string({ unit: fc.constantFrom('/', ';', '%', '%2F', '%C3%A9', '%zz', '2', 'F', '=', '.') }),
    (text) =>
      assert.equal(
        segmentsOf(`/${text}`),
        Path.split(`/${text}`)?.map((segment) => [segment.text, segment.raw]),
      ),
  )
})
