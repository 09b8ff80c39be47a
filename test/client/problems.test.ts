/** Problem documents (RFC 9457) in declared failures, with and without a declared body. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ClientOf, DecodedFailure } from '../../src/client.ts'
import { client, isClientError, promiseClient } from '../../src/client.ts'
import {
  fails,
  get,
  head,
  int,
  json,
  path,
  problem,
  problemWith,
  produces,
  requestFilter,
  routes,
  text,
  withFilter,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'
import { turns, waitUntil } from '../support/wait-until.ts'

const Missing = t.type({ missing: t.string })

const api = routes({
  untyped: pipe(path('/untyped'), get(), produces(text), fails(404)),
  headed: pipe(path('/headed'), head(), fails(404)),
  custom: pipe(path('/custom'), get(), produces(text), fails(404, json(Missing))),
  typed: pipe(path('/typed'), get(), produces(text), fails(404, problem)),
  extended: pipe(
    path('/extended'),
    get(),
    produces(text),
    fails(404, problemWith(t.type({ balance: int }))),
  ),
  filtered: pipe(
    routes({ custom: pipe(path('/custom'), get(), produces(text), fails(404, json(Missing))) }),
    withFilter(requestFilter({ fails: { 404: [] } }, () => undefined)),
  ),
})

const taken = {
  type: 'about:blank',
  title: 'Not Found',
  status: 404,
  detail: 'no such seat',
  errors: [{ in: 'query', name: 'seat', detail: 'must be free' }],
  instance: 'urn:uuid:1',
  balance: 30,
} as const
const { balance: _balance, ...typed } = taken

interface Sent {
  readonly type?: string
  readonly content: unknown
}

/** Returns options of a client whose service sends one response with status 404. */
const responding = ({ type = 'application/problem+json', content }: Sent) => ({
  baseUrl: 'http://localhost',
  fetch: async (): Promise<Response> => {
    const body = typeof content === 'string' ? content : JSON.stringify(content)
    return new Response(body, { status: 404, headers: { 'Content-Type': type } })
  },
})

/** Calls an operation, and returns the declared failure. */
const failureOf = async (
  call: (service: ClientOf<typeof api>) => () => Promise<E.Either<unknown, unknown>>,
  sent: Sent,
): Promise<DecodedFailure<number, unknown>> => {
  const result = await call(client(api, responding(sent)))()
  if (E.isRight(result) || isClientError(result.left)) throw new Error('not a declared failure')
  return result.left as DecodedFailure<number, unknown>
}

describe('problem documents of declared failures', (test) => {
  table<readonly [name: string, sent: Sent, expected: unknown]>(
    test,
    [
      ['a problem document', { content: taken }, taken],
      ['parameters', { type: 'Application/Problem+JSON; a=b', content: taken }, taken],
      ['members of the wrong type', { content: { detail: 1, title: 'a' } }, { title: 'a' }],
      [
        'validation errors of another form',
        { content: { errors: { a: [] } } },
        { errors: { a: [] } },
      ],
      ['JSON of another type', { type: 'application/json', content: taken }, undefined],
      ['malformed JSON', { content: '{' }, undefined],
      ['a list', { content: [] }, undefined],
      ['an empty body', { content: '' }, undefined],
      ['more than 64 KiB', { content: { detail: 'a'.repeat(65_536) } }, undefined],
    ],
    async (_, sent, expected) => {
      const failure = await failureOf(({ untyped }) => untyped(), sent)
      assert.equal([failure.status, failure.body, failure.problem], [404, undefined, expected])
    },
  )

  test('a response to HEAD has none', async () => {
    const failure = await failureOf(({ headed }) => headed(), { content: '' })
    assert.is(failure.problem, undefined)
  })
  test('is available if another declaration of the status has a body', async () => {
    const failure = await failureOf(({ filtered }) => filtered.custom(), { content: taken })
    assert.equal([failure.body, failure.problem], [undefined, taken])
  })
  test('a declared body has none', async () => {
    const sent = { type: 'application/json', content: { missing: 'a' } }
    const { body, problem: none } = await failureOf(({ custom }) => custom(), sent)
    assert.equal([body, none], [{ missing: 'a' }, undefined])
  })

  test('an undeclared problem document results in a DecodeError that contains it', async () => {
    const result = await client(api, responding({ content: taken })).custom()()
    assert.ok(E.isLeft(result) && isClientError(result.left))
    const error = result.left
    assert.ok(error._tag === 'DecodeError')
    assert.equal(error.problem, taken)
    assert.is(
      error.message,
      'custom: invalid body in a response with status 404: body: must be application/json, got ' +
        'application/problem+json; no such seat: query seat must be free',
    )
  })
  test('a promise client includes the detail in the message', async () => {
    const service = promiseClient(api, responding({ content: taken }))
    const message = await service.untyped().then(
      () => '',
      (error: Error) => error.message,
    )
    assert.is(
      message,
      'untyped: failed with status 404 Not Found: no such seat: query seat must be free (GET http://localhost/untyped)',
    )
  })
})

