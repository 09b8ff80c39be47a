import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as MediaType from '../../src/http/media-type.ts'
import type { OfferedVariant } from '../../src/http/variant.ts'
import * as Variant from '../../src/http/variant.ts'
import { describe, table } from '../support/describe.ts'

/** Parses `text/html;qs=0.5 de gzip`: a media type, a language and a content coding, each of which can be `-`. */
const variantOf = (text: string): OfferedVariant => {
  const [type = '-', language = '-', encoding = '-'] = text.split(' ')
  const [mediaType = '', qs = '1'] = type.split(';qs=')
  return {
    mediaType: type === '-' ? undefined : O.toUndefined(MediaType.parse(mediaType)),
    quality: Number(qs) * 1000,
    language: language === '-' ? undefined : language,
    encoding: encoding === '-' ? undefined : encoding,
  }
}

const chosen = (
  [accept, acceptLanguage, acceptEncoding]: ReadonlyArray<string | undefined>,
  variants: ReadonlyArray<string>,
): string | undefined => {
  const headers = { accept, acceptLanguage, acceptEncoding }
  const index = O.toUndefined(Variant.choose(headers, variants.map(variantOf)))
  return index === undefined ? undefined : variants[index]
}

// RFC 9110, 12.1
describe('Variant.choose', (test) => {
  table(
    test,
    [
      ['without headers, the first variant', [], ['- en', '- de'], '- en'],
      ['the preferred language', [undefined, 'de, en;q=0.5'], ['- en', '- de'], '- de'],
      [
        'the earlier of equally preferred languages',
        [undefined, 'de, en'],
        ['- en', '- de'],
        '- de',
      ],
      ['the more specific match', [undefined, 'de'], ['- de-CH', '- de'], '- de'],
      ['a more general language', [undefined, 'de-CH'], ['- en', '- de'], '- de'],
      ['none in an unacceptable language', [undefined, 'fr'], ['- en', '- de'], undefined],
      ['a variant without a language', [undefined, 'fr'], ['- en', '-'], '-'],
      [
        'the preferred media type',
        ['text/html;q=0.5, text/plain'],
        ['text/html', 'text/plain'],
        'text/plain',
      ],
      ['none of an unacceptable media type', ['image/*'], ['text/html'], undefined],
      ['a variant without a media type', ['image/*'], ['text/html', '-'], '-'],
      [
        'the greater server weight among equals',
        ['text/*'],
        ['text/html;qs=0.5', 'text/plain'],
        'text/plain',
      ],
      [
        'the greatest product of the weights',
        ['text/html, text/plain;q=0.8', 'de, en;q=0.5'],
        ['text/html en', 'text/plain de'],
        'text/plain de',
      ],
      [
        'the media type if the products are equal',
        ['text/html, text/plain;q=0.5', 'de, en;q=0.5'],
        ['text/plain de', 'text/html en'],
        'text/html en',
      ],
      [
        'the preferred content coding',
        [undefined, undefined, 'gzip, br;q=0.5'],
        ['- - br', '- - gzip'],
        '- - gzip',
      ],
      ['a listed coding rather than none', [undefined, undefined, 'br'], ['-', '- - br'], '- - br'],
      ['no coding without Accept-Encoding', [], ['- - br', '-'], '-'],
      ['a coding without Accept-Encoding if there is no other variant', [], ['- - br'], '- - br'],
      ['none in an unacceptable coding', [undefined, undefined, 'gzip'], ['- - br'], undefined],
      [
        'none without a coding if identity is excluded',
        [undefined, undefined, 'gzip, identity;q=0'],
        ['-'],
        undefined,
      ],
      [
        'the media type regardless of the coding',
        ['text/html, text/plain;q=0.9', undefined, 'gzip'],
        ['text/html', 'text/plain - gzip'],
        'text/html',
      ],
      [
        'the first variant for malformed headers',
        ['?', '?', '?'],
        ['text/a en', 'text/b de'],
        'text/a en',
      ],
    ] as const,
    (_, headers, variants, expected) => assert.is(chosen(headers, variants), expected),
  )
  test('returns none without variants', () => assert.is(chosen([], []), undefined))
})

describe('Variant.varyingHeaders', (test) => {
  table(
    test,
    [
      ['text/html de gzip', ['Accept', 'Accept-Language', 'Accept-Encoding']],
      ['- de', ['Accept-Language']],
      ['-', []],
    ] as const,
    (text, expected) =>
      assert.equal(Variant.varyingHeaders([variantOf(text), variantOf('-')]), expected),
  )
})
