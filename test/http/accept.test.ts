import * as fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Accept from '../../src/http/accept.ts'
import * as MediaType from '../../src/http/media-type.ts'
import * as Quality from '../../src/http/quality.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

const present = <A>(value: O.Option<A>): A => {
  if (O.isNone(value)) throw new Error('none')
  return value.value
}
const accept = (text: string): Accept.Accept => present(Accept.parse(text))
const mediaType = (text: string): MediaType.MediaType => present(MediaType.parse(text))

/** `text/html;level=1;qs=0.5`: a media type and, last, the server's weight. */
const offer = (text: string): Accept.Offer => {
  const [type = '', quality = '1'] = text.split(';qs=')
  return { mediaType: mediaType(type), quality: present(Quality.parse(quality)) }
}

const chosen = (header: string, offers: ReadonlyArray<string>): string | undefined =>
  pipe(
    Accept.choose(accept(header), offers.map(offer)),
    O.match(
      () => undefined,
      (index) => offers[index],
    ),
  )

/** Formats members as `range weight`, with the weight in thousandths. */
const shown = (members: Accept.Accept): ReadonlyArray<string> =>
  members.map(({ range, quality }) => `${MediaType.format(range)} ${quality}`)

describe('Accept.parse', (test) => {
  table(
    test,
    [
      ['audio/*; q=0.2, audio/basic', ['audio/* 200', 'audio/basic 1000']], // RFC 9110, 12.5.1
      [
        'text/plain; q=0.5, text/html, text/x-dvi; q=0.8, text/x-c',
        ['text/plain 500', 'text/html 1000', 'text/x-dvi 800', 'text/x-c 1000'],
      ],
      [
        'text/*, text/plain, text/plain;format=flowed, */*',
        ['text/* 1000', 'text/plain 1000', 'text/plain;format=flowed 1000', '*/* 1000'],
      ],
      ['', ['*/* 1000']],
      [' \t ', ['*/* 1000']],
      [' , ,', ['*/* 1000']], // 5.6.1.2: empty members are ignored
      [',text/html,,', ['text/html 1000']],
      ['TEXT/HTML;Q=0.5', ['text/html 500']],
      ['text/html ; q=0.5', ['text/html 500']],
      ['text/html;level=1;q=0.5;x=2', ['text/html;level=1 500']], // the weight ends the range
      ['text/html;q=0.5;q=0.9', ['text/html 500']],
      ['text/html;q=0', ['text/html 0']],
      ['application/json;charset=utf-8;q=0.5', ['application/json 500']],
      ['a/b;x="c,d;q=0", e/f', ['a/b;x="c,d;q=0" 1000', 'e/f 1000']],
      ['text/html;q=1.5, text/plain', ['text/plain 1000']], // malformed members
      ['text/html, *; q=.2, */*; q=.2', ['text/html 1000', '*/* 200', '*/* 200']], // java.net.HttpURLConnection
      ['html, */html, text/, text/html;q=, ;q=1, text/plain;q=0.5', ['text/plain 500']],
      ['text/html;q=-1', undefined],
      ['html', undefined],
      ['html, text/html;q=2', undefined],
      ['"text/html', undefined],
    ] as const,
    (text, expected) =>
      assert.equal(pipe(Accept.parse(text), O.map(shown), O.toUndefined), expected),
  )

  test('reads every member of a long header, valid or malformed', () => {
    const ranges = Array.from({ length: 4000 }, (_, index) => `text/t${index}`)
    assert.is(accept(ranges.join()).length, 4000)
    assert.equal(shown(accept(`${'?,'.repeat(4000)}text/html`)), ['text/html 1000'])
  })

  test('anything accepts every media type with weight 1000', () =>
    assert.equal(Accept.parse('*/*'), O.some(Accept.anything)))
})

describe('Accept.qualityOf', (test) => {
  // RFC 9110, 12.5.1, table 5
  const worked =
    'text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5'
  table(
    test,
    [
      ['text/plain;format=flowed', worked, 1000],
      ['text/plain', worked, 700],
      ['text/html', worked, 300],
      ['image/jpeg', worked, 500],
      ['text/plain;format=fixed', worked, 400],
      ['text/html;level=3', worked, 300], // the table has 0.7, see erratum 7138
      ['text/html', 'text/html;q=0.1, text/*;q=0.9, */*', 100], // more specific before greater
      ['text/html;level=1;x=2', 'text/html;level=1;q=0.4, text/html;x=2;level=1;q=0.2', 200],
      ['text/html;level=1', 'text/*;level=1;q=0.9, text/html;q=0.2', 200],
      ['text/html;level=2', 'text/html;level=1', 0],
      ['text/html', 'text/html;level=1', 0],
      ['text/html', 'text/html;q=0, */*', 0],
      ['text/html', 'text/html;q=0.2, text/html;q=0.6, text/html;q=0.4', 600], // equally specific
      ['application/json', 'application/json;charset=utf-8;q=0.5', 500],
      ['application/json', 'application/json;charset=utf-8;q=0.5, application/json', 1000],
      ['image/png', 'text/*', 0],
      ['image/png', '', 1000],
    ] as const,
    (text, header, expected) =>
      assert.is(Accept.qualityOf(accept(header), mediaType(text)), expected),
  )
})