describe('failures declared with problem', (test) => {
  table<readonly [name: string, content: unknown, body: unknown]>(
    test,
    [
      ['all members', typed, typed],
      ['no members', {}, {}],
      ['extension members are omitted', taken, typed],
      [
        'members of the wrong type are omitted',
        { detail: 1, status: '404', title: 'a' },
        { title: 'a' },
      ],
      ['errors that are not a list are omitted', { errors: { a: ['b'] } }, {}],
      [
        'unknown errors are omitted individually',
        { errors: [{ in: 'moon', detail: 'a' }, 'b', ...taken.errors] },
        { errors: taken.errors },
      ],
    ],
    async (_, content, body) => {
      const failure = await failureOf((service) => service.typed(), { content })
      assert.equal(failure.body, body)
    },
  )
  test('problem contains the omitted members', async () => {
    const content = { errors: { a: ['b'] }, balance: 30 }
    const failure = await failureOf((service) => service.typed(), { content })
    assert.equal(failure.problem, content)
  })
  test('Accept prefers problem documents to text, in which services can send errors', async () => {
    let accept: string | null = null
    const service = client(api, {
      baseUrl: 'http://localhost',
      fetch: async (url, init) => {
        accept = new Request(url, init).headers.get('accept')
        return new Response('{}', { status: 500 })
      },
    })
    await service.typed()()
    assert.is(accept, 'text/plain, application/problem+json')
  })
  test('a document that is not an object results in a DecodeError', async () => {
    const result = await client(api, responding({ content: [] })).typed()()
    assert.ok(E.isLeft(result) && isClientError(result.left))
    assert.is(result.left._tag, 'DecodeError')
  })
})

describe('failures declared with problemWith', (test) => {
  test('the body has the extension members', async () => {
    const failure = await failureOf(({ extended }) => extended(), { content: taken })
    assert.equal(failure.body, taken)
  })
  test('an invalid extension member results in a DecodeError with the document', async () => {
    const content = { ...taken, balance: 'a lot' }
    const result = await client(api, responding({ content })).extended()()
    assert.ok(E.isLeft(result) && isClientError(result.left))
    const error = result.left
    assert.ok(error._tag === 'DecodeError')
    assert.equal(error.problem, content)
    assert.equal(error.errors, [{ in: 'body', pointer: '#/balance', detail: 'must be an integer' }])
  })
})

/** Returns a service whose problem document never ends. `fail` makes the connection fail. */
const stalled = (signals: { fail?: (error: Error) => void }) => ({
  baseUrl: 'http://localhost',
  fetch: async (): Promise<Response> => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"detail":'))
        signals.fail = (error) => controller.error(error)
      },
    })
    const headers = { 'Content-Type': 'application/problem+json' }
    return new Response(body, { status: 404, headers })
  },
})

describe('problem documents that do not arrive', (test) => {
  test('an aborted call results in Aborted', async () => {
    const signals: { fail?: (error: Error) => void } = {}
    const controller = new AbortController()
    const pending = client(api, stalled(signals)).untyped({}, { signal: controller.signal })()
    await waitUntil(() => signals.fail !== undefined)
    await turns()
    controller.abort()
    signals.fail?.(new Error('aborted'))
    const result = await pending
    assert.ok(E.isLeft(result) && isClientError(result.left))
    assert.is(result.left._tag, 'Aborted')
  })
  test('a pause above the timeout results in TimedOut', async () => {
    const result = await client(api, stalled({})).untyped({}, { timeout: '20ms' })()
    assert.ok(E.isLeft(result) && isClientError(result.left))
    assert.is(result.left._tag, 'TimedOut')
  })
  test('a connection error results in the declared failure without the document', async () => {
    const signals: { fail?: (error: Error) => void } = {}
    const pending = client(api, stalled(signals)).untyped()()
    await waitUntil(() => signals.fail !== undefined)
    await turns()
    signals.fail?.(new Error('reset'))
    const result = await pending
    assert.ok(E.isLeft(result) && !isClientError(result.left))
    assert.equal([result.left.status, result.left.problem], [404, undefined])
  })
})
