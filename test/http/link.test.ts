import * as fc from 'fast-check'
import LinkHeader from 'http-link-header'
import * as assert from 'uvu/assert'
import * as Link from '../../src/http/link.ts'
import * as UriReference from '../../src/http/uri-reference.ts'
import { describe, law, table } from '../support/describe.ts'

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
      ['<>; rel="self"', { target: '', rel: 'self' }], // RFC 3986, 4.4: this document
      ['</b/{id}?q={q}>; rel="item"', { target: '/b/{id}?q={q}', rel: 'item' }],
      ['<//[::1]:80/a?b#c>; rel="item"', { target: '//[::1]:80/a?b#c', rel: 'item' }],
      [
        '</%C3%A9%20%3E%3C%22%5C%5E%60%7C%0D%0A>; rel="item"',
        { target: '/é ><"\\^`|\r\n', rel: 'item' },
      ],
      ['</a%2Fb%25%25zz%F0%9F%8C%B3>; rel="item"', { target: '/a%2Fb%%zz🌳', rel: 'item' }], // escapes stay
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

describe('Link.format refuses', (test) => {
  const self = { target: '/', rel: 'self' }
  table<readonly [string, Link.Link]>(
    test,
    [
      ['no relation type', { target: '/', rel: [] }],
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
      ['a media type beyond ASCII', { ...self, type: 'text/é' }],
      ['a media type of two lines', { ...self, type: 'text/html\r\nX: y' }],
      ['a language beyond ASCII', { ...self, hreflang: 'é' }],
    ],
    (_, link) =>
      assert.throws(
        () => Link.format(link),
        (error: unknown) => error instanceof TypeError,
      ),
  )
})

/** What a strict reader of RFC 8288, section 3, finds in one link-value; fails when anything is left over. */
const read = (text: string): Read => {
  const [, target = '', rest = ''] = /^<([\w\-.~:/?#[\]@!$&'()*+,;=%{}]*)>([^]*)$/.exec(text) ?? []
  const found = [...rest.matchAll(linkParameter)]
  assert.is(`<${target}>${found.map(([whole]) => whole).join('')}`, text)
  return {
    target,
    parameters: found.map(([, name = '', quoted, extended = '']) => [
      name,
      quoted?.replaceAll(/\\(.)/g, '$1') ?? decodeURIComponent(extended),
    ]),
  }
}

interface Read {
  readonly target: string
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
}

const token = /[!#$%&'*+\-.^_`|~\w]*[!#$%&'+\-.^_`|~\w]/.source // a star at its end is the mark of RFC 8187
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
    'a strict reader finds what was written, and nothing else',
    fc.record({ target: text, title: text, x: name.map((tail) => `x${tail}`), value: text }),
    ({ target, title, x, value }) =>
      assert.equal(
        read(Link.format({ target, rel: ['a', 'b'], title, attributes: [[x, value]] })).parameters,
        [
          ['rel', 'a b'],
          ['title', title],
          [x, value],
        ],
      ),
  )

  law(
    test,
    'a target without escapes comes back when it is decoded',
    text.filter((target) => !target.includes('%')),
    (target) =>
      assert.is(decodeURIComponent(read(Link.format({ target, rel: 'a' })).target), target),
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
    'G12 http-link-header finds every part of several links in one field',
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
          rel.map((one) => [
            UriReference.escape(target),
            one,
            title?.toWellFormed(),
            // it has media types in small letters
            type?.toLowerCase(),
          ]),
        ),
      ),
  )

  const any = fc.oneof(
    hostile,
    fc.string({ unit: 'binary' }),
    { arbitrary: fc.constant('a'), weight: 20 }, // for else nearly all would be refused
  )
  law(
    test,
    'no string starts a link, a parameter or a line of its own',
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
        read(written).parameters.map(([first]) => first),
        ['rel', 'title', 'type', 'hreflang', 'anchor', key],
      )
    },
  )
})

const extendedValue = (extended: unknown): unknown =>
  typeof extended === 'object' && extended !== null && 'value' in extended
    ? extended.value
    : undefined

/** `undefined` for what is refused. */
const attempt = (write: () => string): string | undefined => {
  try {
    return write()
  } catch (error) {
    assert.instance(error, TypeError)
    return undefined
  }
}
