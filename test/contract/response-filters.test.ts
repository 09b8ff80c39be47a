/** Filters on replies. */
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
} from '../../src/index.ts'
import { answerTo, ask } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

const No = t.type({ no: t.string })
const say = (word: string) =>
  pipe(
    path(`/${word}`),
    get(),
    produces(text),
    handle(() => word),
  )

const seen: unknown[] = []
const broken = pipe(
  path('/broken'),
  get(),
  produces(text),
  handle((): string => {
    throw new Error('broken')
  }),
)
const everyPath = pipe(
  routes({
    hello: say('hello'),
    broken,
    typed: pipe(
      path('/typed'),
      post(),
      body(json(No)),
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
    responseFilter((answered, { endpoint }, failure) => {
      seen.push([
        answered.status,
        endpoint?.name,
        failure === undefined
          ? undefined
          : failure instanceof Error
            ? `${failure.name}: ${failure.message}`
            : 'no error',
      ])
      return pipe(answered, withHeader('X-Seen', 'yes'))
    }),
  ),
)

contract('response filters see every reply once', everyPath, (test, call) => {
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
      { body: '{"no":"a"}', headers: { 'Content-Type': 'application/json' } },
    ],
    [
      'POST /typed?n=1',
      400,
      'typed',
      /BadRequest/,
      { body: '{"no":1}', headers: { 'Content-Type': 'application/json' } },
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
      seen.length = 0
      const response = await ask(call, line, init)
      assert.is(response.status, status)
      assert.is(response.headers.get('X-Seen'), 'yes')
      assert.is(seen.length, 1)
      const [[sent, name, error] = []] = seen as ReadonlyArray<ReadonlyArray<unknown>>
      assert.equal([sent, name], [status, endpoint])
      if (failure === undefined) assert.is(error, undefined)
      else assert.match(String(error), failure)
    })

  test('the problem document is as it would be without', async () => {
    const [status, problem] = await answerTo(call, 'GET /nothing')
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
    responseFilter((answered, { request }) => {
      switch (request.query) {
        case 'entity':
          return { ...answered, entity: 2 }
        case 'status':
          return reply(299, 'another')
        case 'problem':
          return { ...answered, entity: { ...(answered.entity as object), title: 'Sorry' } }
        case 'throw':
          throw new Error('in a response filter')
        case 'later':
          return Promise.resolve(pipe(answered, withHeader('X-Later', 'yes')))
        case 'task':
          return () => Promise.resolve(pipe(answered, withHeader('X-Later', 'yes')))
        case 'silently':
          return Promise.resolve(undefined)
        case 'nonsense':
          return 'no reply' as never
        case 'nonsense-later':
          return Promise.resolve('no reply' as never)
        default:
          return undefined
      }
    }),
  ),
  withFilter(responseFilter(withHeader('X-Outer', 'yes'))),
)

contract('a response filter replaces a reply, or fails', replacing, (test, call) => {
  test('another entity is written as the status was declared', async () => {
    assert.equal(await answerTo(call, 'GET /number?entity'), [200, 2])
  })
  test('another status is written without a declaration', async () => {
    assert.equal(await answerTo(call, 'GET /number?status'), [299, 'another'])
  })
  test('a problem with something changed is still a problem document', async () => {
    const response = await ask(call, 'GET /broken?problem')
    assert.is(response.headers.get('Content-Type'), 'application/problem+json')
    assert.is(((await response.json()) as { title: string }).title, 'Sorry')
  })
  for (const later of ['later', 'task'])
    test(`what comes ${later} is waited for`, async () => {
      assert.is((await ask(call, `GET /number?${later}`)).headers.get('X-Later'), 'yes')
    })
  test('nothing, later, leaves the reply as it is', async () => {
    assert.equal(await answerTo(call, 'GET /number?silently'), [200, 1])
  })
  for (const nonsense of ['nonsense', 'nonsense-later'])
    test(`what is no reply is a defect (${nonsense})`, async () => {
      const response = await ask(call, `GET /number?${nonsense}`)
      assert.equal([response.status, response.headers.get('X-Outer')], [500, 'yes'])
    })
  test('one that throws is a defect, and the others still run', async () => {
    const response = await ask(call, 'GET /number?throw')
    assert.is(response.status, 500)
    assert.is(response.headers.get('X-Outer'), 'yes')
  })
})

const told: unknown[] = []
const throwing = pipe(
  routes({
    throw: pipe(
      path('/throw/{what}'),
      get(),
      produces(text),
      handle(({ path: { what } }): Promise<string> => {
        if (what === 'rejected') return Promise.reject()
        throw what === 'null' ? null : what === 'undefined' ? undefined : what
      }),
    ),
  }),
  withFilter(responseFilter((_reply, _context, failure) => void told.push(failure))),
)

contract('the failure of what is no error', throwing, (test, call) => {
  for (const [what, failure] of [
    ['text', 'text'],
    ['null', new TypeError('null was thrown')],
    ['undefined', new TypeError('undefined was thrown')],
    ['rejected', new TypeError('undefined was thrown')],
  ] as const)
    test(what, async () => {
      told.length = 0
      assert.is((await ask(call, `GET /throw/${what}`)).status, 500)
      assert.equal(told.map(String), [String(failure)])
    })
})
