import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  attempt,
  between,
  boolean,
  cookie,
  encoded,
  get,
  handle,
  header,
  int,
  list,
  number,
  optional,
  path,
  query,
  separated,
  set,
  string,
  uuid,
  withDefault,
} from '../../../src/index.ts'
import { canGenerateCode } from '../../../src/codec/generated/select-back-end.ts'
import { SegmentCapture } from '../../../src/interpreter/routing/path-matcher.ts'
import { generateReader } from '../../../src/interpreter/parameters/generated-reader.ts'
import { readParameters } from '../../../src/interpreter/parameters/read-parameters.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import type { ParameterSource } from '../../../src/interpreter/parameters/raw-values.ts'
import { describe, law, table } from '../../support/describe.ts'
import { endpointPlan } from '../../support/plan.ts'

const plan = endpointPlan(
  pipe(
    path('/a'),
    get('/{id}/{name}', { id: int, name: encoded(string) }),
    query({
      page: withDefault(int, 1),
      q: optional(string),
      raw: optional(encoded(string)),
      flag: optional(boolean),
      tag: list(string),
      sort: separated(',')(set(int)),
      some: attempt(number),
      key: optional(uuid),
    }),
    header({ userAgent: optional(string), 'x-trace': list(string) }),
    cookie({ sid: optional(string), seen: list(int) }),
    handle(() => undefined),
  ),
)

const settings = { ...defaultSettings, 'fw.http.limits.max-parameters': 40 }
const interpretedReader = readParameters(plan, {
  ...settings,
  'fw.rest.jsonlib.optimization.enable-reflection-free-serializers': false,
})
const generatedReader = readParameters(plan, settings)

const sourceOf = (
  name: string,
  search: string | undefined,
  headers: ReadonlyArray<string> = [],
): ParameterSource => ({
  exchange: { path: `/a/1/${name}`, query: search, headers },
  captures: [new SegmentCapture('1', '1'), new SegmentCapture(decodeURIComponent(name), name)],
})

const concatenationOf = (...texts: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...texts), { maxLength: 4 }).map((parts) => parts.join(''))

const value = fc.oneof(
  concatenationOf('1', '2', 'true', 'a', '%41', '%4', '%ff', '+', ',', '=', ' ', ''),
  concatenationOf('0', '7', '-', '.', 'e', '%2B', ','), // numbers
)
const pair = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'page',
        'q',
        'raw',
        'flag',
        'tag',
        'sort',
        'some',
        'key',
        'p%61ge',
        'pages',
        'x',
        '',
      ),
      value,
    )
    .map(([name, text]) => `${name}=${text}`),
  fc.constantFrom('page', 'flag', 'tag', 'x', '', '%'),
)
const search = fc.option(
  fc.array(pair, { maxLength: 8 }).map((pairs) => pairs.join('&')),
  { nil: undefined },
)
const headerLists = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constantFrom('User-Agent', 'user-agent', 'X-Trace', 'X-Other'), value),
      fc.tuple(
        fc.constant('Cookie'),
        fc
          .array(fc.tuple(fc.constantFrom('sid', 'seen', ' sid ', 'side', 'x'), value), {
            maxLength: 4,
          })
          .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join('; ')),
      ),
    ),
    { maxLength: 4 },
  )
  .map((all) => all.flat())
const name = fc.constantFrom('b', '%62', 'b%2Fc', '%C3%A9')

describe('generated parameter reader', (test) => {
  test('is used if code generation is allowed', () =>
    assert.is(String(generatedReader) === String(interpretedReader), !canGenerateCode()))

  test('reads plain parameters without the fallback', () => {
    if (!canGenerateCode()) return
    const read = generateReader(plan, 40, () => {
      throw new Error('fallback called')
    })
    assert.ok(E.isRight(read(sourceOf('b', 'page=2&q=a&tag=a&tag=b', ['Cookie', 'sid=x']))))
    assert.ok(E.isLeft(read(sourceOf('b', 'page=x'))))
  })
  law(
    test,
    'returns the same results as the interpreted reader',
    fc.array(fc.tuple(name, search, headerLists), { minLength: 20, maxLength: 20 }),
    (requests) => {
      for (const [last, text, headers] of requests)
        assert.equal(
          generatedReader(sourceOf(last, text, headers)),
          interpretedReader(sourceOf(last, text, headers)),
        )
    },
  )
  table(
    test,
    [
      ['no query', undefined, { page: 1, tag: [], sort: new Set() }],
      [
        'all parameters',
        'page=2&q=a+b&raw=%41&flag&tag=a&tag=b&sort=2,1',
        { page: 2, q: 'a b', raw: '%41', flag: true, tag: ['a', 'b'], sort: new Set([2, 1]) },
      ],
      ['an escaped name', 'p%61ge=3', { page: 3 }],
      ['an empty value followed by another', 'page=&page=4', { page: 4 }],
    ] as ReadonlyArray<[string, string | undefined, object]>,
    (_, text, expected) => {
      const read = generatedReader(sourceOf('b', text))
      assert.ok(E.isRight(read))
      const decoded = Object(read.right['query'])
      for (const [key, expectedValue] of Object.entries(expected))
        assert.equal(decoded[key], expectedValue)
    },
  )
})

for (const [title, isGenerated] of [
  ['generated parameter reader', true],
  ['interpreted parameter reader', false],
] as const)
  describe(`${title} called again`, (test) => {
    const page = endpointPlan(
      pipe(
        path('/a'),
        get(),
        query({ page: int, rating: between(1, 9)(int), size: withDefault(int, 1) }),
        handle(() => undefined),
      ),
    )
    const read = readParameters(page, {
      ...settings,
      'fw.rest.jsonlib.optimization.enable-reflection-free-serializers': isGenerated,
    })
    const details = (text: string | undefined): unknown => {
      const result = read({
        exchange: { headers: [], path: '/a', query: text },
        captures: [],
      })
      return E.isLeft(result) ? result.left.map(({ detail, name: key }) => [key, detail]) : 'valid'
    }
    test('returns the error for each value', () => {
      for (let n = 0; n < 2; n++) {
        assert.equal(details(undefined), [
          ['page', 'is required and must be an integer'],
          ['rating', 'is required and must be an integer'],
        ])
        assert.equal(details('page=a&rating=0&size=b'), [
          ['page', 'must be an integer'],
          ['rating', 'must be an integer from 1 to 9'],
          ['size', 'must be an integer'],
        ])
        assert.equal(details('page=b&rating=a&size='), [
          ['page', 'must be an integer'],
          ['rating', 'must be an integer'],
        ])
        assert.equal(details('page=%E0%A4%A&rating=1'), [
          ['page', 'has malformed percent-encoding'],
        ])
        assert.is(details('page=1&rating=1'), 'valid')
      }
    })
  })
