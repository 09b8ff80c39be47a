import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Path from '../../src/http/path.ts'
import * as Percent from '../../src/http/percent.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'

const segment = (text: string, raw = text, parameters = ''): Path.Segment => ({
  text,
  raw,
  parameters,
})

describe('Path.split', (test) => {
  table<readonly [string, ReadonlyArray<Path.Segment> | undefined]>(
    test,
    [
      ['/', [segment('')]],
      ['/a', [segment('a')]],
      ['/a/b', [segment('a'), segment('b')]],
      ['/a/', [segment('a'), segment('')]], // RFC 3986, 3.3: segment = *pchar
      ['//a', [segment(''), segment('a')]],
      ['/./a/..', [segment('.'), segment('a'), segment('..')]], // 5.2.4 applies to references, not to targets
      ['/%2e%2E', [segment('..', '%2e%2E')]],
      ['/a%2Fb', [segment('a/b', 'a%2Fb')]], // 2.2: an escaped delimiter is data
      ['/%2541', [segment('%41', '%2541')]], // 2.4: not decoded twice
      ['/a+b', [segment('a+b')]], // a plus sign is not decoded
      ['/name;v=1.1', [segment('name', 'name', 'v=1.1')]], // 3.3, first example of parameters
      ['/name,1.1', [segment('name,1.1')]], // 3.3, second example
      ['/;a', [segment('', '', 'a')]],
      ['/a;b;c=d/e;f', [segment('a', 'a', 'b;c=d'), segment('e', 'e', 'f')]],
      ['/a%3Bb;c', [segment('a;b', 'a%3Bb', 'c')]], // an escaped semicolon does not start a parameter
      ['/a;%zz', [segment('a', 'a', '%zz')]], // parameters are not decoded
      ['/%', [segment('%')]],
      ['/%%2F', [segment('%/', '%%2F')]],
      ['/a/%C0%AF', undefined],
    ],
    (path, expected) => assert.equal(Path.split(path), expected),
  )

  law(
    test,
    'never throws',
    fc.string({ unit: fc.constantFrom('/', ';', '%', '2', 'F', 'f', '=', '.', 'é') }),
    (text) => {
      const segments = Path.split(`/${text}`)
      assert.ok(segments === undefined || segments.length === text.split('/').length)
    },
  )
  roundTrip(
    test,
    fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
    (texts) => `/${texts.map(Percent.encode).join('/')}`,
    (path) => Path.split(path)?.map(({ text }) => text),
    (actual, texts) => assert.equal(actual, texts),
  )
})

describe('Path.matrix', (test) => {
  table(
    test,
    [
      ['/', []],
      ['/a/b', []],
      ['/a;x=1', [['x', '1']]],
      ['/a;x', [['x', undefined]]],
      ['/a;x=', [['x', '']]],
      ['/a;x=1=2', [['x', '1=2']]],
      ['/a;;x=1;', [['x', '1']]], // empty parameters are skipped
      [
        '/a;x=1;y=2',
        [
          ['x', '1'],
          ['y', '2'],
        ],
      ],
      [
        '/a;x=1/b;x=2;x=3',
        [
          ['x', '2'],
          ['x', '3'],
          ['x', '1'],
        ],
      ], // later segments are first
      ['/a;%78=%31', [['%78', '%31']]], // as received
    ] as const,
    (path, expected) => assert.equal(Path.matrix(Path.split(path) ?? []), expected),
  )
})
