/** Response filters: calls, replaced responses, failures, and the error that they receive. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  fails,
  get,
  handle,
  int,
  json,
  path,
  post,
  produces,
  query,
  reply,
  responseFilter,
  routes,
  text,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'

const Body = t.type({ a: t.string })
const textAt = (word: string) =>
  pipe(
    path(`/${word}`),
    get(),
    produces(text),
    handle(() => word),
  )

const filtered: unknown[] = []
const broken = pipe(
  path('/broken'),
  get(),
  produces(text),
  handle((): string => {
    throw new Error('broken')
  }),
)
const observed = pipe(
  routes({
    hello: textAt('hello'),
    broken,
    typed: pipe(
      path('/typed'),
      post(),
      body(json(Body)),
      query({ n: int }),
      produces(text),
      handle(() => 'typed'),
    ),
    failing: pipe(
      path('/failing'),
      get(),
      fails(410, text),
      handle(() => reply(410, 'gone')),
    ),
  }),
  withFilter(
    responseFilter((response, { endpoint }, failure) => {
      filtered.push([
        response.status,
        endpoint?.name,
        failure === undefined
          ? undefined
          : failure instanceof Error
            ? `${failure.name}: ${failure.message}`
            : 'no error',
      ])
      return pipe(response, withHeader('X-Seen', 'yes'))
    }),
  ),
)

contract('response filters run once for every response', observed, (test, call) => {
  const rows: ReadonlyArray<
    readonly [
      line: string,
      status: number,
      endpoint: string | undefined,
      failure: RegExp | undefined,
      init?: RequestInit,
    ]
  > = [
    ['GET /hello', 200, 'hello', undefined],
    ['HEAD /hello', 200, 'hello', undefined],
    ['OPTIONS /hello', 204, undefined, undefined],
    ['GET /nothing', 404, undefined, /NotFound/],
    ['PUT /hello', 405, undefined, /method/],
    ['GET /broken', 500, 'broken', /Error: broken/],
    ['GET /failing', 410, 'failing', undefined],
    [
      'POST /typed?n=x',
      400,
      'typed',
      /BadRequest/,
      { body: '{"a":"a"}', headers: { 'Content-Type': 'application/json' } },
    ],
    [
      'POST /typed?n=1',
      400,
      'typed',
      /BadRequest/,
      { body: '{"a":1}', headers: { 'Content-Type': 'application/json' } },
    ],
    [
      'POST /typed?n=1',
      415,
      undefined,
      /media type/,
      { body: 'a', headers: { 'Content-Type': 'text/plain' } },
    ],
    ['GET /hello', 406, undefined, /Accept/, { headers: { Accept: 'image/png' } }],
  ]
  for (const [line, status, endpoint, failure, init] of rows)
    test(`${line}: ${status}`, async () => {
      filtered.length = 0
      const response = await sendRequest(call, line, init)
      assert.is(response.status, status)
      assert.is(response.headers.get('X-Seen'), 'yes')
      assert.is(filtered.length, 1)
      const [[sent, name, error] = []] = filtered as ReadonlyArray<ReadonlyArray<unknown>>
      assert.equal([sent, name], [status, endpoint])
      if (failure === undefined) assert.is(error, undefined)
      else assert.match(String(error), failure)
    })

  test('a problem document is unchanged', async () => {
    const [status, problem] = await responseTo(call, 'GET /nothing')
    const { instance, ...rest } = problem as { instance: string }
    assert.is(status, 404)
    assert.match(instance, /^urn:uuid:/)
    assert.equal(rest, { type: 'about:blank', title: 'Not Found', status: 404 })
  })
})

const replacing = pipe(
  routes({
    number: pipe(
      path('/number'),
      get(),
      produces(json(int)),
      handle(() => 1),
    ),
    broken,
  }),
  withFilter(
    responseFilter((response, { request }) => {
      switch (request.query) {
        case 'entity':
          return { ...response, entity: 2 }
        case 'status':
          return reply(299, 'undeclared')
        case 'problem':
          return { ...response, entity: { ...(response.entity as object), title: 'Sorry' } }
        case 'throw':
          throw new Error('in a response filter')
        case 'promise':
          return Promise.resolve(pipe(response, withHeader('X-Async', 'yes')))
        case 'task':
          return () => Promise.resolve(pipe(response, withHeader('X-Async', 'yes')))
        case 'promise-undefined':
          return Promise.resolve(undefined)
        case 'null':
          return null as never
        case 'promise-null':
          return Promise.resolve(null as never)
        case 'invalid':
          return 'not a reply' as never
        case 'invalid-promise':
          return Promise.resolve('not a reply' as never)
        default:
          return undefined
      }
    }),
  ),
  withFilter(responseFilter(withHeader('X-Outer', 'yes'))),
)

contract('response filters that replace the response or fail', replacing, (test, call) => {
  test('a replaced entity is encoded as declared for the status', async () => {
    assert.equal(await responseTo(call, 'GET /number?entity'), [200, 2])
  })
  test('a reply with an undeclared status is sent', async () => {
    assert.equal(await responseTo(call, 'GET /number?status'), [299, 'undeclared'])
  })
  test('a changed problem document keeps its media type', async () => {
    const response = await sendRequest(call, 'GET /broken?problem')
    assert.is(response.headers.get('Content-Type'), 'application/problem+json')
    assert.is(((await response.json()) as { title: string }).title, 'Sorry')
  })
  for (const variant of ['promise', 'task'])
    test(`an asynchronous result is awaited: ${variant}`, async () => {
      assert.is((await sendRequest(call, `GET /number?${variant}`)).headers.get('X-Async'), 'yes')
    })
  for (const variant of ['promise-undefined', 'null', 'promise-null'])
    test(`an empty result keeps the response: ${variant}`, async () => {
      assert.equal(await responseTo(call, `GET /number?${variant}`), [200, 1])
    })
  for (const variant of ['invalid', 'invalid-promise'])
    test(`an invalid result returns 500: ${variant}`, async () => {
      const response = await sendRequest(call, `GET /number?${variant}`)
      assert.equal([response.status, response.headers.get('X-Outer')], [500, 'yes'])
    })
  test('a filter that throws returns 500, and other filters still run', async () => {
    const response = await sendRequest(call, 'GET /number?throw')
    assert.is(response.status, 500)
    assert.is(response.headers.get('X-Outer'), 'yes')
  })
})

const failures: unknown[] = []
const throwing = pipe(
  routes({
    throw: pipe(
      path('/throw/{value}'),
      get(),
      produces(text),
      handle(({ path: { value } }): Promise<string> => {
        if (value === 'rejected') return Promise.reject()
        throw value === 'null' ? null : value === 'undefined' ? undefined : value
      }),
    ),
  }),
  withFilter(responseFilter((_reply, _context, failure) => void failures.push(failure))),
)

contract('the error passed to response filters', throwing, (test, call) => {
  for (const [value, failure] of [
    ['text', 'text'],
    ['null', new TypeError('null was thrown')],
    ['undefined', new TypeError('undefined was thrown')],
    ['rejected', new TypeError('undefined was thrown')],
  ] as const)
    test(`a thrown value: ${value}`, async () => {
      failures.length = 0
      assert.is((await sendRequest(call, `GET /throw/${value}`)).status, 500)
      assert.equal(failures.map(String), [String(failure)])
    })
})
