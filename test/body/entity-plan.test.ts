/** Selection of the readers and writers of an entity. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Codec } from '../../src/codec/codec.ts'
import type { Reader } from '../../src/index.ts'
import { decimal, int, list, optional, priority, reader, string } from '../../src/index.ts'
import { entityOffers } from '../../src/body/entity-plan.ts'
import * as MediaType from '../../src/http/media-type.ts'
import { describe, table } from '../support/describe.ts'

const Book = t.type({ title: t.string }, 'Book')
const Bytes = new t.Type<Uint8Array>(
  'Bytes',
  (value): value is Uint8Array => value instanceof Uint8Array,
  (value, context) => (value instanceof Uint8Array ? t.success(value) : t.failure(value, context)),
  t.identity,
)

const parseMediaType = (text: string): MediaType.MediaType => {
  const mediaType = MediaType.parse(text)
  if (O.isNone(mediaType)) throw new Error(text)
  return mediaType.value
}

const names = new Map<Reader, string>()
const withName = (name: string, provider: Reader): Reader => {
  names.set(provider, name)
  return provider
}
const readerOf = (
  name: string,
  mediaType: string | readonly [string, ...string[]],
  of?: string | ((codec: { readonly name: string }) => boolean),
  order = 5000,
): Reader =>
  withName(
    name,
    pipe(
      reader({ mediaType, read: () => undefined, ...(of === undefined ? {} : { of }) }),
      priority(order),
    ),
  )
const readerOfBook = (name: string, mediaType: string, order = 5000): Reader =>
  withName(
    name,
    pipe(reader({ mediaType, of: Book, read: () => ({ title: '' }) }), priority(order)),
  )

/** Returns the available media types, each with the name of its provider or built-in format. */
const offersOf = (
  codec: Codec,
  range: string,
  levels: ReadonlyArray<ReadonlyArray<Reader>>,
): ReadonlyArray<string> =>
  entityOffers(codec, parseMediaType(range), levels, undefined).map(({ mediaType, format }) => {
    const provider =
      format._tag === 'Provider' && format.by._tag === 'Reader' ? names.get(format.by) : format._tag
    return `${MediaType.format(mediaType)} ${provider}`
  })

const isBook = ({ name }: { readonly name: string }): boolean => name === 'Book'

