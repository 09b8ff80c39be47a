import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Accept from '../../src/http/accept.ts'
import * as MediaType from '../../src/http/media-type.ts'
import { describe, table } from '../support/describe.ts'

const preferred = (header: string): ReadonlyArray<string> => {
  const accept = Accept.parse(header)
  return O.isNone(accept) ? ['malformed'] : Accept.preferred(accept.value).map(MediaType.format)
}

describe('Accept.preferred', (test) => {
  table(
    test,
    [
      ['audio/*;q=0.2, audio/basic', ['audio/basic', 'audio/*']], // RFC 9110, 12.5.1
      [
        'text/plain;q=0.5, text/html, text/x-dvi;q=0.8, text/x-c',
        ['text/html', 'text/x-c', 'text/x-dvi', 'text/plain'],
      ],
      ['text/*, text/plain, */*', ['text/*', 'text/plain', '*/*']], // weights alone decide
      ['text/html;level=3;q=0.7, text/html;q=0.7', ['text/html;level=3', 'text/html']],
      ['a/b;q=0, c/d', ['c/d']],
      ['a/b;q=0', []],
      ['invalid, c/d', ['c/d']],
      ['', ['*/*']],
      ['invalid', ['malformed']],
    ] as const,
    (header, expected) => assert.equal(preferred(header), expected),
  )
})
