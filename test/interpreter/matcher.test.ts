import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import * as Template from '../../src/endpoint/template.ts'
import * as Path from '../../src/http/path.ts'
import type { Matcher } from '../../src/interpreter/matcher.ts'
import { matcher } from '../../src/interpreter/matcher.ts'
import type { Pattern, SegmentPattern } from '../../src/interpreter/pattern.ts'
import { patternOf } from '../../src/interpreter/pattern.ts'
import { describe, law, table } from '../support/describe.ts'

/** A variable called `rest` takes several segments. */
const patternFor = (template: string): Pattern => {
  const parsed = Template.parse(template)
  if (E.isLeft(parsed)) throw new Error(parsed.left)
  return patternOf(parsed.right, new Set(['rest']))
}

/** A matcher whose sites are the templates themselves. */
const among = (templates: ReadonlyArray<string>): Matcher<string> =>
  matcher(
    templates.map((template) => ({ template, pattern: patternFor(template), value: template })),
  )

/** What is found, the best first: each template with what its variables took, decoded. */
type Finds = ReadonlyArray<readonly [template: string, ...texts: ReadonlyArray<string>]>

const finds = (templates: ReadonlyArray<string>, path: string): Finds | undefined =>
  among(templates)
    .match(path)
    ?.found.map(({ site, captures }) => [site, ...captures.map(({ text }) => text)])

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
    ] as const,
    (template, path, expected) =>
      assert.equal(among([template]).match(path)?.found[0]?.captures, [expected]),
  )
})

describe('matcher: bounds', (test) => {
  test('an expression is not tried against more than 1024 characters', () => {
    assert.is(finds(['/{x:a+}'], `/${'a'.repeat(1024)}`)?.length, 1)
    assert.is(finds(['/{x:a+}'], `/${'a'.repeat(1025)}`)?.length, 0)
  })
  test('a long path of many branches is answered', () => {
    const templates = ['/{x:.*}/{y:.*}/{z:.*}/end', '/{rest}/{y:.*}/{z:.*}/stop']
    assert.equal(finds(templates, `/${'a/'.repeat(400)}b`), [])
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
      ['//', undefined],
      ['/a//', undefined],
      ['/b', undefined], // has variables
      ['/50%', undefined], // cannot be decoded
      ['/c/d', undefined],
      ['/e;f', undefined], // a matrix parameter
    ],
    (path, expected) => assert.is(among(templates).exactly(path), expected),
  )
})

/** The obvious way: every template by itself, every way to share out the segments, the longest first. */
const scan = (templates: ReadonlyArray<string>, path: string): Finds | undefined => {
  const segments = Path.split(path)
  return segments === undefined
    ? undefined
    : templates.toSorted(byPrecedence).flatMap((template) => {
        const texts = share(patternFor(template).segments, segments)
        return texts === undefined ? [] : [[template, ...texts] as const]
      })
}

const share = (
  [pattern, ...others]: ReadonlyArray<SegmentPattern>,
  segments: ReadonlyArray<Path.Segment>,
): ReadonlyArray<string> | undefined => {
  if (pattern === undefined)
    return segments.length === 0 || (segments.length === 1 && segments[0]?.raw === '')
      ? []
      : undefined
  for (let length = segments.length; length > 0; length--) {
    const own = texts(pattern, segments.slice(0, length))
    const rest = own && share(others, segments.slice(length))
    if (own !== undefined && rest !== undefined) return [...own, ...rest]
  }
  return undefined
}

const texts = (
  pattern: SegmentPattern,
  segments: ReadonlyArray<Path.Segment>,
): ReadonlyArray<string> | undefined => {
  const text = segments.map((segment) => segment.text).join('/')
  const isFull = segments.every(({ raw }) => raw !== '')
  switch (pattern._tag) {
    case 'Text':
      return segments.length === 1 && text === pattern.text ? [] : undefined
    case 'One':
      return segments.length === 1 && isFull ? [text] : undefined
    case 'Rest':
      return isFull ? [text] : undefined
    case 'Expression': {
      if (segments.length > 1 && !pattern.spans) return undefined
      const groups = pattern.expression.exec(text)?.groups
      return groups === undefined ? undefined : ownGroups(groups)
    }
  }
}

const ownGroups = (groups: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(groups)
    .filter(([name]) => name.startsWith('espalier'))
    .map(([, taken]) => taken)

const byPrecedence = (a: string, b: string): number => {
  const [one, other] = [patternFor(a).precedence, patternFor(b).precedence]
  return (
    other.literals - one.literals ||
    (one.variables === 0 ? -1 : 0) - (other.variables === 0 ? -1 : 0) ||
    other.variables - one.variables ||
    other.expressions - one.expressions ||
    (a < b ? -1 : 1)
  )
}

describe('matcher against a scan of all templates', (test) => {
  const part = fc.constantFrom(
    'a',
    'b',
    'ab',
    '%61',
    'a%2Fb',
    '{x}',
    '{rest}',
    'a{x}',
    '{x}-{y}',
    '{x:a+}',
    '{x:[ab]}',
    'a{x:b*}',
    '{x:.*}',
    '{x:.+/.+}',
    '{x:a|a/b}b{y}',
  )
  const template = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`)
  const templates = fc.uniqueArray(template, { selector: (one) => patternFor(one).key })
  const piece = fc.constantFrom('a', 'b', 'ab', 'aa', 'a-b', '', 'a%2Fb', '%61', 'b;m=1')
  const path = fc
    .array(piece, { minLength: 1, maxLength: 6 })
    .map((pieces) => `/${pieces.join('/')}`)

  law(test, 'finds the same', fc.tuple(templates, path), ([all, one]) =>
    assert.equal(finds(all, one), scan(all, one)),
  )
  law(test, 'what is found exactly is the best', fc.tuple(templates, path), ([all, one]) => {
    const exact = among(all).exactly(one)
    if (exact !== undefined) assert.equal(scan(all, one)?.[0], [exact])
  })
})
