import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Accept from '../../src/http/accept.ts'
import * as AcceptLanguage from '../../src/http/accept-language.ts'
import * as MediaType from '../../src/http/media-type.ts'
import * as Quality from '../../src/http/quality.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { describe, table } from '../support/describe.ts'

const present = <A>(value: O.Option<A>): A => {
  if (O.isNone(value)) throw new Error('none')
  return value.value
}
const accept = (text: string): Accept.Accept => present(Accept.parse(text))

/** Parses an offer such as `image/*;qs=0.7`: a media type or range, and the server's weight. */
const offer = (text: string): Accept.Offer => {
  const [type = '', quality = '1'] = text.split(';qs=')
  return { mediaType: present(MediaType.parse(type)), quality: present(Quality.parse(quality)) }
}

describe('Accept.choose among types and ranges', (test) => {
  table(
    test,
    [
      ['image/*', ['image/png;qs=0.6', 'image/*;qs=0.7'], 'image/png;qs=0.6'],
      ['image/*', ['image/*;qs=0.7', 'image/png;qs=0'], 'image/png;qs=0'],
      ['image/*, text/*;q=0.1', ['image/*', 'text/plain'], 'text/plain'],
      ['image/*', ['image/*', 'image/png'], 'image/png'],
      ['image/*', ['*/*', 'image/png;qs=0.1'], 'image/png;qs=0.1'],
      ['image/gif, image/png', ['image/png;qs=0.6', 'image/*;qs=0.7'], 'image/*;qs=0.7'],
      ['image/gif', ['image/png', 'image/*'], 'image/*'],
      ['image/gif;q=0.5, image/*', ['image/*;qs=0.7', 'image/png;qs=0.6'], 'image/png;qs=0.6'],
      // an offer that one side names takes precedence over application/octet-stream
      ['*/*', ['*/*;qs=0.7', 'application/json;qs=0.6'], 'application/json;qs=0.6'],
      ['*/*', ['application/*;qs=0.7', 'application/json;qs=0.6'], 'application/json;qs=0.6'],
      ['', ['application/*', 'application/json;qs=0.1'], 'application/json;qs=0.1'],
      ['*/*', ['application/*', 'application/json;qs=0'], 'application/*'], // a server weight of 0 is last
      ['application/*, text/*;q=0.5', ['text/plain', 'application/*'], 'application/*'],
      ['application/xml', ['application/*;qs=0.7', 'application/json'], 'application/*;qs=0.7'],
    ] as const,
    (header, offers, expected) => {
      const index = O.toUndefined(Accept.choose(accept(header), offers.map(offer)))
      assert.is(index === undefined ? undefined : offers[index], expected)
    },
  )
})

describe('Accept.choose with a type that is determined later', (test) => {
  test('prefers a range by its server weight', () => {
    const offers = [offer('image/png;qs=0.6'), { ...offer('image/*;qs=0.7'), isTypedLater: true }]
    assert.equal(Accept.choose(accept('image/*'), offers), O.some(1))
  })
})

const chosen = (header: string, languages: string, offers: ReadonlyArray<string>) => {
  const offered = offers.map((text) => {
    const [type = '', language] = text.split(' ')
    return { ...offer(type), language }
  })
  const index = Accept.choose(accept(header), offered, AcceptLanguage.parse(languages))
  return O.toUndefined(O.map((at: number) => offers[at])(index))
}

describe('Accept.choose among languages', (test) => {
  const both = ['text/html en', 'text/html de'] as const
  table(
    test,
    [
      ['the greater weight', 'en;q=0.5, de', both, 'text/html de'],
      ['the earlier range among equals', 'de, en', both, 'text/html de'],
      ['the order of the offers without preferences', '', both, 'text/html en'],
      ['the order of the offers if no language is accepted', 'fr', both, 'text/html en'],
      ['an accepted language before a rejected one', 'en;q=0', both, 'text/html en'],
      ['a rejected language last', 'en;q=0, *;q=0.1', both, 'text/html de'],
      ['a specific match before no language', 'de', ['text/html', 'text/html de'], 'text/html de'],
      ['no language before an unaccepted one', 'fr', ['text/html de', 'text/html'], 'text/html'],
      [
        'the server weight before the specificity of the language',
        'de',
        ['text/html;qs=0.5 de', 'text/html;qs=0.9 de-CH'],
        'text/html;qs=0.9 de-CH',
      ],
      [
        'the product of the weights before the media type',
        'de, en;q=0.5',
        ['text/html en', 'text/plain de'],
        'text/plain de',
      ],
    ] as const,
    (_, languages, offers, expected) =>
      assert.is(chosen('text/html, text/plain;q=0.8', languages, offers), expected),
  )
  test('the media type decides if no language is accepted', () =>
    assert.is(
      chosen('text/html;q=0.5, text/plain', 'fr', ['text/html en', 'text/plain de']),
      'text/plain de',
    ))
  test('the language does not make a media type acceptable', () =>
    assert.is(chosen('image/png', 'de', ['text/html de']), undefined))
})

describe('Accept with a header of 16 KiB', (test) => {
  const offers = ['application/json', 'text/plain', 'text/html', 'image/*', '*/*'].map((text) =>
    offer(text),
  )
  table(
    test,
    [
      ['a/b'],
      ['*'],
      ['*/*;q=0'],
      ['a/b;q=.5'],
      ['x'],
      ['a/b;c=d;e="f"'],
      ['"'],
      [''],
      [' '],
      ['image/x;q=0.1'],
    ] as const,
    (member) => {
      const text = `${member},`.repeat(Math.floor((16 * 1024) / (member.length + 1)))
      const milliseconds = fastest(() =>
        O.map((members: Accept.Accept) => Accept.choose(members, offers))(Accept.parse(text)),
      )
      assert.ok(milliseconds < 15, `took ${milliseconds} ms`)
    },
  )
  test('negotiates a member with thousands of parameters in less than 15 ms', () => {
    const parameters = Array.from({ length: 2500 }, (_, index) => `;p${index.toString(36)}=1`)
    const text = `image/x${parameters.join('')}`
    const milliseconds = fastest(() => Accept.choose(accept(text), offers))
    assert.ok(milliseconds < 15, `took ${milliseconds} ms`)
  })
})

/** Returns the CPU time of the fastest of several runs, in milliseconds. */
const fastest = (run: () => unknown): number =>
  Math.min(
    ...Array.from({ length: 12 }, () => {
      const before = cpuTime()
      run()
      return cpuTime() - before
    }),
  )
