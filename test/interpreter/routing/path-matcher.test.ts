import * as assert from 'uvu/assert'
import type { PathCapture } from '../../../src/interpreter/routing/path-captures.ts'
import { describe, table } from '../../support/describe.ts'
import type { Finds } from '../../support/path-matching.ts'
import { among, finds, formsOf } from '../../support/path-matching.ts'

describe('matcher: one template', (test) => {
  table<readonly [string, string, ReadonlyArray<string> | undefined]>(
    test,
    [
      ['/', '/', []],
      ['/', '//', undefined],
      ['/', '/a', undefined],
      ['/a', '/a', []],
      ['/a', '/A', undefined], // RFC 3986, 6.2.2.1: paths are case-sensitive
      ['/a', '/a/', []], // a slash at the end makes no difference
      ['/a', '/a//', undefined],
      ['/a', '//a', undefined],
      ['/a', '/%61', []], // RFC 3986, 2.3: an escape of an unreserved character means that character
      ['/a', '/a;v=1', []], // matrix parameters are taken off
      ['/a/b', '/a%2Fb', undefined], // 2.2: an escaped slash divides nothing
      ['/a%2Fb', '/a%2Fb', []],
      ['/a%2Fb', '/a/b', undefined],
      ['/a', '/./a', undefined], // no dot segment is removed
      ['/{x}', '/v', ['v']],
      ['/{x}', '/v/', ['v']],
      ['/{x}', '/', undefined],
      ['/{x}', '/;v=1', undefined],
      ['/{x}', '/v/w', undefined],
      ['/{x}', '/a%2Fb', ['a/b']],
      ['/{x}', '/%20', [' ']],
      ['/{x}', '/v;w=1', ['v']],
      ['/a/{x}', '/a/', undefined], // /hello/ does not satisfy /hello/{x}
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
      ['/{x:.*}/z', '/a/b/z/z', ['a/b/z']], // the longest that leaves the rest its place
      ['/{x:a|a/b}/{y}', '/a/b/c', ['a/b', 'c']],
      ['/{x:.+}-{y}', '/a/b-c', ['a/b', 'c']],
      ['/{rest}', '/a/b/c', ['a/b/c']],
      ['/{rest}', '/a/b/', ['a/b']],
      ['/{rest}', '/a//b', undefined], // of segments that are not empty
      ['/{rest}', '/', undefined],
      ['/{rest}/z', '/a/b/z', ['a/b']],
      ['/{rest}/{x}', '/a/b/c', ['a/b', 'c']],
    ],
    (template, path, expected) =>
      assert.equal(
        finds([template], path),
        expected === undefined ? [] : [[template, ...expected]],
        path,
      ),
  )
})

describe('matcher: several templates', (test) => {
  table<readonly [string, ReadonlyArray<string>, Finds]>(
    test,
    [
      ['/a', ['/{x}', '/a'], [['/a'], ['/{x}', 'a']]],
      ['/b', ['/{x}', '/a'], [['/{x}', 'b']]],
      ['/%61', ['/a{x:.*}', '/a'], [['/a'], ['/a{x:.*}', '']]], // as for /a
      [
        '/1',
        ['/{x}', '/{x:\\d}'],
        [
          ['/{x:\\d}', '1'],
          ['/{x}', '1'],
        ],
      ],
      [
        '/a/b',
        ['/{x}/b', '/a/{x}'],
        [
          ['/a/{x}', 'b'],
          ['/{x}/b', 'a'],
        ],
      ], // by their text, at last
      [
        '/a/c/d',
        ['/{x}/c/d', '/a/b/d', '/a/{x}/e'],
        [['/{x}/c/d', 'a']], // a branch that leads nowhere is left again
      ],
      [
        '/aa/b',
        ['/{x}/b', '/aa/{x}', '/{x:.*}'],
        [
          ['/aa/{x}', 'b'],
          ['/{x}/b', 'aa'],
          ['/{x:.*}', 'aa/b'],
        ],
      ],
      [
        '/a/b/',
        ['/{x:.*}', '/{x}/b'],
        [
          ['/{x}/b', 'a'],
          ['/{x:.*}', 'a/b/'],
        ],
      ],
    ],
    (path, templates, expected) => {
      assert.equal(finds(templates, path), expected)
      assert.equal(finds(templates.toReversed(), path), expected)
    },
  )
  test('no site is found twice', () => assert.equal(finds(['/{x:.*}'], '/a/'), [['/{x:.*}', 'a/']]))
  test('a path that cannot be decoded is not a path', () => {
    assert.is(among(['/{x}']).match('/%zz'), undefined)
    assert.is(among([]).match('/a/%FF'), undefined)
  })
})

