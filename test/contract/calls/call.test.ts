/** Calls of other operations in the same tree without filters. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  authenticated,
  basic,
  body,
  call,
  Conflict,
  created,
  fails,
  get,
  handle,
  int,
  json,
  mapError,
  mapTagged,
  needs,
  next,
  nonBlocking,
  notFound,
  optional,
  path,
  post,
  prefix,
  produces,
  provide,
  query,
  raises,
  reply,
  requestFilter,
  responds,
  responseFilter,
  responseHeader,
  routes,
  slot,
  string,
  text,
  textStream,
  withFilter,
  withHeader,
  withMapper,
} from '../../../src/index.ts'
import { valueContract } from '../../support/contract.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'

const Book = t.type({ id: t.number, title: t.string })
const Missing = t.type({ missing: t.number })
class Closed extends Error {}
interface Sold {
  readonly _tag: 'Sold'
  readonly id: number
}

const emma = { id: 7, title: 'Emma' }
const counted: string[] = []

/** Responds in a different way for each id. */
const getBook = pipe(
  path('/books/{id}', { id: int }),
  get(),
  query({ as: optional(string) }),
  produces(json(t.union([Book, t.undefined]))),
  responds(202, json(t.string)),
  fails(404, json(Missing)),
  fails(409),
  raises<Sold>(),
  handle(({ path: { id }, query: { as } }) => {
    counted.push(`book ${id}`)
    switch (id) {
      case 7:
        return emma
      case 2:
        return reply(202, as ?? 'later')
      case 3:
        return notFound({ missing: 3 })
      case 4:
        return E.left({ missing: 4 })
      case 5:
        throw new Conflict('five')
      case 6:
        return E.left(new Conflict('six'))
      case 8:
        return E.left({ _tag: 'Sold', id } as const)
      case 9:
        throw new Closed('nine')
      default:
        return undefined
    }
  }),
)

/** The result of a call as a short text. */
const summaryOf = (
  result: E.Either<unknown, { readonly status: number; readonly entity: unknown }>,
) => {
  const value = E.isRight(result) ? result.right : result.left
  const content =
    value instanceof Error
      ? `${value.name} ${value.message}`
      : typeof value === 'object' && value !== null && 'status' in value && 'entity' in value
        ? `${String(value.status)} ${JSON.stringify(value.entity)}`
        : JSON.stringify(value)
  return `${result._tag} ${content}`
}

const summary = pipe(
  path('/summary/{id}', { id: int }),
  get(),
  produces(text),
  handle(async ({ path: { id } }, context) =>
    summaryOf(await call(context, getBook, { path: { id }, query: { as: 'soon' } })()),
  ),
)

const Secret = t.type({ secret: t.string })
const Ann = slot<string>()('ann')
const Early = slot<string>()('early')
const Tenant = slot(int)('tenant')
const Other = slot(int)('other')

const guarded = pipe(
  path('/guarded'),
  post(),
  authenticated,
  body(json(Secret)),
  needs({ ann: Ann, early: Early, tenant: Tenant }),
  responds(201, text),
  responseHeader('X-Declared', 'yes'),
  handle(({ body: { secret }, needs: { ann, early, tenant } }, { endpoint, request, response }) => {
    response.addHeader('X-Added', 'by the callee')
    return pipe(
      created('/x', [secret, ann, early, tenant, endpoint.name, request.path].join('|')),
      withHeader('X-Reply', 'yes'),
    )
  }),
)
const early = requestFilter({ gives: { early: Early } }, ({ request }) => {
  counted.push('early')
  return request.header('X-Stop') === undefined ? next({ early: 'e' }) : reply(403)
})
const rejecting = requestFilter(() => {
  counted.push('rejecting')
  return reply(403)
})
const asGuarded = pipe(
  path('/as-guarded'),
  get(),
  produces(text),
  handle((_, context) =>
    pipe(
      call(context, guarded, { body: { secret: 's' } }),
      TE.map(({ entity, headers }) => `${entity} ${headers.join()}`),
    ),
  ),
)
const withOwnNeeds = pipe(
  path('/own-needs'),
  get(),
  produces(text),
  handle((_, context) =>
    pipe(
      call(context, guarded, {
        body: { secret: 's' },
        needs: { ann: 'bea', early: 'late', tenant: 1 },
      }),
      TE.map(({ entity }) => entity),
    ),
  ),
)
const scoped = pipe(
  routes({
    inner: pipe(
      routes({ guarded }),
      withFilter(rejecting, responseFilter(withHeader('X-Filtered', 'yes'))),
      provide({ ann: 'ann' }),
    ),
    asGuarded,
    deeper: pipe(routes({ withOwnNeeds }), prefix('/deeper')),
  }),
  withFilter(pipe(early, nonBlocking), basic({ realm: 'r', verify: () => undefined })),
  prefix('/t/{tenant}', { tenant: Tenant }),
)
const outside = pipe(
  path('/outside'),
  get(),
  produces(text),
  handle(async (_, context) => {
    try {
      return summaryOf(await call(context, guarded, { body: { secret: '' } })())
    } catch (error) {
      return String(error)
    }
  }),
)
const elsewhere = pipe(routes({ sameSlot: asGuarded }), prefix('/u/{tenant}', { tenant: Other }))

