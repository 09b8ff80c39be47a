/** which reader or writer serves an entity, as a table. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Codec } from '../../../src/codec/codec.ts'
import type { Reader } from '../../../src/index.ts'
import { decimal, int, list, optional, priority, reader, string } from '../../../src/index.ts'
import { entityOffers } from '../../../src/body/entity/entity-plan.ts'
import * as MediaType from '../../../src/http/media-type.ts'
import { describe, table } from '../../support/describe.ts'

const Book = t.type({ title: t.string }, 'Book')
const Octets = new t.Type<Uint8Array>(
  'Octets',
  (value): value is Uint8Array => value instanceof Uint8Array,
  (value, context) => (value instanceof Uint8Array ? t.success(value) : t.failure(value, context)),
  t.identity,
)

const parsed = (text: string): MediaType.MediaType => {
  const mediaType = MediaType.parse(text)
  if (O.isNone(mediaType)) throw new Error(text)
  return mediaType.value
}

const names = new Map<Reader, string>()
const named = (name: string, one: Reader): Reader => {
  names.set(one, name)
  return one
}
const by = (
  name: string,
  mediaType: string | readonly [string, ...string[]],
  of?: string | ((codec: { readonly name: string }) => boolean),
  number = 5000,
): Reader =>
  named(
    name,
    pipe(
      reader({ mediaType, read: () => undefined, ...(of === undefined ? {} : { of }) }),
      priority(number),
    ),
  )
const exact = (name: string, mediaType: string, number = 5000): Reader =>
  named(name, pipe(reader({ mediaType, of: Book, read: () => ({ title: '' }) }), priority(number)))

/** Each media type on offer with the name of who serves it. */
const offersOf = (
  codec: Codec,
  within: string,
  levels: ReadonlyArray<ReadonlyArray<Reader>>,
): ReadonlyArray<string> =>
  entityOffers(codec, parsed(within), levels, undefined).map(({ mediaType, format }) => {
    const server =
      format._tag === 'Provider' && format.by._tag === 'Reader' ? names.get(format.by) : format._tag
    return `${MediaType.format(mediaType)} ${server}`
  })

const isBook = ({ name }: { readonly name: string }): boolean => name === 'Book'

describe('R-330: who serves an entity', (test) => {
  table<readonly [string, string, ReadonlyArray<ReadonlyArray<Reader>>, ReadonlyArray<string>]>(
    test,
    [
      ['nobody but the engine', '*/*', [], ['application/json Json']],
      [
        'before the engine',
        '*/*',
        [[by('a', 'text/csv')]],
        ['text/csv a', 'application/json Json'],
      ],
      ['instead of the engine', '*/*', [[by('a', 'application/json')]], ['application/json a']],
      [
        'the nearer tree, even for a wider scope',
        '*/*',
        [[by('near', 'text/csv')], [exact('far', 'text/csv')]],
        ['text/csv near', 'application/json Json'],
      ],
      [
        'the nearer tree, even for a wider media type',
        'text/csv',
        [[by('near', 'text/*')], [by('far', 'text/csv')]],
        ['text/csv near'],
      ],
      [
        'the codec before its name, a question and every codec',
        'text/csv',
        [
          [
            by('any', 'text/csv', undefined, 1),
            by('guard', 'text/csv', isBook, 2),
            by('name', 'text/csv', 'Book', 3),
            exact('codec', 'text/csv', 4),
          ],
        ],
        ['text/csv codec'],
      ],
      [
        'the name before a question and every codec',
        'text/csv',
        [[by('any', 'text/csv'), by('guard', 'text/csv', isBook), by('name', 'text/csv', 'Book')]],
        ['text/csv name'],
      ],
      [
        'a question before every codec',
        'text/csv',
        [[by('any', 'text/csv'), by('guard', 'text/csv', isBook)]],
        ['text/csv guard'],
      ],
      [
        'the codec, even for a wider media type',
        'text/csv',
        [[by('any', 'text/csv'), exact('codec', '*/*')]],
        ['text/csv codec'],
      ],
      [
        'the narrower media type before priority',
        'text/csv',
        [
          [
            by('all', '*/*', undefined, 1),
            by('text', 'text/*', undefined, 2),
            by('csv', 'text/csv'),
          ],
        ],
        ['text/csv csv'],
      ],
      [
        'a type with a parameter before the same without',
        '*/*',
        [[by('plain', 'text/csv', undefined, 1), by('headed', 'text/csv;header=present')]],
        ['text/csv;header=present headed', 'text/csv plain', 'application/json Json'],
      ],
      [
        'a type before the range of all',
        'text/csv',
        [[by('all', '*/*'), by('text', 'text/*')]],
        ['text/csv text'],
      ],
      [
        'the smaller priority before order',
        'text/csv',
        [[by('late', 'text/csv'), by('early', 'text/csv', undefined, 4999)]],
        ['text/csv early'],
      ],
      [
        'the first of equals',
        'text/csv',
        [[by('first', 'text/csv'), by('second', 'text/csv')]],
        ['text/csv first'],
      ],
      [
        'each media type has its own',
        '*/*',
        [[by('a', ['text/csv', 'text/x-a']), by('b', ['text/csv', 'text/x-b'])]],
        ['text/csv a', 'text/x-a a', 'text/x-b b', 'application/json Json'],
      ],
      [
        'a range also serves what others put on offer',
        '*/*',
        [[exact('all', '*/*')]],
        ['*/* all', 'application/json all'],
      ],
      [
        'another codec is not concerned',
        '*/*',
        [[by('a', 'text/csv', 'Loan')]],
        ['application/json Json'],
      ],
      [
        'another question is not concerned',
        '*/*',
        [[by('a', 'text/csv', ({ name }) => name === 'Loan')]],
        ['application/json Json'],
      ],
    ],
    (_, within, levels, expected) => assert.equal(offersOf(Book, within, levels), expected),
  )
})

