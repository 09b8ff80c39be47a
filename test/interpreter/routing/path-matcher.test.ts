import * as assert from 'uvu/assert'
import type { PathCapture } from '../../../src/interpreter/routing/path-matcher.ts'
import { describe, table } from '../../support/describe.ts'
import type { Matches } from './path-matching.ts'
import { matcherOf, matchesOf, plainCapture } from './path-matching.ts'

type TemplateRow = readonly [
  template: string,
  path: string,
  values: ReadonlyArray<string> | undefined,
]

describe('path matcher with one template', (test) => {
  const rows: ReadonlyArray<TemplateRow> = [
    ['/', '/', []],
    ['/', '//', undefined],
    ['/', '/a', undefined],
    ['/a', '/a', []],
    ['/a', '/A', undefined], // RFC 3986, 6.2.2.1: paths are case-sensitive
    ['/a', '/a/', []], // a trailing slash is ignored
    ['/a', '/a//', undefined],
    ['/a', '//a', undefined],
    ['/a', '/%61', []], // RFC 3986, 2.3: an escaped unreserved character is equivalent
    ['/a', '/a;v=1', []], // matrix parameters are ignored
    ['/a/b', '/a%2Fb', undefined], // RFC 3986, 2.2: an escaped slash is not a separator
    ['/a%2Fb', '/a%2Fb', []],
    ['/a%2Fb', '/a/b', undefined],
    ['/a', '/./a', undefined], // dot segments are not removed
    ['/{x}', '/v', ['v']],
    ['/{x}', '/v/', ['v']],
    ['/{x}', '/', undefined],
    ['/{x}', '/;v=1', undefined],
    ['/{x}', '/v/w', undefined],
    ['/{x}', '/a%2Fb', ['a/b']],
    ['/{x}', '/%20', [' ']],
    ['/{x}', '/v;w=1', ['v']],
    ['/a/{x}', '/a/', undefined], // a parameter is not empty
    ['/{x}/{y}', '/v/w', ['v', 'w']],
    ['/{x}/{y}', '/v//w', undefined],
    ['/p-{x}', '/p-1', ['1']],
    ['/p-{x}', '/p-', undefined],
    ['/{x}.{y}', '/a.b.c', ['a', 'b.c']],
    ['/{x:\\d+}', '/12', ['12']],
    ['/{x:\\d+}', '/12a', undefined],
    ['/{x:\\d+}/b', '/12/b', ['12']],
    ['/{x:.*}', '/a/b/c', ['a/b/c']], // an expression spans segments
    ['/{x:.*}', '/a/b/', ['a/b/']],
    ['/{x:[^/]*}', '/a/', ['a']],
    ['/{x:.*}', '/', ['']],
    ['/a/{x:.*}', '/a', undefined],
    ['/{x:.*}/z', '/a/b/z/z', ['a/b/z']], // the longest value that leaves a match for the rest
    ['/{x:a|a/b}/{y}', '/a/b/c', ['a/b', 'c']],
    ['/{x:.+}-{y}', '/a/b-c', ['a/b', 'c']],
    ['/{rest}', '/a/b/c', ['a/b/c']],
    ['/{rest}', '/a/b/', ['a/b']],
    ['/{rest}', '/a//b', undefined], // empty segments do not match
    ['/{rest}', '/', undefined],
    ['/{rest}/z', '/a/b/z', ['a/b']],
    ['/{rest}/{x}', '/a/b/c', ['a/b', 'c']],
  ]
  for (const [template, path, values] of rows)
    test(`${template} ${values === undefined ? 'does not match' : 'matches'} ${path}`, () =>
      assert.equal(
        matchesOf([template], path),
        values === undefined ? [] : [[template, ...values]],
      ))
})

describe('path matcher with several templates', (test) => {
  table<readonly [name: string, path: string, templates: ReadonlyArray<string>, Matches]>(
    test,
    [
      ['a literal before a parameter', '/a', ['/{x}', '/a'], [['/a'], ['/{x}', 'a']]],
      ['only the parameter', '/b', ['/{x}', '/a'], [['/{x}', 'b']]],
      ['an escaped path', '/%61', ['/a{x:.*}', '/a'], [['/a'], ['/a{x:.*}', '']]],
      [
        'an expression before a parameter',
        '/1',
        ['/{x}', '/{x:\\d}'],
        [
          ['/{x:\\d}', '1'],
          ['/{x}', '1'],
        ],
      ],
      [
        'equal precedence by the text of the templates',
        '/a/b',
        ['/{x}/b', '/a/{x}'],
        [
          ['/a/{x}', 'b'],
          ['/{x}/b', 'a'],
        ],
      ],
      [
        'a parameter after a literal branch without a match',
        '/a/c/d',
        ['/{x}/c/d', '/a/b/d', '/a/{x}/e'],
        [['/{x}/c/d', 'a']],
      ],
      [
        'more literal characters before fewer',
        '/aa/b',
        ['/{x}/b', '/aa/{x}', '/{x:.*}'],
        [
          ['/aa/{x}', 'b'],
          ['/{x}/b', 'aa'],
          ['/{x:.*}', 'aa/b'],
        ],
      ],
      [
        'a literal and a parameter before an expression',
        '/a/b/',
        ['/{x:.*}', '/{x}/b'],
        [
          ['/{x}/b', 'a'],
          ['/{x:.*}', 'a/b/'],
        ],
      ],
    ],
    (_, path, templates, expected) => {
      assert.equal(matchesOf(templates, path), expected)
      assert.equal(matchesOf(templates.toReversed(), path), expected)
    },
  )
  test('a template that matches in two ways is returned once', () =>
    assert.equal(matchesOf(['/{x:.*}'], '/a/'), [['/{x:.*}', 'a/']]))
  test('malformed percent-encoding returns undefined', () => {
    assert.is(matcherOf(['/{x}']).match('/%FF'), undefined)
    assert.is(matcherOf([]).match('/a/%FF'), undefined)
  })
})