const streamed = pipe(
  path('/streamed'),
  get(),
  produces(textStream),
  handle(() => ['a', 'b']),
)
const collected = pipe(
  path('/collected'),
  get(),
  produces(text),
  handle(async (_, context) => {
    const result = await call(context, streamed)()
    if (E.isLeft(result)) throw result.left
    const { status, entity } = result.right
    return `${status} ${Symbol.iterator in entity ? [...entity].join() : 'not iterable'}`
  }),
)

valueContract(
  'call',
  () =>
    pipe(
      routes({
        books: routes({ getBook }),
        summary,
        scoped,
        outside,
        elsewhere,
        streamed,
        collected,
      }),
      withMapper(
        mapError(Closed, ({ message }) => reply(503, `mapped ${message}`)),
        mapTagged({ Sold: ({ id }: Sold) => reply(410, `sold ${id}`) }),
      ),
    ),
  (test, send) => {
    const summaryFor = async (id: number) => responseTo(send, `GET /summary/${id}`)

    test('a value is a reply with the declared status', async () =>
      assert.equal(await summaryFor(7), [200, 'Right 200 {"id":7,"title":"Emma"}']))
    test('a reply is returned as it is', async () =>
      assert.equal(await summaryFor(2), [200, 'Right 202 "soon"']))
    test('no value is a 204 reply', async () =>
      assert.equal(await summaryFor(1), [200, 'Right 204 undefined']))
    test('a declared failure is a Left', async () => {
      assert.equal(await summaryFor(3), [200, 'Left 404 {"missing":3}'])
      assert.equal(await summaryFor(4), [200, 'Left 404 {"missing":4}'])
    })
    test('an HttpError is a Left, whether it is thrown or returned', async () => {
      assert.equal(await summaryFor(5), [200, 'Left Conflict five'])
      assert.equal(await summaryFor(6), [200, 'Left Conflict six'])
    })
    test('the source of a stream is returned as it is', async () =>
      assert.equal(await responseTo(send, 'GET /collected'), [200, '200 a,b']))
    test('a tagged error is a Left and not mapped', async () =>
      assert.equal(await summaryFor(8), [200, 'Left {"_tag":"Sold","id":8}']))
    test('any other error rejects the promise, and is mapped for the current operation', async () =>
      assert.equal(await summaryFor(9), [503, 'mapped nine']))

    test('filters and access rules of the operation do not run', async () => {
      counted.length = 0
      const response = await sendRequest(send, 'GET /t/5/as-guarded')
      const { headers } = response
      assert.equal(
        [response.status, await response.text()],
        [200, 's|ann|e|5|scoped.inner.guarded|/t/5/as-guarded Location,/x,X-Reply,yes'],
      )
      assert.equal(counted, ['early'])
      assert.is(headers.get('x-added'), 'by the callee')
      assert.equal(
        ['x-filtered', 'x-declared', 'x-reply'].map((name) => headers.get(name)),
        [null, null, null],
      )
    })
    test('needs in the input take precedence', async () =>
      assert.equal(await responseTo(send, 'GET /t/5/deeper/own-needs'), [
        200,
        's|bea|late|1|scoped.inner.guarded|/t/5/deeper/own-needs',
      ]))
    test('a slot that only a filter of the called operation fills is missing', async () =>
      assert.equal(await responseTo(send, 'GET /outside'), [
        200,
        'TypeError: missing dependency: the slot "early" of scoped.inner.guarded has no value for this request, so pass it in needs',
      ]))
    test('a prefix variable with another slot does not fill a slot', async () =>
      assert.is((await sendRequest(send, 'GET /u/5/as-guarded')).status, 500))
  },
)