describe('R-331: media types of readers and writers are honoured', (test) => {
  table<readonly [string, string, string, ReadonlyArray<string>]>(
    test,
    [
      ['what is declared is narrower', 'text/csv', 'text/*', ['text/csv a']],
      ['what is declared is a range', 'text/*', 'text/csv', ['text/csv a']],
      ['both are ranges', 'text/*', '*/*', ['text/* a']],
      ['another media type', 'text/csv', 'text/html', []],
      ['another type', 'text/*', 'image/png', []],
      ['with a parameter', 'text/csv;header=absent', 'text/csv', ['text/csv;header=absent a']],
      ['with another parameter', 'text/csv;header=absent', 'text/csv;header=present', []],
    ],
    (_, within, mediaType, expected) =>
      assert.equal(offersOf(Book, within, [[by('a', mediaType)]]), expected),
  )
})

describe('entities that the engine serves', (test) => {
  table<readonly [string, Codec, string, ReadonlyArray<string>]>(
    test,
    [
      ['a string', string, '*/*', ['text/plain Text', 'application/json Json']],
      ['a number', int, '*/*', ['text/plain Text', 'application/json Json']],
      ['perhaps a number', optional(int), '*/*', ['text/plain Text', 'application/json Json']],
      ['a literal', t.literal('a'), '*/*', ['text/plain Text', 'application/json Json']],
      ['a list', list(int), '*/*', ['application/json Json']],
      ['a codec with a text form of its own', decimal, '*/*', ['application/json Json']],
      ['anything', t.unknown, '*/*', ['application/json Json']],
      ['octets', Octets, '*/*', ['application/octet-stream Bytes']],
      ['octets as an image', Octets, 'image/png', ['image/png Bytes']],
      ['a string as HTML', string, 'text/html', ['text/html Text']],
      ['a string as any text', string, 'text/*', ['text/plain Text']],
      [
        'a book as other JSON',
        Book,
        'application/vnd.book+json',
        ['application/vnd.book+json Json'],
      ],
      ['a book as an image', Book, 'image/*', []],
      ['a book as text', Book, 'text/plain', []],
    ],
    (_, codec, within, expected) => assert.equal(offersOf(codec, within, []), expected),
  )
})
