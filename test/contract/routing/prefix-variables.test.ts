/** Path prefixes with variables, whose decoded values fill slots. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  encoded,
  get,
  handle,
  int,
  json,
  mapError,
  needs,
  next,
  NotFound,
  nonBlocking,
  path,
  plainDate,
  post,
  prefix,
  produces,
  provide,
  rawJson,
  reply,
  requestFilter,
  responseFilter,
  routes,
  segments,
  slot,
  string,
  text,
  withFilter,
  withHeader,
  withMapper,
} from '../../../src/index.ts'
import { valueContract } from '../../support/contract.ts'
import {
  inputAsJson,
  responseTo,
  sendRequest,
  testRequests,
  validationErrorsOf,
} from '../../support/send-request.ts'

const Tenant = slot(int)('tenant')
const Name = slot<string>()('name')
const Day = slot(plainDate)('day')
const Rest = slot(segments(string))('rest')
const Raw = slot(encoded(string))('raw')
const Doubled = slot<number>()('doubled')

const book = pipe(path('/books'), needs({ tenant: Tenant }), produces(rawJson))
const readBook = pipe(book, get('/{id}', { id: int }), handle(inputAsJson))
const addBook = pipe(book, post(), handle(inputAsJson))

const doubling = requestFilter({ needs: { n: Tenant }, gives: { doubled: Doubled } }, (_, { n }) =>
  next({ doubled: 2 * n }),
)
const early = pipe(
  requestFilter({ needs: { tenant: Tenant } }, ({ response }, { tenant }) => {
    response.addHeader('X-Tenant', String(tenant))
    return tenant === 13 ? reply(451, 'closed') : undefined
  }),
  nonBlocking,
)
const readDouble = pipe(
  path('/double'),
  get(),
  needs({ doubled: Doubled, tenant: Tenant }),
  produces(rawJson),
  handle(inputAsJson),
)

const tenants = pipe(
  routes({ readBook, addBook, double: pipe(routes({ readDouble }), withFilter(doubling)) }),
  withFilter(early),
  prefix('/t/{tenant}', { tenant: Tenant }),
)

const showAll = pipe(
  path('/all/{name}'),
  get(),
  needs({ tenant: Tenant, day: Day, name: Name }),
  produces(rawJson),
  handle(inputAsJson),
)
const nested = pipe(
  routes({ showAll }),
  prefix('/{day:\\d{4}-.+}/{user}-x', { day: Day, user: Name }),
  prefix('nested/{tenant}', { tenant: Tenant }),
)

const showText = pipe(
  path(''),
  get(),
  needs({ name: Name }),
  produces(text),
  handle((input) => input.needs.name),
)
const showRaw = pipe(
  path(''),
  get(),
  needs({ raw: Raw }),
  produces(text),
  handle((input) => input.needs.raw),
)
const showRest = pipe(
  path('/end'),
  get(),
  needs({ rest: Rest }),
  produces(text),
  handle((input) => input.needs.rest.join(' ')),
)
const kinds = routes({
  name: pipe(routes({ showText }), prefix('/name/{name}', { name: Name })),
  word: pipe(routes({ showText }), prefix('/word/{name:[a-z]+}', { name: Name })),
  raw: pipe(routes({ showRaw }), prefix('/raw/{raw}', { raw: Raw })),
  rest: pipe(routes({ showRest }), prefix('/rest/{rest}', { rest: Rest })),
  provided: pipe(
    routes({ showText }),
    prefix('/inner/{name}', { name: Name }),
    provide({ name: 'outer' }),
  ),
  inner: pipe(
    routes({ showText }),
    provide({ name: 'provided' }),
    prefix('/outer/{name}', { name: Name }),
  ),
})

valueContract(
  'prefix variables',
  () => routes({ tenants, nested, kinds }),
  (test, call) => {
    testRequests(test, call, [
      [
        'fill the slots of handlers, next to the parameters of the operation',
        'GET /t/7/books/1',
        { path: { id: 1 }, needs: { tenant: 7 } },
      ],
      ['fill the slots of other methods', 'POST /t/7/books', { needs: { tenant: 7 } }],
      ['fill the slots of filters', 'GET /t/7/double', { needs: { doubled: 14, tenant: 7 } }],
      ['a value that does not decode', 'GET /t/seven/books/1', 404],
      [
        'a value that does not decode, for an operation without a body',
        'HEAD /t/seven/books/1',
        404,
      ],
      ['another invalid parameter', 'GET /t/7/books/one', 404],
      ['a missing segment', 'GET /t/books/1', 404],
      ['an undeclared method', 'DELETE /t/7/books', 405],
      [
        'matrix parameters of a prefix',
        'GET /t/7;a=b/books/1',
        { path: { id: 1 }, needs: { tenant: 7 } },
      ],
      [
        'nested prefixes',
        'GET /nested/7/2026-01-31/ann-x/all/own',
        { path: { name: 'own' }, needs: { tenant: 7, day: '2026-01-31', name: 'ann' } },
      ],
      ['an invalid value in an outer prefix', 'GET /nested/x/2026-01-31/ann-x/all/own', 404],
      ['an invalid value in an inner prefix', 'GET /nested/7/2026-02-31/ann-x/all/own', 404],
      ['an expression that does not match', 'GET /nested/7/20260131/ann-x/all/own', 404],
      ['percent-escapes are decoded', 'GET /name/a%2Fb%20c', 'a/b c'],
      ['an expression in a prefix', 'GET /word/abc', 'abc'],
      ['an expression in a prefix that does not match', 'GET /word/ABC', 404],
      ['an encoded value', 'GET /raw/a%2Fb', 'a%2Fb'],
      ['several segments', 'GET /rest/a/b%2Fc/end', 'a b/c'],
      ['the innermost value applies: a prefix in provide', 'GET /inner/x', 'x'],
      ['the innermost value applies: provide in a prefix', 'GET /outer/x', 'provided'],
    ])

    test('a value that does not decode is named in the problem document', async () => {
      const response = await sendRequest(call, 'GET /t/seven/books/one')
      assert.is(response.status, 404)
      assert.equal(await validationErrorsOf(response), [['path', 'tenant', 'must be an integer']])
    })
    test('a value that does not decode is rejected before request filters run', async () => {
      const [valid, invalid] = [
        await sendRequest(call, 'GET /t/13/books/1'),
        await sendRequest(call, 'GET /t/x13/books/1'),
      ]
      assert.equal([valid.status, valid.headers.get('x-tenant')], [451, '13'])
      assert.equal([invalid.status, invalid.headers.get('x-tenant')], [404, null])
    })
    test('OPTIONS does not decode the variables', async () => {
      const { status, headers } = await sendRequest(call, 'OPTIONS /t/seven/books')
      assert.equal([status, headers.get('allow')], [204, 'POST, OPTIONS'])
    })
  },
)

const Strange = slot(
  new t.Type<string, string>(
    'Strange',
    t.string.is,
    (value) => {
      if (value === 'gone') throw new NotFound('gone')
      throw new Error(String(value))
    },
    String,
  ),
)('strange')
const uriValues = pipe(
  path('/{own}'),
  get(),
  produces(json(t.array(t.tuple([t.string, t.string])))),
  handle((_, { uri }): Array<[string, string]> => [...uri.pathParameters]),
)
const never = pipe(
  path(''),
  get(),
  produces(text),
  handle(() => 'reached'),
)

valueContract(
  'prefix variables with mappers and response filters',
  () =>
    pipe(
      routes({
        uri: pipe(routes({ uriValues }), prefix('/u/{tenant}', { tenant: Tenant })),
        strange: pipe(routes({ never }), prefix('/s/{strange}', { strange: Strange })),
      }),
      withMapper(mapError(NotFound, ({ detail }) => reply(404, `mapped: ${detail}`))),
      withFilter(responseFilter(withHeader('X-Filtered', 'yes'))),
    ),
  (test, call) => {
    test('context.uri has the variables of prefixes', async () =>
      assert.equal(await responseTo(call, 'GET /u/7/x'), [
        200,
        [
          ['tenant', '7'],
          ['own', 'x'],
        ],
      ]))
    test('an invalid value is mapped and passes response filters', async () => {
      const response = await sendRequest(call, 'GET /u/x/x')
      assert.equal([response.status, response.headers.get('x-filtered')], [404, 'yes'])
      assert.match(await response.text(), 'mapped: ')
    })
    test('an HttpError thrown by a codec determines the response', async () =>
      assert.is((await sendRequest(call, 'GET /s/gone')).status, 404))
    test('any other error thrown by a codec results in a 404 response', async () =>
      assert.is((await sendRequest(call, 'GET /s/x')).status, 404))
  },
)
