import * as fc from 'fast-check'
import LinkHeader from 'http-link-header'
import * as assert from 'uvu/assert'
import * as Link from '../../src/http/link.ts'
import * as UriReference from '../../src/http/uri-reference.ts'
import { describe, law, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

describe('Link.format', (test) => {
  table<readonly [string, Link.Link]>(
    test,
    [
      [
        '<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"', // RFC 8288, 3.5
        {
          target: 'http://example.com/TheBook/chapter2',
          rel: 'previous',
          title: 'previous chapter',
        },
      ],
      ['</>; rel="http://example.net/foo"', { target: '/', rel: 'http://example.net/foo' }],
      [
        '</terms>; rel="copyright"; anchor="#foo"',
        { target: '/terms', rel: 'copyright', anchor: '#foo' },
      ],
      [
        '</TheBook/chapter2>; rel="previous"; title*=UTF-8\'\'letztes%20Kapitel%20%E2%80%93%20Anfang',
        { target: '/TheBook/chapter2', rel: 'previous', title: 'letztes Kapitel – Anfang' },
      ],
      [
        '<http://example.org/>; rel="start http://example.net/relation/other"',
        { target: 'http://example.org/', rel: ['start', 'http://example.net/relation/other'] },
      ],
      [
        '</b>; rel="self"; title="B"; type="text/html"; hreflang="de"; anchor="/a"; media="print"; x=""',
        {
          attributes: [
            ['media', 'print'],
            ['x', ''],
          ],
          anchor: '/a',
          hreflang: 'de',
          type: 'text/html',
          title: 'B',
          rel: 'self',
          target: '/b',
        },
      ],
      ['</b>; rel="getBook"', { target: '/b', rel: 'getBook' }],
      ['<>; rel="self"', { target: '', rel: 'self' }], // RFC 3986, 4.4: the current document
      ['</b/{id}?q={q}>; rel="item"', { target: '/b/{id}?q={q}', rel: 'item' }],
      ['<//[::1]:80/a?b#c>; rel="item"', { target: '//[::1]:80/a?b#c', rel: 'item' }],
      [
        '</%C3%A9%20%3E%3C%22%5C%5E%60%7C%0D%0A>; rel="item"',
        { target: '/é ><"\\^`|\r\n', rel: 'item' },
      ],
      ['</a%2Fb%25%25zz%F0%9F%8C%B3>; rel="item"', { target: '/a%2Fb%%zz🌳', rel: 'item' }], // valid escapes are kept
      ['</a,b;c>; rel="item"', { target: '/a,b;c', rel: 'item' }],
      ['</%EF%BF%BD>; rel="item"', { target: '/\ud83c', rel: 'item' }],
      [
        '</>; rel="item"; title="say \\"a\\\\b\\""',
        { target: '/', rel: 'item', title: 'say "a\\b"' },
      ],
      [
        '</>; rel="item"; title="a, <b>; rel=c"',
        { target: '/', rel: 'item', title: 'a, <b>; rel=c' },
      ],
      ['</>; rel="item"; title*=UTF-8\'\'a%0D%0Ab', { target: '/', rel: 'item', title: 'a\r\nb' }],
      ['</>; rel="item"; title*=UTF-8\'\'%7F', { target: '/', rel: 'item', title: '\x7f' }],
      [
        '</>; rel="item"; title*=UTF-8\'\'%C3%A9%27%28%2A%29!',
        { target: '/', rel: 'item', title: "é'(*)!" },
      ], // RFC 8187, 3.2.1
      [
        '</>; rel="item"; x*=UTF-8\'\'%E2%82%AC',
        { target: '/', rel: 'item', attributes: [['x', '€']] },
      ],
      ['</>; rel="item"; anchor="/%22%20%C3%A9"', { target: '/', rel: 'item', anchor: '/" é' }],
      [
        '</>; rel="item"; type="text/plain; charset=\\"utf-8\\""',
        { target: '/', rel: 'item', type: 'text/plain; charset="utf-8"' },
      ],
    ],
    (expected, link) => assert.is(Link.format(link), expected),
  )
})

describe('Link.format rejects', (test) => {
  const self = { target: '/', rel: 'self' }
  table<readonly [string, Link.Link]>(
    test,
    [
      ['a missing relation type', { target: '/', rel: [] }],
      ...['', 'a b', 'a"', 'a\\', 'a\r\nb', 'é', 'a<b>'].map(
        (rel) =>
          [`the relation type ${JSON.stringify(rel)}`, { target: '/', rel: ['ok', rel] }] as const,
      ),
      ...[
        '',
        'a b',
        'a=b',
        'a;b',
        'é',
        'a\r\nb',
        'x*',
        'rel',
        'REL',
        'title',
        'title*',
        'anchor',
      ].map(
        (name) =>
          [`the attribute ${JSON.stringify(name)}`, { ...self, attributes: [[name, '']] }] as const,
      ),
      ['a media type with non-ASCII characters', { ...self, type: 'text/é' }],
      ['a media type with a line break', { ...self, type: 'text/html\r\nX: y' }],
      ['a language with non-ASCII characters', { ...self, hreflang: 'é' }],
    ],
    (_, link) =>
      assert.throws(
        () => Link.format(link),
        (error: unknown) => error instanceof TypeError,
      ),
  )
})

/** Parses one link-value strictly (RFC 8288, 3). Fails if any text remains. */
const parseStrictly = (text: string): ParsedLink => {
  const [, target = '', rest = ''] = /^<([\w\-.~:/?#[\]@!$&'()*+,;=%{}]*)>([^]*)$/.exec(text) ?? []
  const matches = [...rest.matchAll(linkParameter)]
  assert.is(`<${target}>${matches.map(([whole]) => whole).join('')}`, text)
  return {
    target,
    parameters: matches.map(([, name = '', quoted, extended = '']) => [
      name,
      quoted?.replaceAll(/\\(.)/g, '$1') ?? decodeURIComponent(extended),
    ]),
  }
}

interface ParsedLink {
  readonly target: string
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
}

const token = /[!#$%&'*+\-.^_`|~\w]*[!#$%&'+\-.^_`|~\w]/.source // a final star marks an extended value (RFC 8187)
const quotedString = /"((?:[\t !#-[\]-~]|\\[\t -~])*)"/.source
const valueChars = /((?:[!#$&+\-.^_`|~\w]|%[\dA-F]{2})*)/.source
const linkParameter = RegExp(`; (${token})(?:=${quotedString}|\\*=UTF-8''${valueChars})`, 'g')

describe('Link', (test) => {
  const hostile = fc.string({
    unit: fc.constantFrom(...'a"\\<>;,=* \r\n\0é\'%{}'.split('')),
    maxLength: 12,
  })
  const text = fc.oneof(hostile, fc.string({ unit: 'grapheme' }))
  const name = fc.stringMatching(/^[!#$&+\-.^_`|~0-9A-Za-z]+$/)

  law(
    test,
    'a strict parser returns exactly the parameters that were written',
    fc.record({ target: text, title: text, x: name.map((tail) => `x${tail}`), value: text }),
    ({ target, title, x, value }) =>
      assert.equal(
        parseStrictly(Link.format({ target, rel: ['a', 'b'], title, attributes: [[x, value]] }))
          .parameters,
        [
          ['rel', 'a b'],
          ['title', title],
          [x, value],
        ],
      ),
  )

  law(
    test,
    'decoding a written target returns the original target without escapes',
    text.filter((target) => !target.includes('%')),
    (target) =>
      assert.is(
        decodeURIComponent(parseStrictly(Link.format({ target, rel: 'a' })).target),
        target,
      ),
  )

  const anyLink = fc.record(
    {
      target: text,
      rel: fc.array(fc.stringMatching(/^[\w\-.~:/?#[\]@!$&'()*+,;=%]{1,12}$/), {
        minLength: 1,
        maxLength: 3,
      }),
      title: text,
      type: fc.string({ unit: fc.constantFrom(...'ab/;="\\<>[], \t'.split('')), maxLength: 12 }),
    },
    { requiredKeys: ['target', 'rel'], noNullPrototype: true },
  )
  law(
    test,
    'http-link-header parses several links in one header',
    fc.array(anyLink, { minLength: 1, maxLength: 4 }),
    (links) =>
      assert.equal(
        LinkHeader.parse(links.map(Link.format).join(', ')).refs.map(
          ({ uri, rel, title, 'title*': extended, type }) => [
            uri,
            rel,
            extendedValue(extended) ?? title,
            type,
          ],
        ),
        links.flatMap(({ target, rel, title, type }) =>
          rel.map((relation) => [
            UriReference.escape(target),
            relation,
            title?.toWellFormed(),
            // the package converts media types to lower case
            type?.toLowerCase(),
          ]),
        ),
      ),
  )

  const any = fc.oneof(
    hostile,
    unicodeString,
    { arbitrary: fc.constant('a'), weight: 20 }, // otherwise nearly all links would be rejected
  )
  law(
    test,
    'no member can add a link, a parameter or a line',
    fc.record({
      target: any,
      rel: any,
      type: any,
      hreflang: any,
      anchor: any,
      title: any,
      name: any,
    }),
    ({ name: key, ...link }) => {
      const written = attempt(() => Link.format({ ...link, attributes: [[key, key]] }))
      if (written === undefined) return
      assert.equal(
        parseStrictly(written).parameters.map(([first]) => first),
        ['rel', 'title', 'type', 'hreflang', 'anchor', key],
      )
    },
  )
})

const extendedValue = (extended: unknown): unknown =>
  typeof extended === 'object' && extended !== null && 'value' in extended
    ? extended.value
    : undefined

/** Returns `undefined` for rejected links. */
const attempt = (write: () => string): string | undefined => {
  try {
    return write()
  } catch (error) {
    assert.instance(error, TypeError)
    return undefined
  }
}
