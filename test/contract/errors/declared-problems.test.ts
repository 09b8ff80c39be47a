/** Failures that are declared with `problem` and `problemWith` (RFC 9457). */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../../src/index.ts'
import {
  Conflict,
  fails,
  get,
  handle,
  implement,
  int,
  json,
  mapError,
  path,
  problem,
  problemWith,
  produces,
  query,
  reply,
  requestId,
  responseFilter,
  routes,
  text,
  withFilter,
  withHeader,
  withInterceptor,
  withMapper,
  writerInterceptor,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const Balance = t.type({ balance: int })

const find = pipe(
  path('/found/{name}'),
  get(),
  produces(text),
  fails(404, problem),
  fails(409, problem),
  fails(422, json(t.strict({ code: int }))),
)

type Returned = ReturnType<HandlerOf<typeof find>>
type Row = readonly [name: string, create: () => Returned, status: number, document: object]

/** Casts a value that the type of the handler excludes. */
const untyped = (value: unknown): Returned => value as Returned

const full = {
  type: 'https://example.com/taken',
  title: 'Seat taken',
  status: 200,
  detail: 'Seat 4 is taken.',
  errors: [{ in: 'query', name: 'seat', detail: 'must be free' }],
  truncated: true,
  supported: ['GET'],
  instance: '/bookings/7',
} as const

const blank = { type: 'about:blank', title: 'Not Found', status: 404 }
const conflict = { type: 'about:blank', title: 'Conflict', status: 409 }

const rows: ReadonlyArray<Row> = [
  ['a reply with a detail', () => reply(404, { detail: 'no' }), 404, { ...blank, detail: 'no' }],
  ['an empty document', () => reply(404, {}), 404, blank],
  [
    'another declared status',
    () => reply(409, { detail: 'no' }),
    409,
    { ...conflict, detail: 'no' },
  ],
  ['a Left', () => E.left({ detail: 'no' }), 404, { ...blank, detail: 'no' }],
  ['an HttpError', () => new Conflict('no'), 409, { ...conflict, detail: 'no' }],
  ['a document with all members', () => reply(404, full), 404, { ...full, status: 404 }],
  ['a type without a title', () => reply(409, { type: '/a' }), 409, { type: '/a', status: 409 }],
  ['undeclared members are not sent', () => untyped(reply(404, { secret: 'hidden' })), 404, blank],
  ['a Left for another failure', () => E.left({ code: 1 }), 422, { code: 1 }],
]

/** Left values that must not be sent as problem documents, although all members of a document are optional. */
const internal: ReadonlyArray<[name: string, create: () => unknown]> = [
  ['an error', () => new Error('hidden')],
  ['an error with members', () => Object.assign(new Error('hidden'), { detail: 'hidden' })],
  ['a response of a client', () => ({ status: 404, headers: [], body: 'hidden', url: 'hidden' })],
  ['a document with undeclared members', () => ({ detail: 'hidden', other: 1 })],
  ['a document with a member of the wrong type', () => ({ detail: 404 })],
  ['a list', () => []],
  ['null', () => null],
]

const factories = new Map<string, () => Returned>([
  ...rows.map(([name, create]) => [name, create] as const),
  ...internal.map(([name, create]) => [name, () => untyped(E.left(create()))] as const),
])

class OutOfCredit extends Error {}

const api = pipe(
  routes({
    found: implement(find, ({ path: { name } }) => factories.get(name)?.() ?? 'unknown'),
    list: pipe(
      path('/list'),
      get(),
      query({ page: int }),
      produces(text),
      fails(400, problem),
      handle(() => 'all'),
    ),
    pay: pipe(
      path('/pay'),
      get(),
      produces(text),
      fails(403, problemWith(Balance)),
      handle(() => E.left({ detail: 'Not enough money.', balance: 30 })),
    ),
    mapped: pipe(
      path('/mapped'),
      get(),
      produces(text),
      handle(() => {
        throw new OutOfCredit()
      }),
    ),
    cached: pipe(
      path('/cached'),
      get(),
      produces(text),
      fails(410, problem),
      handle(() => pipe(reply(410, {}), withHeader('Cache-Control', 'max-age=60'))),
    ),
    moved: pipe(
      path('/moved'),
      get(),
      produces(text),
      fails(404, problem),
      handle(() => reply(404, { detail: 'no' })),
    ),
  }),
  withMapper(
    mapError(OutOfCredit, { fails: { 402: problem } }, () => reply(402, { detail: 'Pay first.' })),
  ),
  withFilter(
    requestId(),
    responseFilter((replied, { endpoint }) =>
      endpoint?.name === 'moved' ? reply(410, replied.entity) : replied,
    ),
  ),
)

const documentOf = async (response: Response) => {
  const { instance, ...document } = (await response.json()) as { readonly instance: string }
  return { instance, document }
}

valueContract('declared problem documents', api, (test, call) => {
  table<Row>(test, rows, async (name, _, status, expected) => {
    const response = await sendRequest(call, `GET /found/${encodeURIComponent(name)}`)
    const document = await response.json()
    assert.is(response.status, status)
    const isProblem = status !== 422
    assert.is(
      response.headers.get('content-type'),
      isProblem ? 'application/problem+json' : 'application/json',
    )
    assert.is(response.headers.get('cache-control'), isProblem ? 'no-store' : null)
    const id = response.headers.get('x-request-id')
    assert.equal(document, { ...(isProblem ? { instance: `urn:uuid:${id}` } : {}), ...expected })
  })

  table<(typeof internal)[number]>(test, internal, async (name) => {
    const response = await sendRequest(call, `GET /found/${encodeURIComponent(name)}`)
    assert.is(response.status, 500)
    assert.not.match(await response.text(), 'hidden')
  })

  test('validation errors of the framework are unchanged', async () => {
    const response = await sendRequest(call, 'GET /list?page=x')
    const { document } = await documentOf(response)
    assert.equal(document, {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'Request validation failed.',
      errors: [{ in: 'query', name: 'page', detail: 'must be an integer' }],
    })
  })

  test('problemWith sends extension members', async () => {
    const { document } = await documentOf(await sendRequest(call, 'GET /pay'))
    assert.equal(document, {
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: 'Not enough money.',
      balance: 30,
    })
  })

  test('an error mapper can declare a problem document', async () => {
    const { document } = await documentOf(await sendRequest(call, 'GET /mapped'))
    assert.equal(document, {
      type: 'about:blank',
      title: 'Payment Required',
      status: 402,
      detail: 'Pay first.',
    })
  })

  test('Cache-Control of the reply takes precedence', async () => {
    const { headers } = await sendRequest(call, 'GET /cached')
    assert.is(headers.get('cache-control'), 'max-age=60')
  })

  test('the document has the status that a response filter sets', async () => {
    const response = await sendRequest(call, 'GET /moved')
    assert.is(response.status, 410)
    const { document } = await documentOf(response)
    assert.equal(document, { type: 'about:blank', title: 'Gone', status: 410, detail: 'no' })
  })
})

const intercepted = pipe(
  routes({ found: implement(find, () => reply(404, { detail: 'no' })) }),
  withInterceptor(writerInterceptor((writing, proceed) => proceed(writing))),
)

valueContract('declared problem documents with a writer interceptor', intercepted, (test, call) =>
  test('are complete', async () => {
    const response = await sendRequest(call, 'GET /found/a')
    const { instance, document } = await documentOf(response)
    assert.match(instance, /^urn:uuid:/)
    assert.equal(document, { ...blank, detail: 'no' })
    assert.is(response.headers.get('cache-control'), 'no-store')
  }),
)
