import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Path from '../../src/http/path.ts'
import * as PathText from '../../src/http/indexed-path.ts'
import { describe, law, table } from '../support/describe.ts'

/** The segments as they are met from position to position. */
const segmentsOf = (
  path: string,
): ReadonlyArray<readonly [text: string, raw: string]> | undefined => {
  const text = PathText.of(path)
  if (text === undefined) return undefined
  const segments: Array<readonly [string, string]> = []
  for (let at = PathText.start; at < PathText.end(text); at = PathText.next(text, at)) {
    const next = PathText.next(text, at)
    segments.push([PathText.text(text, at, next), PathText.raw(text, at, next)])
  }
  return segments
}

describe('PathText', (test) => {
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
      ['/a;%zz', [['a', 'a']]], // parameters are decoded by those who want them
      ['/a/%zz', undefined],
      ['/%C3/%A9', undefined], // each segment by itself
    ] as const,
    (path, expected) => assert.equal(segmentsOf(path), expected),
  )
  test('several segments are one text', () => {
    const text = PathText.of('/%61/b%2F/c;d/e')
    assert.ok(text !== undefined)
    assert.is(PathText.text(text, PathText.start, PathText.end(text)), 'a/b//c/e')
    assert.is(PathText.raw(text, PathText.start, PathText.end(text)), '%61/b%2F/c/e')
    assert.is(
      PathText.text(text, PathText.next(text, PathText.start), PathText.end(text)),
      'b//c/e',
    )
  })

  law(
    test,
    'has the segments of Path.split',
    fc.string({ unit: fc.constantFrom('/', ';', '%', '%2F', '%C3%A9', '%zz', '2', 'F', '=', '.') }),
    (text) =>
      assert.equal(
        segmentsOf(`/${text}`),
        Path.split(`/${text}`)?.map((segment) => [segment.text, segment.raw]),
      ),
  )
})
