import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Hal from '../../src/http/hal.ts'
import { describe, law, table } from '../support/describe.ts'

type FormatRow = readonly [text: string, links: ReadonlyArray<Hal.HalLink>, curies?: Hal.Curies]

/** Returns the value of `_links` as JSON. */
const format = (...input: Parameters<typeof Hal.toObject>): string =>
  JSON.stringify(Hal.toObject(...input))

describe('Hal.toObject', (test) => {
  table<FormatRow>(
    test,
    [
      ['{}', []],
      ['{"self":{"href":"/b/1"}}', [{ rel: 'self', target: '/b/1' }]],
      ['{"find":{"href":"/b{?q}","templated":true}}', [{ rel: 'find', target: '/b{?q}' }]], // 5.2
      [
        '{"a":[{"href":"/1"},{"href":"/3"}],"b":{"href":"/2"}}',
        [
          { rel: 'a', target: '/1' },
          { rel: 'b', target: '/2' },
          { rel: 'a', target: '/3' },
        ],
      ],
      ['{"a":{"href":"/1"},"b":{"href":"/1"}}', [{ rel: ['a', 'b'], target: '/1' }]],
      [
        '{"a":{"href":"/1","type":"text/html","deprecation":"/why","name":"n","profile":"/p","title":"t","hreflang":"de"}}', // 5.3 to 5.8
        [
          {
            rel: 'a',
            target: '/1',
            title: 't',
            hreflang: 'de',
            profile: '/p',
            name: 'n',
            deprecation: '/why',
            type: 'text/html',
          },
        ],
      ],
      [
        '{"curies":[{"href":"/rels/{rel}","templated":true,"name":"acme"}],"acme:a":{"href":"/1"}}', // 8.2
        [{ rel: 'acme:a', target: '/1' }],
        { acme: '/rels/{rel}' },
      ],
      ['{"a":{"href":"/%C3%A9%20%22"}}', [{ rel: 'a', target: '/é "' }]],
      ['{"a\\"b":{"href":"/","title":"\\n"}}', [{ rel: 'a"b', target: '/', title: '\n' }]],
      [
        '{"__proto__":{"href":"/"},"constructor":{"href":"/"}}',
        [{ rel: ['__proto__', 'constructor'], target: '/' }],
      ],
      ['{"0":{"href":"/"},"1":{"href":"/"}}', [{ rel: ['1', '0'], target: '/' }]],
    ],
    (text, links, curies) => assert.is(format(links, curies), text),
  )
  law(
    test,
    'toObject contains each link under its relation type',
    fc.array(fc.record({ rel: fc.string(), target: fc.string() }, { noNullPrototype: true })),
    (links) => {
      const parsed = JSON.parse(format(links)) as Record<string, object | ReadonlyArray<object>>
      const relations = [...new Set(links.map(({ rel }) => rel))]
      assert.is(Object.keys(parsed).length, relations.length)
      for (const rel of relations) {
        const value = Object.getOwnPropertyDescriptor(parsed, rel)?.value as object
        assert.is([value].flat().length, links.filter((link) => link.rel === rel).length)
      }
    },
  )
})