describe('Accept.choose', (test) => {
  const browser =
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
  const dvi = 'text/plain; q=0.5, text/html, text/x-dvi; q=0.8, text/x-c'
  table(
    test,
    [
      // RFC 9110, 12.5.1
      ['audio/*; q=0.2, audio/basic', ['audio/mpeg', 'audio/basic'], 'audio/basic'],
      ['audio/*; q=0.2, audio/basic', ['image/png', 'audio/mpeg'], 'audio/mpeg'],
      [dvi, ['text/plain', 'text/x-dvi', 'text/x-c', 'text/html'], 'text/x-c'],
      [dvi, ['text/plain', 'text/x-dvi'], 'text/x-dvi'],
      [dvi, ['text/plain', 'image/png'], 'text/plain'],
      ['text/html;q=0.1, text/*;q=0.9', ['text/html', 'text/plain'], 'text/plain'],
      // browsers
      [browser, ['application/json', 'text/plain', 'text/html'], 'text/html'],
      [browser, ['application/json', 'application/xml'], 'application/xml'],
      [browser, ['application/json', 'text/plain'], 'application/json'],
      ['image/avif,image/webp,*/*;q=0.8', ['image/png', 'image/webp'], 'image/webp'],
      ['*/*', ['application/json', 'text/plain'], 'application/json'], // fetch, curl
      // exclusions
      ['text/html;q=0, */*', ['text/html', 'text/plain'], 'text/plain'],
      ['text/html;q=0, */*', ['text/html'], undefined],
      ['text/*;q=0, */*;q=0.1', ['text/html', 'image/png'], 'image/png'],
      ['*/*;q=0', ['text/html'], undefined],
      ['text/html', ['application/json'], undefined],
      ['text/html', [], undefined],
      // parameters
      ['text/html;level=1', ['text/html', 'text/html;level=1'], 'text/html;level=1'],
      ['text/html;level=1, */*;q=0.1', ['text/html;level=2', 'text/html'], 'text/html;level=2'],
      ['application/json;charset=utf-8', ['text/plain', 'application/json'], 'application/json'],
      ['text/html', ['text/html;charset=utf-8'], 'text/html;charset=utf-8'],
      // malformed members
      ['text/html;q=1.5, text/plain;q=0.1', ['text/html', 'text/plain'], 'text/plain'],
      // the server's weights
      ['', ['text/plain;qs=0.5', 'application/json;qs=0.9'], 'application/json;qs=0.9'],
      ['a/x;q=0.7, a/y;q=0.9', ['a/x;qs=0.9', 'a/y;qs=0.7'], 'a/y;qs=0.7'],
      ['a/x;q=0.1, a/y', ['a/y;qs=0', 'a/x;qs=0.001'], 'a/x;qs=0.001'],
      ['a/x, a/y', ['a/z;qs=1', 'a/x;qs=0'], 'a/x;qs=0'],
      ['a/x;q=0', ['a/x;qs=0'], undefined],
      // the more specific range, then the order of the offers
      ['*/*, text/*, text/html', ['image/png', 'text/plain', 'text/html'], 'text/html'],
      ['*/*, text/*', ['image/png', 'text/plain'], 'text/plain'],
      ['a/x, a/x;v=1', ['a/x', 'a/x;v=1'], 'a/x;v=1'],
      ['a/y, a/x', ['a/x', 'a/y'], 'a/x'],
      ['*/*, text/html', ['text/html;qs=0.5', 'image/png;qs=0.6'], 'image/png;qs=0.6'],
      // ranges on offer
      ['text/css', ['text/*'], 'text/*'],
      ['text/css', ['*/*'], '*/*'],
      ['text/*', ['*/*'], '*/*'],
      ['*/*', ['text/*'], 'text/*'],
      ['image/png', ['text/*'], undefined],
      ['text/*;q=0, */*', ['text/*'], undefined],
      ['text/*;q=0', ['*/*'], undefined],
      ['text/css;q=0', ['text/*'], undefined],
      ['text/css;q=0, */*;q=0.5', ['text/*'], 'text/*'],
      ['text/css;q=0.3, */*;q=0.8', ['text/*', 'application/json'], 'application/json'],
      ['text/css, */*;q=0.8', ['application/json', 'text/*'], 'text/*'],
      ['*/*', ['text/*', 'text/plain'], 'text/plain'], // rather than 406
      ['*/*', ['text/*', 'text/plain;qs=0.5'], 'text/plain;qs=0.5'],
    ] as const,
    (header, offers, expected) => assert.is(chosen(header, offers), expected),
  )
})