const capturesOf = (template: string, path: string): ReadonlyArray<PathCapture> | undefined =>
  matcherOf([template]).match(path)?.matches[0]?.captures.map(plainCapture)

describe('path matcher captures', (test) => {
  table(
    test,
    [
      [
        'an escaped character and a matrix parameter',
        '/{x}',
        '/a%20b;c',
        { text: 'a b', raw: 'a%20b', segments: ['a b'], rawSegments: ['a%20b'] },
      ],
      [
        'several segments with an escaped slash',
        '/{rest}',
        '/a%2F/b;c',
        { text: 'a//b', raw: 'a%2F/b', segments: ['a/', 'b'], rawSegments: ['a%2F', 'b'] },
      ],
      [
        'a part of a segment',
        '/p-{x}',
        '/p-%41',
        { text: 'A', raw: '%41', segments: ['A'], rawSegments: ['%41'] },
      ],
      [
        'an expression over two segments',
        '/{x:.+}',
        '/a/%41',
        { text: 'a/A', raw: 'a/%41', segments: ['a', 'A'], rawSegments: ['a', '%41'] },
      ],
      [
        'an expression with an escaped slash',
        '/{x:.+}',
        '/a%2F/b',
        { text: 'a//b', raw: 'a%2F/b', segments: ['a/', 'b'], rawSegments: ['a%2F', 'b'] },
      ],
      // both kinds of slashes separate the segments of a group
      [
        'a group with an escaped slash',
        '/{x:.+}-',
        '/a%2Fb-',
        { text: 'a/b', raw: 'a%2Fb', segments: ['a', 'b'], rawSegments: ['a%2Fb'] },
      ],
      [
        'a group that does not match the raw text',
        '/{x:[^%]+}-',
        '/a%2Fb-',
        { text: 'a/b', raw: 'a/b', segments: ['a', 'b'], rawSegments: ['a', 'b'] },
      ],
    ] as const,
    (_, template, path, expected) => assert.equal(capturesOf(template, path), [expected]),
  )
})

describe('path matcher limits', (test) => {
  test('an expression does not match more than 1024 characters', () => {
    assert.is(matchesOf(['/{x:a+}'], `/${'a'.repeat(1024)}`)?.length, 1)
    assert.is(matchesOf(['/{x:a+}'], `/${'a'.repeat(1025)}`)?.length, 0)
  })
  test('a group of a long escaped text returns its raw text', () => {
    const raw = '%C3%A9'.repeat(500)
    const captures = matcherOf(['/{x}-{y}']).match(`/${raw}-%62`)?.matches[0]?.captures
    assert.equal(
      captures?.map(({ text, raw: received }) => [text, received]),
      [
        ['é'.repeat(500), raw],
        ['b', '%62'],
      ],
    )
  })
  test('a long path with many branches is matched in bounded time', () => {
    const templates = ['/{x:.*}/{y:.*}/{z:.*}/end', '/{rest}/{y:.*}/{z:.*}/stop']
    assert.equal(matchesOf(templates, `/${'a/'.repeat(400)}b`), [])
    assert.equal(matchesOf(templates, `/${'%61/'.repeat(400)}b`), [])
  })
  test('a literal segment of 10,000 characters matches', () => {
    const long = 'a'.repeat(10_000)
    assert.equal(matchesOf(['/{x}/b', `/${long}/c`], `/${long}/c`), [[`/${long}/c`]])
    assert.equal(matchesOf(['/{x}/b', `/${long}/c`], `/${long}/b`), [['/{x}/b', long]])
  })
})

describe('findExact', (test) => {
  const templates = ['/', '/a', '/a/b/', '/{x}', '/50%25', '/c%2Fd', '/e;f', '/caf%C3%A9']
  table<readonly [string, string | undefined]>(
    test,
    [
      ['/', '/'],
      ['/a', '/a'],
      ['/a/', '/a'],
      ['/a/b', '/a/b/'],
      ['/a/b/', '/a/b/'],
      ['/a/b//', undefined],
      ['//', undefined],
      ['/a//', undefined],
      ['/b', undefined], // only a template with a parameter matches
      ['/50%', undefined], // malformed percent-encoding
      ['/c/d', undefined],
      ['/e;f', undefined], // a matrix parameter
    ],
    (path, expected) => assert.is(matcherOf(templates).findExact(path), expected),
  )
})