describe('entityOffers with readers', (test) => {
  table<readonly [string, string, ReadonlyArray<ReadonlyArray<Reader>>, ReadonlyArray<string>]>(
    test,
    [
      ['no reader', '*/*', [], ['application/json Json']],
      [
        'a reader with another media type',
        '*/*',
        [[readerOf('a', 'text/csv')]],
        ['text/csv a', 'application/json Json'],
      ],
      [
        'a reader with a built-in media type',
        '*/*',
        [[readerOf('a', 'application/json')]],
        ['application/json a'],
      ],
      [
        'the inner scope before a more specific codec scope',
        '*/*',
        [[readerOf('near', 'text/csv')], [readerOfBook('far', 'text/csv')]],
        ['text/csv near', 'application/json Json'],
      ],
      [
        'the inner scope before a more specific media type',
        'text/csv',
        [[readerOf('near', 'text/*')], [readerOf('far', 'text/csv')]],
        ['text/csv near'],
      ],
      [
        'the codec before its name, a guard and all codecs',
        'text/csv',
        [
          [
            readerOf('any', 'text/csv', undefined, 1),
            readerOf('guard', 'text/csv', isBook, 2),
            readerOf('name', 'text/csv', 'Book', 3),
            readerOfBook('codec', 'text/csv', 4),
          ],
        ],
        ['text/csv codec'],
      ],
      [
        'the name before a guard and all codecs',
        'text/csv',
        [
          [
            readerOf('any', 'text/csv'),
            readerOf('guard', 'text/csv', isBook),
            readerOf('name', 'text/csv', 'Book'),
          ],
        ],
        ['text/csv name'],
      ],
      [
        'a guard before all codecs',
        'text/csv',
        [[readerOf('any', 'text/csv'), readerOf('guard', 'text/csv', isBook)]],
        ['text/csv guard'],
      ],
      [
        'the codec before a more specific media type',
        'text/csv',
        [[readerOf('any', 'text/csv'), readerOfBook('codec', '*/*')]],
        ['text/csv codec'],
      ],
      [
        'the more specific media type before priority',
        'text/csv',
        [
          [
            readerOf('all', '*/*', undefined, 1),
            readerOf('text', 'text/*', undefined, 2),
            readerOf('csv', 'text/csv'),
          ],
        ],
        ['text/csv csv'],
      ],
      [
        'a media type with a parameter before one without',
        '*/*',
        [
          [
            readerOf('plain', 'text/csv', undefined, 1),
            readerOf('headed', 'text/csv;header=present'),
          ],
        ],
        ['text/csv;header=present headed', 'text/csv plain', 'application/json Json'],
      ],
      [
        'text/* before */*',
        'text/csv',
        [[readerOf('all', '*/*'), readerOf('text', 'text/*')]],
        ['text/csv text'],
      ],
      [
        'the lower priority value before the order of declaration',
        'text/csv',
        [[readerOf('late', 'text/csv'), readerOf('early', 'text/csv', undefined, 4999)]],
        ['text/csv early'],
      ],
      [
        'the first of two equal readers',
        'text/csv',
        [[readerOf('first', 'text/csv'), readerOf('second', 'text/csv')]],
        ['text/csv first'],
      ],
      [
        'one reader per media type',
        '*/*',
        [[readerOf('a', ['text/csv', 'text/x-a']), readerOf('b', ['text/csv', 'text/x-b'])]],
        ['text/csv a', 'text/x-a a', 'text/x-b b', 'application/json Json'],
      ],
      [
        'a media range includes built-in media types',
        '*/*',
        [[readerOfBook('all', '*/*')]],
        ['*/* all', 'application/json all'],
      ],
      [
        'a reader of another codec',
        '*/*',
        [[readerOf('a', 'text/csv', 'Loan')]],
        ['application/json Json'],
      ],
      [
        'a guard that returns false',
        '*/*',
        [[readerOf('a', 'text/csv', ({ name }) => name === 'Loan')]],
        ['application/json Json'],
      ],
    ],
    (_, range, levels, expected) => assert.equal(offersOf(Book, range, levels), expected),
  )
})

describe('entityOffers with declared media types', (test) => {
  table<readonly [string, string, string, ReadonlyArray<string>]>(
    test,
    [
      ['a media type in the range of a reader', 'text/csv', 'text/*', ['text/csv a']],
      ['a range that includes the media type of a reader', 'text/*', 'text/csv', ['text/csv a']],
      ['two ranges', 'text/*', '*/*', ['text/* a']],
      ['another subtype', 'text/csv', 'text/html', []],
      ['another type', 'text/*', 'image/png', []],
      ['a parameter', 'text/csv;header=absent', 'text/csv', ['text/csv;header=absent a']],
      ['another parameter', 'text/csv;header=absent', 'text/csv;header=present', []],
    ],
    (_, range, mediaType, expected) =>
      assert.equal(offersOf(Book, range, [[readerOf('a', mediaType)]]), expected),
  )
})

describe('entityOffers of built-in formats', (test) => {
  table<readonly [string, Codec, string, ReadonlyArray<string>]>(
    test,
    [
      ['a string', string, '*/*', ['text/plain Text', 'application/json Json']],
      ['a number', int, '*/*', ['text/plain Text', 'application/json Json']],
      ['an optional number', optional(int), '*/*', ['text/plain Text', 'application/json Json']],
      ['a literal', t.literal('a'), '*/*', ['text/plain Text', 'application/json Json']],
      ['a list', list(int), '*/*', ['application/json Json']],
      ['a decimal', decimal, '*/*', ['application/json Json']],
      ['unknown', t.unknown, '*/*', ['application/json Json']],
      ['bytes', Bytes, '*/*', ['application/octet-stream Bytes']],
      ['bytes as an image', Bytes, 'image/png', ['image/png Bytes']],
      ['a string as HTML', string, 'text/html', ['text/html Text']],
      ['a string as any text', string, 'text/*', ['text/plain Text']],
      [
        'an object as a JSON type',
        Book,
        'application/vnd.book+json',
        ['application/vnd.book+json Json'],
      ],
      ['an object as an image', Book, 'image/*', []],
      ['an object as text', Book, 'text/plain', []],
    ],
    (_, codec, range, expected) => assert.equal(offersOf(codec, range, []), expected),
  )
})