/** RFC 9110, 12.5.1, as a reference implementation: the most specific matching range, then the greatest weight. */
const referenceQuality = (
  members: Accept.Accept,
  { type, subtype, parameters }: MediaType.MediaType,
) =>
  members
    .filter(({ range }) => range.type === '*' || range.type === type)
    .filter(({ range }) => range.subtype === '*' || range.subtype === subtype)
    .filter(({ range }) =>
      range.parameters.every((required) =>
        parameters.some((parameter) => parameter.join() === required.join()),
      ),
    )
    .map(({ range, quality }) => ({
      quality,
      specificity:
        range.type === '*' ? 0 : (range.subtype === '*' ? 100 : 200) + range.parameters.length,
    }))
    .toSorted((a, b) => b.specificity - a.specificity || b.quality - a.quality)
    .at(0) ?? { quality: 0, specificity: 0 }

const referenceChoice = (members: Accept.Accept, offers: ReadonlyArray<Accept.Offer>) =>
  offers
    .map((candidate, index) => ({
      index,
      qs: candidate.quality,
      ...referenceQuality(members, candidate.mediaType),
    }))
    .filter(({ quality }) => quality > 0)
    .toSorted(
      (a, b) =>
        Math.sign(b.qs) - Math.sign(a.qs) ||
        b.quality - a.quality ||
        b.qs - a.qs ||
        b.specificity - a.specificity ||
        a.index - b.index,
    )
    .at(0)?.index

describe('Accept', (test) => {
  const quality = fc.constantFrom(0, 1, 300, 300, 1000)
  const parameters = fc.subarray([['level', '1'] as const, ['format', 'x'] as const])
  const concreteType = fc.record(
    {
      type: fc.constantFrom('text', 'application'),
      subtype: fc.constantFrom('html', 'octet-stream'),
      parameters,
    },
    { noNullPrototype: true },
  )
  const range = fc.oneof(
    concreteType,
    concreteType.map((type) => ({ ...type, subtype: '*' })),
    fc.constant(mediaType('*/*')),
  )
  const members = fc.array(fc.record({ range, quality }, { noNullPrototype: true }), {
    maxLength: 64,
  })
  const offersOf = (offered: fc.Arbitrary<MediaType.MediaType>) =>
    fc.array(fc.record({ mediaType: offered, quality }, { noNullPrototype: true }))

  law(
    test,
    'choose agrees with the reference implementation',
    fc.tuple(members, offersOf(concreteType)),
    ([header, offers]) =>
      assert.is(O.toUndefined(Accept.choose(header, offers)), referenceChoice(header, offers)),
  )

  law(
    test,
    'the media type for the chosen offer is acceptable and inside the offer',
    fc.tuple(members, offersOf(range)),
    ([header, offers]) => {
      const offered = offers[O.toUndefined(Accept.choose(header, offers)) ?? -1]?.mediaType
      if (offered === undefined) return
      const sent = Accept.concrete(header, offered)
      if (O.isNone(sent)) return assert.ok(MediaType.isRange(offered))
      assert.not(MediaType.isRange(sent.value))
      assert.ok(MediaType.includes(offered, sent.value))
      assert.ok(Accept.qualityOf(header, sent.value) > 0)
    },
  )

  law(
    test,
    'an offer with an acceptable media type is chosen',
    fc.tuple(members, range),
    ([header, offered]) => {
      const sent = Accept.concrete(header, offered)
      if (O.isSome(sent) && Accept.qualityOf(header, sent.value) > 0)
        assert.equal(Accept.choose(header, [{ mediaType: offered, quality: 1000 }]), O.some(0))
    },
  )

  roundTrip(
    test,
    members.filter((list) => list.length > 0),
    (list) =>
      list
        .map((member) => `${MediaType.format(member.range)};q=${Quality.format(member.quality)}`)
        .join(', '),
    Accept.parse,
    (actual, expected) => assert.equal(actual, O.some(expected)),
  )

  const near = fc.string({ unit: fc.constantFrom('a/b', '*', '/', ',', ';', 'q=', '0', '.', '"') })
  law(
    test,
    'parse never throws and returns at least one member or none',
    fc.oneof(unicodeString, near),
    (text) => {
      const parsed = Accept.parse(text)
      if (O.isSome(parsed)) assert.ok(parsed.value.length >= 1)
    },
  )
})
