/** The error statuses that documents list for an operation. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  basic,
  BadRequest,
  HttpError,
  apiKey,
  attempt,
  authenticated,
  bearer,
  blocking,
  body,
  bytes,
  conditional,
  cookie,
  critical,
  fails,
  file,
  form,
  get,
  handle,
  header,
  idempotent,
  int,
  json,
  limits,
  mapError,
  matrix,
  optional,
  path,
  permitAll,
  post,
  prefix,
  problem,
  produces,
  put,
  query,
  queryMap,
  rateLimit,
  reply,
  requestFilter,
  rolesAllowed,
  routes,
  segments,
  slot,
  string,
  text,
  withEtag,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'
import { checkResponse, describeOnly, describeTree, operationOf, responseOf } from '../document.ts'

/** An operation that can respond with 200 only. */
const readers = basic({
  realm: 'library',
  verify: ({ user }) => ({ name: user, roles: ['reader'] }),
})

const at = 'http://localhost'

const plain = pipe(path('/'), post(), critical)

const statusesOf = (...parameters: Parameters<typeof describeOnly>): ReadonlyArray<number> =>
  Object.keys(describeOnly(...parameters).responses).map(Number)

describe('the statuses of an operation', (test) => {
  const jakarta = { settings: { 'fw.rest.conversion-failure': 'jakarta' } } as const
  const tenant = slot(int)('tenant')
  // prettier-ignore
  const rows: ReadonlyArray<readonly [title: string, Parameters<typeof describeOnly>, statuses: ReadonlyArray<number>]> = [
    ['without input', [routes({ operation: plain })], [204]],
    ['with a text query parameter, which can have malformed escapes', [routes({ operation: pipe(plain, query({ q: optional(string) })) })], [204, 400]],
    ['with a query parameter and jakarta', [routes({ operation: pipe(plain, query({ q: int })) }), jakarta], [204, 404]],
    ['with a matrix parameter', [routes({ operation: pipe(plain, matrix({ q: optional(string) })) })], [204, 400]],
    ['with a map of all query parameters', [routes({ operation: pipe(plain, queryMap) })], [204, 400]],
    ['with an optional text header', [routes({ operation: pipe(plain, header({ trace: optional(string) })) })], [204]],
    ['with an optional text header that must occur once', [routes({ operation: pipe(plain, header({ trace: optional(string) })) }), { settings: { 'fw.rest.duplicate-scalar': 'reject' } }], [204, 400]],
    ['with a required text header', [routes({ operation: pipe(plain, header({ trace: string })) })], [204, 400]],
    ['with an optional number in a header', [routes({ operation: pipe(plain, header({ trace: optional(int) })) })], [204, 400]],
    ['with a header that the handler checks', [routes({ operation: pipe(plain, header({ trace: attempt(optional(int)) })) })], [204]],
    ['with a cookie', [routes({ operation: pipe(plain, cookie({ c: optional(string) })) })], [204, 400]],
    ['with a text path variable', [routes({ operation: pipe(path('/{name}'), post(), critical) })], [204]],
    ['with a number in the path', [routes({ operation: pipe(path('/{id}', { id: int }), post(), critical) })], [204, 404]],
    ['with a regular expression in the path', [routes({ operation: pipe(path('/{id:[a-z]+}'), post(), critical) })], [204, 404]],
    ['with several segments', [routes({ operation: pipe(path('/{id}', { id: segments(string) }), post(), critical) })], [204]],
    ['with a number in the prefix', [pipe(routes({ operation: plain }), prefix('/{tenant}', { tenant }))], [204, 404]],
    ['with a JSON body', [routes({ operation: pipe(plain, body(json(t.string))) })], [204, 400, 413, 415, 503]],
    ['with a JSON body and unlimited memory', [routes({ operation: pipe(plain, body(json(t.string))) }), { settings: { 'fw.http.limits.max-buffered-size': 'unbounded' } }], [204, 400, 413, 415]],
    ['with bytes', [routes({ operation: pipe(plain, body(bytes)) })], [204, 413, 415, 503]],
    ['with bytes that can be compressed', [routes({ operation: pipe(plain, body(bytes)) }), { settings: { 'fw.http.enable-decompression': true } }], [204, 400, 413, 415, 503]],
    ['with a form', [routes({ operation: pipe(plain, form({ a: optional(string) })) })], [204, 400, 413, 415, 503]],
    ['that replaces a resource', [routes({ operation: pipe(path('/'), put(), critical) })], [204, 400]],
    ['that replaces parts of a resource', [routes({ operation: pipe(path('/'), put(), critical, header({ 'content-range': optional(string) })) })], [204]],
    ['with a representation', [routes({ operation: pipe(plain, produces(text)) })], [200, 406]],
    ['with an ETag of the body', [routes({ operation: pipe(path('/'), get(), critical, produces(withEtag('weak')(text))) })], [200, 304, 406, 412]],
    ['with an ETag of the body of a POST response', [routes({ operation: pipe(plain, produces(withEtag('weak')(text))) })], [200, 406]],
    ['with preconditions', [routes({ operation: pipe(path('/'), get(), critical, produces(text), conditional({ etag: () => 'v1' })) })], [200, 304, 406, 412]],
    ['with preconditions of a change', [routes({ operation: pipe(plain, conditional({ etag: () => 'v1' })) })], [204, 412]],
    ['with a file', [routes({ operation: pipe(path('/'), get(), critical, produces(file)) })], [200, 206, 304, 406, 412, 416]],
    ['with a file in a POST response', [routes({ operation: pipe(plain, produces(file)) })], [200, 406]],
    ['that is not critical', [routes({ operation: pipe(path('/'), post()) })], [204, 503]],
    ['without load shedding', [routes({ operation: pipe(path('/'), post()) }), { settings: { 'fw.http.overload.enabled': false } }], [204]],
    ['with a timeout', [routes({ operation: pipe(plain, limits({ timeout: 5 })) })], [204, 503]],
    ['that is blocking', [routes({ operation: pipe(plain, blocking) })], [204, 503, 504]],
    ['that is blocking without a timeout', [routes({ operation: pipe(plain, blocking) }), { settings: { 'fw.worker.timeout': 0 } }], [204, 503]],
    ['with authentication', [pipe(routes({ operation: plain }), withFilter(readers))], [204, 401]],
    ['with bearer tokens', [pipe(routes({ operation: plain }), withFilter(bearer({ verify: () => undefined })))], [204, 400, 401]],
    ['with optional authentication', [pipe(routes({ operation: pipe(plain, permitAll) }), withFilter(apiKey({ header: 'k', proactive: false, verify: () => undefined })))], [204]],
    ['for callers', [pipe(routes({ operation: pipe(plain, authenticated) }), withFilter(readers))], [204, 401]],
    ['for roles', [pipe(routes({ operation: pipe(plain, rolesAllowed('a')) }), withFilter(readers))], [204, 401, 403]],
    ['for roles in a contract', [routes({ operation: pipe(plain, rolesAllowed('a')) })], [204, 403]],
    ['with a rate limit', [routes({ operation: pipe(path("/"), post(), rateLimit({ limit: 1, window: '1m' })) })], [204, 429, 503]],
    ['that is critical in a limited tree', [pipe(routes({ operation: plain }), rateLimit({ limit: 1, window: '1m' }))], [204]],
    ['that is idempotent', [routes({ operation: pipe(plain, idempotent()) })], [204, 400, 409, 422, 503]],
    ['with a safe method in an idempotent tree', [pipe(routes({ operation: pipe(path('/'), get(), critical, handle(() => undefined)) }), idempotent())], [204]],
    ['with a filter that declares a reply', [pipe(routes({ operation: plain }), withFilter(requestFilter({ fails: { 429: text } }, () => reply(429, ''))))], [204, 429]],
    ['with a mapper that declares a reply', [pipe(routes({ operation: plain }), withMapper(mapError(RangeError, { fails: { 422: text } }, () => reply(422, ''))))], [204, 422]],
    ['with a mapper of bad requests', [pipe(routes({ operation: pipe(plain, query({ n: int })) }), withMapper(mapError(BadRequest, { fails: { 422: text } }, () => reply(422, ''))))], [204, 422]],
    ['with a mapper of all errors', [pipe(routes({ operation: pipe(plain, query({ n: int })) }), withMapper(mapError(HttpError, { fails: { 422: text } }, () => reply(422, ''))))], [204, 422]],
  ]
  for (const [title, parameters, statuses] of rows)
    test(`an operation ${title} has the statuses ${statuses.join(', ')}`, () => {
      assert.equal(statusesOf(...parameters), statuses)
    })
})

describe('declared errors', (test) => {
  const tree = routes({
    operation: pipe(
      path('/{id}', { id: int }),
      get(),
      produces(text),
      fails(404, json(t.type({ missing: t.number }))),
      fails(400, problem),
      query({ n: optional(int) }),
      handle(() => ''),
    ),
  })

  test('a declared status has the media types of the declaration and of the framework', () => {
    const document = describeTree(tree)
    const response = responseOf(document, operationOf(document, 'operation'), 404)
    assert.equal(Object.keys(response?.content ?? {}), [
      'application/json',
      'application/problem+json',
    ])
  })

  test('a declared problem document has the same schema as that of the framework', async () => {
    const document = describeTree(tree)
    const response = responseOf(document, operationOf(document, 'operation'), 400)
    assert.equal(response?.content, {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    })
    await checkResponse(document, 'operation', await inMemory(tree)(`${at}/1?n=x`))
    await checkResponse(document, 'operation', await inMemory(tree)(`${at}/x`))
  })
})
