/** Parameters with several values or none: collections, optional parameters, defaults and separators. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  attempt,
  bigint,
  dateFormat,
  fromString,
  get,
  handle,
  header,
  int,
  list,
  optional,
  path,
  plainDate,
  produces,
  query,
  rawJson,
  routes,
  separated,
  set,
  sortedSet,
  string,
  withDefault,
} from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { testRequests, sendRawRequest, inputAsJson } from '../../support/send-request.ts'
import { describe } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const hex = fromString(
  'hexadecimal',
  (written) => (/^[0-9a-f]+$/.test(written) ? Number.parseInt(written, 16) : undefined),
  (value) => value.toString(16),
)

const api = routes({
  many: pipe(
    path('/many'),
    get(),
    query({
      list: list(int),
      texts: list(string),
      array: t.array(int),
      set: set(int),
      sorted: sortedSet(int),
      words: sortedSet(string),
      days: set(plainDate),
      sizes: sortedSet(bigint),
      dates: sortedSet(dateFormat('dd/MM/yyyy')(plainDate)),
      hexes: list(hex),
      optional: optional(list(int)),
      withDefault: withDefault(list(int), [1, 2]),
      commas: separated(',')(int),
      dots: separated('.')(set(int)),
      pipes: optional(separated('||')(list(string))),
    }),
    produces(rawJson),
    handle((input) => inputAsJson(input.query)),
  ),
  absent: pipe(
    path('/absent'),
    get(),
    query({ optional: optional(int), withDefault: withDefault(int, 7), attempt: attempt(int) }),
    produces(rawJson),
    handle(({ query: { attempt: attempted, ...rest } }) =>
      inputAsJson({
        ...rest,
        attempt: pipe(
          attempted,
          E.getOrElse(() => -1),
        ),
      }),
    ),
  ),
  headers: pipe(
    path('/headers'),
    get(),
    header({ xTag: list(string), xSize: separated(',')(int) }),
    produces(rawJson),
    handle((input) => inputAsJson(input.header)),
  ),
})

const noValues = {
  list: [],
  texts: [],
  array: [],
  set: { set: [] },
  sorted: { set: [] },
  words: { set: [] },
  days: { set: [] },
  sizes: { set: [] },
  dates: { set: [] },
  hexes: [],
  withDefault: [1, 2],
  commas: [],
  dots: { set: [] },
}
const many = (values: object) => ({ ...noValues, ...values })

valueContract('collection parameters', api, (test, call) =>
  testRequests(test, call, [
    ['a list of a custom codec', 'GET /many?hexes=a&hexes=ff', many({ hexes: [10, 255] })],
    ['missing collections are empty', 'GET /many', noValues],
    ['a list of several values', 'GET /many?list=2&list=1&list=2', many({ list: [2, 1, 2] })],
    ['a list of one value', 'GET /many?list=2', many({ list: [2] })],
    ['t.array of several values', 'GET /many?array=2&array=1', many({ array: [2, 1] })],
    ['a set removes duplicates', 'GET /many?set=2&set=1&set=2', many({ set: { set: [2, 1] } })],
    [
      'a sorted set of integers',
      'GET /many?sorted=10&sorted=9&sorted=10',
      many({ sorted: { set: [9, 10] } }),
    ],
    [
      'a sorted set of strings',
      'GET /many?words=b&words=a&words=B',
      many({ words: { set: ['B', 'a', 'b'] } }),
    ],
    [
      'a set of dates removes duplicates',
      'GET /many?days=2024-02-29&days=2024-01-31&days=2024-02-29',
      many({ days: { set: ['2024-02-29', '2024-01-31'] } }),
    ],
    [
      'a sorted set of bigints',
      'GET /many?sizes=10&sizes=9&sizes=10',
      many({ sizes: { set: ['9n', '10n'] } }),
    ],
    [
      'a sorted set of dates in a pattern',
      'GET /many?dates=01/02/2024&dates=02/01/2024',
      many({ dates: { set: ['2024-01-02', '2024-02-01'] } }),
    ],
    ['a list with an invalid value', 'GET /many?list=1&list=x', 400],
    ['an optional list', 'GET /many?optional=1', many({ optional: [1] })],
    ['an optional value', 'GET /absent?optional=1', { optional: 1, withDefault: 7, attempt: -1 }],
    ['a missing value with a default', 'GET /absent', { withDefault: 7, attempt: -1 }],
    [
      'a present value with a default',
      'GET /absent?withDefault=1',
      { withDefault: 1, attempt: -1 },
    ],
    ['an invalid value with a default', 'GET /absent?withDefault=x', 400],
    ['a present list with a default', 'GET /many?withDefault=3', many({ withDefault: [3] })],
    ['a valid attempt', 'GET /absent?attempt=1', { withDefault: 7, attempt: 1 }],
    ['an invalid attempt is a Left', 'GET /absent?attempt=x', { withDefault: 7, attempt: -1 }],
    ['a value split at commas', 'GET /many?commas=1,2', many({ commas: [1, 2] })],
    [
      'several values split at commas',
      'GET /many?commas=1,2&commas=3',
      many({ commas: [1, 2, 3] }),
    ],
    ['an escaped separator', 'GET /many?commas=1%2C2', many({ commas: [1, 2] })],
    ['empty elements are ignored', 'GET /many?commas=,1,,2,', many({ commas: [1, 2] })],
    [
      'a separator that is special in regular expressions',
      'GET /many?dots=1.2.1',
      many({ dots: { set: [1, 2] } }),
    ],
    [
      'a separator of two characters',
      'GET /many?pipes=a%7C%7Cb%7Cc',
      many({ pipes: ['a', 'b|c'] }),
    ],
    [
      'spaces after a separator are kept',
      'GET /many?pipes=a%7C%7C%20b',
      many({ pipes: ['a', ' b'] }),
    ],
  ]),
)

describe('header parameters in several lines', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await serve(api, { logger: silentLogger, 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
  })
  after(() => server?.close())

  test('each line is a value, split only by separated', async () => {
    const response = await sendRawRequest(server?.url ?? '', {
      path: '/headers',
      headers: { 'X-Tag': ['a, b', 'c'], 'X-Size': ['1,2', '3'] },
    })
    assert.equal(await response.json(), { xTag: ['a, b', 'c'], xSize: [1, 2, 3] })
  })
})
