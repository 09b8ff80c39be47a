import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Accept from '../../src/http/accept.ts'
import * as MediaType from '../../src/http/media-type.ts'
import { describe, table } from '../support/describe.ts'

const present = <A>(value: O.Option<A>): A => {
  if (O.isNone(value)) throw new Error('none')
  return value.value
}
const accept = (text: string): Accept.Accept => present(Accept.parse(text))
const mediaType = (text: string): MediaType.MediaType => present(MediaType.parse(text))

describe('Accept.concrete', (test) => {
  table(
    test,
    [
      ['text/html', '*/*', O.some('text/html')], // the offer is a media type
      ['text/html;level=1', 'text/*', O.some('text/html;level=1')],
      ['image/png', 'text/html;q=0', O.some('image/png')],
      ['text/*', 'text/css;q=0.5, text/csv;q=0.7, image/png', O.some('text/csv')], // named
      ['text/*', 'text/css, text/csv', O.some('text/css')],
      ['text/*', 'text/css, text/csv;header=present', O.some('text/csv;header=present')],
      ['text/*', 'text/css;charset=latin1;q=0.5', O.some('text/css')],
      ['*/*', 'text/html;q=0.3, */*;q=0.8', O.some('text/html')],
      ['*/*', '*/*', O.some('application/octet-stream')], // Jakarta REST 3.8, step 9
      ['application/*', '*/*', O.some('application/octet-stream')],
      ['*/*', 'application/*', O.some('application/octet-stream')],
      ['*/*', 'text/html;q=0, */*', O.some('application/octet-stream')],
      ['text/*', '*/*', O.some('text/plain')], // RFC 2046, 4.1.4
      ['text/*', 'text/*', O.some('text/plain')],
      ['text/*', 'text/html;q=0, */*', O.some('text/plain')],
      ['text/*', 'text/plain;q=0, */*', O.none],
      ['*/*', 'text/*', O.some('text/plain')],
      ['*/*', 'application/octet-stream;q=0, */*', O.some('text/plain')],
      ['image/*', '*/*', O.none], // the reply sets the type
      ['image/*', 'image/*', O.none],
      ['application/*', 'application/problem+json', O.none], // the type of an error
      ['application/problem+json', 'application/problem+json', O.some('application/problem+json')],
      ['application/*', 'text/html', O.none],
      ['application/*;v=1', '*/*', O.none],
    ] as const,
    (offered, header, expected) =>
      assert.equal(
        pipe(Accept.concrete(accept(header), mediaType(offered)), O.map(MediaType.format)),
        expected,
      ),
  )
})

describe('Accept.namesOnly', (test) => {
  const types = ['application/problem+json', 'application/json', 'text/x'].map(mediaType)
  table(
    test,
    [
      ['application/problem+json', true],
      ['application/problem+json;q=0.1, application/json', true],
      ['application/json;version=1', true],
      ['text/x, text/plain;q=0', true],
      ['text/x;q=0', false],
      ['application/problem+json, text/plain', false],
      ['application/*', false],
      ['*/*', false],
      ['', false],
    ] as const,
    (header, expected) => assert.is(Accept.namesOnly(accept(header), types), expected),
  )
})

describe('Accept.disregard', (test) => {
  table(
    test,
    [
      ['text/x', 'text/plain', 1000],
      ['text/x, text/plain;q=0', 'text/plain', 0],
      ['text/x, text/plain;q=0', 'text/html', 1000],
      ['text/x, */*;q=0', 'text/plain', 0],
    ] as const,
    (header, type, expected) =>
      assert.is(Accept.qualityOf(Accept.disregard(accept(header)), mediaType(type)), expected),
  )
})