const captured = (template: string, path: string): ReadonlyArray<PathCapture> | undefined =>
  among([template]).match(path)?.matches[0]?.captures.map(formsOf)

describe('matcher: captures', (test) => {
  table(
    test,
    [
      [
        '/{x}',
        '/a%20b;c',
        { text: 'a b', raw: 'a%20b', segments: ['a b'], rawSegments: ['a%20b'] },
      ],
      [
        '/{rest}',
        '/a%2F/b;c',
        { text: 'a//b', raw: 'a%2F/b', segments: ['a/', 'b'], rawSegments: ['a%2F', 'b'] },
      ],
      ['/p-{x}', '/p-%41', { text: 'A', raw: '%41', segments: ['A'], rawSegments: ['%41'] }],
      [
        '/{x:.+}',
        '/a/%41',
        { text: 'a/A', raw: 'a/%41', segments: ['a', 'A'], rawSegments: ['a', '%41'] },
      ],
      [
        '/{x:.+}',
        '/a%2F/b',
        { text: 'a//b', raw: 'a%2F/b', segments: ['a/', 'b'], rawSegments: ['a%2F', 'b'] },
      ],
      // the text of a group is a text like any other
      [
        '/{x:.+}-',
        '/a%2Fb-',
        { text: 'a/b', raw: 'a%2Fb', segments: ['a', 'b'], rawSegments: ['a%2Fb'] },
      ],
      [
        '/{x:[^%]+}-',
        '/a%2Fb-',
        { text: 'a/b', raw: 'a/b', segments: ['a', 'b'], rawSegments: ['a', 'b'] },
      ],
    ] as const,
    (template, path, expected) => assert.equal(captured(template, path), [expected]),
  )
})

describe('matcher: bounds', (test) => {
  test('an expression is not tried against more than 1024 characters', () => {
    assert.is(finds(['/{x:a+}'], `/${'a'.repeat(1024)}`)?.length, 1)
    assert.is(finds(['/{x:a+}'], `/${'a'.repeat(1025)}`)?.length, 0)
  })
  test('a group of a long escaped text keeps its escapes', () => {
    const raw = '%C3%A9'.repeat(500)
    const found = among(['/{x}-{y}']).match(`/${raw}-%62`)?.matches[0]?.captures
    assert.equal(
      found?.map((one) => [one.text, one.raw]),
      [
        ['é'.repeat(500), raw],
        ['b', '%62'],
      ],
    )
  })
  test('a long path of many branches is answered', () => {
    const templates = ['/{x:.*}/{y:.*}/{z:.*}/end', '/{rest}/{y:.*}/{z:.*}/stop']
    assert.equal(finds(templates, `/${'a/'.repeat(400)}b`), [])
    assert.equal(finds(templates, `/${'%61/'.repeat(400)}b`), [])
  })
  test('a long segment is one like others', () => {
    const long = 'a'.repeat(10_000)
    assert.equal(finds(['/{x}/b', `/${long}/c`], `/${long}/c`), [[`/${long}/c`]])
    assert.equal(finds(['/{x}/b', `/${long}/c`], `/${long}/b`), [['/{x}/b', long]])
  })
})

describe('Matcher.exactly', (test) => {
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
      ['/b', undefined], // has variables
      ['/50%', undefined], // cannot be decoded
      ['/c/d', undefined],
      ['/e;f', undefined], // a matrix parameter
    ],
    (path, expected) => assert.is(among(templates).findExact(path), expected),
  )
})
