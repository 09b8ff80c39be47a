/** Calls and their answers as a program sees them: what is sent, what is on the right, and what is on the left. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ClientRequest, Policy } from '../../src/client.ts'
import { CallFailed, headerOf, promising } from '../../src/client.ts'
import {
  as,
  cookie,
  del,
  fails,
  get,
  handle,
  head,
  header,
  html,
  int,
  json,
  list,
  mapError,
  matrix,
  method,
  noContent,
  notFound,
  ok,
  optional,
  path,
  prefix,
  produces,
  query,
  queryMap,
  reply,
  requestFilter,
  responds,
  responseHeader,
  routes,
  seeOther,
  segments,
  separated,
  status,
  string,
  text,
  withFilter,
  withMapper,
} from '../../src/index.ts'
import { called, errorIn, left, right } from '../support/clients.ts'

const Book = t.type({ title: t.string })
const emma = { title: 'Emma' }
const Missing = t.type({ missing: t.string })
class Gone extends Error {}

const api = pipe(
  routes({
    find: pipe(
      path('/books/{isbn}'),
      get(),
      produces(json(Book)),
      fails(404, json(Missing)),
      fails(410),
      handle(({ path: { isbn } }) => {
        if (isbn === 'gone') return E.left(reply(410))
        if (isbn === 'defect') throw new Gone('broken')
        return isbn === 'none' ? E.left({ missing: isbn }) : E.right(emma)
      }),
    ),
    numbered: pipe(
      path('/numbered/{n}', { n: int }),
      get(),
      query({ max: optional(int) }),
      produces(text),
      fails(404, json(Missing)),
      handle((input) => String(input.path.n)),
    ),
    list: pipe(
      path('/books'),
      get(),
      query({ tag: list(string), sort: separated(',')(list(string)), page: optional(int) }),
      queryMap,
      produces(json(t.unknown)),
      handle((input, { request }) => ok([request.query ?? '', [...input.queryMap]])),
    ),
    remove: pipe(
      path('/books/{isbn}'),
      del(),
      responds(204),
      handle(() => noContent),
    ),
    absent: pipe(
      path('/absent'),
      get(),
      produces(json(optional(Book))),
      handle(() => undefined),
    ),
    nullable: pipe(
      path('/nullable'),
      get(),
      produces(json(t.union([Book, t.null]))),
      handle(() => null),
    ),
    maybe: pipe(
      path('/maybe'),
      get(),
      query({ found: int }),
      responds(200, text),
      responds(404, text),
      handle((input) => (input.query.found === 1 ? ok('yes') : notFound('no'))),
    ),
    ask: pipe(
      path('/ask'),
      head(),
      responseHeader('X-Seen', 'yes'),
      produces(text),
      handle(() => 'unseen'),
    ),
    away: pipe(
      path('/away'),
      get(),
      responds(303),
      handle(() => seeOther('/elsewhere')),
    ),
    pick: pipe(
      path('/pick'),
      get(),
      produces(as('text/plain;qs=0.5')(text), html),
      fails(409, json(Missing)),
      handle((_, { request }) => String(request.header('accept'))),
    ),
    fields: pipe(
      path('/fields'),
      get(),
      header({ xTrace: optional(string), accept: optional(string) }),
      cookie({ size: optional(string), 'a-b': list(string) }),
      produces(json(t.unknown)),
      handle((input, { request }) =>
        ok({
          ...input.header,
          ...input.cookie,
          cookies: request.header('cookie'),
          agent: request.header('user-agent'),
          authorization: request.header('authorization'),
          more: request.header('x-more'),
        }),
      ),
    ),
    cars: pipe(
      path('/cars/{rest}', { rest: segments(string) }),
      get(),
      matrix({ colour: list(string) }),
      produces(text),
      handle((input, { request }) => `${request.path} ${input.matrix.colour.join()}`),
    ),
    purge: pipe(
      path('/purge'),
      method('PURGE')(),
      responds(204),
      handle(() => noContent),
    ),
    deep: routes({
      deeper: routes({
        status: pipe(
          path('/deep'),
          get(),
          status(202),
          handle(() => {}),
        ),
      }),
    }),
    guarded: pipe(
      routes({
        look: pipe(
          path('/guarded/{who}'),
          get(),
          produces(json(Book)),
          fails(403, text),
          handle((input) => {
            if (input.path.who === 'broken') throw new Gone('broken')
            return E.left('own')
          }),
        ),
      }),
      withFilter(
        requestFilter({ fails: { 401: text, 403: json(Missing) } }, ({ request }) => {
          if (request.path.endsWith('nobody')) return reply(401, 'who are you?')
          return request.path.endsWith('somebody') ? reply(403, { missing: 'a role' }) : undefined
        }),
      ),
      withMapper(
        mapError(Gone, { fails: { 410: json(Missing) } }, () => reply(410, { missing: 'all' })),
      ),
    ),
  }),
  prefix('/api'),
)

called('answers', api, (test, calling) => {
  test('a success is on the right, with its head', async () => {
    const answer = await right(calling().find({ path: { isbn: '0-13' } }))
    assert.is(answer.status, 200)
    assert.equal(answer.body, emma)
    assert.ok(answer.url.endsWith('/api/books/0-13'))
    assert.is(headerOf('Content-Type')(answer), 'application/json')
    assert.ok(Object.isFrozen(answer))
  })
  test('R-387: an answer bears nothing of a reply', async () => {
    const answer = await right(calling().find({ path: { isbn: '0-13' } }))
    assert.equal(Reflect.ownKeys(answer), ['status', 'headers', 'body', 'url'])
  })
  test('R-443: a declared failure is on the left, with its content', async () => {
    const failure = await left(calling().find({ path: { isbn: 'none' } }))
    assert.ok('status' in failure && failure.status === 404 && !('_tag' in failure))
    assert.equal('body' in failure && failure.body, { missing: 'none' })
  })
  test('R-443: a declared failure without content', async () => {
    const failure = await left(calling().find({ path: { isbn: 'gone' } }))
    assert.is('status' in failure && failure.status, 410)
    assert.is('body' in failure && failure.body, undefined)
  })
  test('R-443: a status of 400 or more that is declared as a response is on the right', async () => {
    const answer = await right(calling().maybe({ query: { found: 0 } }))
    assert.is(answer.status, 404)
    assert.is(answer.body, 'no')
  })
  test('R-445: an undeclared status says which operation, and what it was told', async () => {
    const error = await errorIn(calling().find({ path: { isbn: 'defect' } }))
    assert.is(error._tag, 'UndeclaredStatus')
    assert.is(error.message, 'find: answered 500 Internal Server Error, which is not declared')
    assert.is(error.operation, 'find')
    if (error._tag !== 'UndeclaredStatus') return
    assert.is(error.status, 500)
    assert.is(error.problem?.title, 'Internal Server Error')
    assert.ok(error.content.startsWith('{"type":"about:blank"'))
  })
  test('R-464: a problem under a declared status is no declared failure', async () => {
    const sent = calling().numbered({ path: { n: 1 }, query: { max: 1 } })
    assert.is((await right(sent)).body, '1')
    const error = await errorIn(
      calling({ baseUrl: `${(await right(sent)).url.split('/api')[0]}/no` }).numbered({
        path: { n: 1 },
      }),
    )
    assert.is(error._tag, 'DecodeError')
    assert.is('problem' in error && error.problem?.status, 404)
  })
  test('R-434: 204 has no content', async () => {
    const answer = await right(calling().remove({ path: { isbn: '1' } }))
    assert.equal([answer.status, answer.body], [204, undefined])
  })
  test('R-434: nothing where there might have been something', async () => {
    const answer = await right(calling().absent())
    assert.equal([answer.status, answer.body], [204, undefined])
    assert.is((await right(calling().nullable())).body, null)
  })
  test('an answer to HEAD has a head only', async () => {
    const answer = await right(calling().ask())
    assert.is(answer.body, undefined)
    assert.is(headerOf('x-seen')(answer), 'yes')
  })
  test('R-447: a redirection is an answer like others', async () => {
    const answer = await right(calling().away())
    assert.is(answer.status, 303)
    assert.is(headerOf('location')(answer), '/elsewhere')
  })
  test('a method of one’s own', async () => assert.is((await right(calling().purge())).status, 204))
  test('R-462: trees within trees', async () => {
    const answer = await right(calling().deep.deeper.status())
    assert.equal([answer.status, answer.body], [202, undefined])
  })
  test('R-439: everything that is declared is accepted, the first with the greatest weight', async () =>
    assert.is(
      (await right(calling().pick())).body,
      'text/html, text/plain;q=0.9, application/json;q=0.8, application/problem+json',
    ))
  test('answers of filters and mappers are declared failures', async () => {
    const { look } = calling().guarded
    const of = async (who: string): Promise<unknown> => {
      const failure = await left(look({ path: { who } }))
      return 'body' in failure ? [failure.status, failure.body] : failure
    }
    assert.equal(await of('nobody'), [401, 'who are you?'])
    assert.equal(await of('somebody'), [403, { missing: 'a role' }])
    assert.equal(await of('anybody'), [403, 'own'])
    assert.equal(await of('broken'), [410, { missing: 'all' }])
  })
})

called('requests', api, (test, calling) => {
  const queryOf = async (
    lists: 'repeat' | 'comma' | 'brackets',
    tag: ReadonlyArray<string>,
  ): Promise<unknown> =>
    ((await right(calling({ lists }).list({ query: { tag, sort: [] } }))).body as unknown[])[0]
  test('R-435: lists repeat', async () => {
    assert.is(await queryOf('repeat', ['a', 'b&']), 'tag=a&tag=b%26')
    assert.is(await queryOf('repeat', []), '')
  })
  test('R-435: lists with commas', async () =>
    assert.is(await queryOf('comma', ['a', 'b,']), 'tag=a,b%2C'))
  test('R-435: lists with brackets, and a single value without', async () => {
    assert.is(await queryOf('brackets', ['a', 'b']), 'tag%5B%5D=a&tag%5B%5D=b')
    assert.is(await queryOf('brackets', ['a']), 'tag=a')
  })
  test('R-435: what is separated is joined, and what is missing left out', async () => {
    const answer = await right(
      calling().list({ query: { tag: [], sort: ['-a', 'b'], page: undefined } }),
    )
    assert.equal(answer.body, ['sort=-a%2Cb', [['sort', ['-a,b']]]])
  })
  test('R-435: null is left out', async () => {
    const input = { query: { tag: [], sort: [], page: null as never } }
    assert.equal((await right(calling().list(input))).body, ['', []])
  })
  test('R-435: a map of parameters expands', async () => {
    const queryMap = new Map([
      ['é', ['1', '2']],
      ['none', []],
    ])
    assert.equal(
      (await right(calling().list({ query: { tag: ['t'], sort: [] }, queryMap }))).body,
      [
        'tag=t&%C3%A9=1&%C3%A9=2',
        [
          ['tag', ['t']],
          ['é', ['1', '2']],
        ],
      ],
    )
  })
  test('R-437: header fields and cookies', async () => {
    const answer = await right(
      calling().fields({
        header: { xTrace: 'é;' },
        cookie: { size: 'a;b "é"', 'a-b': ['1', '2'] },
      }),
    )
    assert.equal(answer.body, {
      xTrace: 'é;',
      accept: 'application/json, application/problem+json',
      size: 'a;b "é"',
      'a-b': ['1', '2'],
      cookies: 'size=a%3Bb%20%22%C3%A9%22; a-b=1; a-b=2',
      agent: 'espalier/0.1.0',
    })
  })
  test('R-436, R-440: fields of a client, of a parameter and of a call, the nearest wins', async () => {
    const none = { cookie: { 'a-b': [] } }
    const sender = calling({
      headers: { 'User-Agent': 'me', 'X-More': 'client', Accept: 'application/json' },
    })
    const of = async (...input: Parameters<typeof sender.fields>): Promise<unknown> => {
      const { accept, agent, more } = (await right(sender.fields(...input))).body as Record<
        string,
        unknown
      >
      return [accept, agent, more]
    }
    assert.equal(await of(none), ['application/json', 'me', 'client'])
    assert.equal(await of({ ...none, header: { accept: 'application/*' } }), [
      'application/*',
      'me',
      'client',
    ])
    assert.equal(await of(none, { headers: { 'x-more': 'call', 'USER-AGENT': 'you' } }), [
      'application/json',
      'you',
      'call',
    ])
  })
  test('R-442: user information of the base URL is sent as a field', async () => {
    const { url } = await right(calling().pick())
    const at = new URL(url)
    const baseUrl = `http://us%40r:p%3Aw@${at.host}/`
    const answer = await right(calling({ baseUrl }).fields({ cookie: { 'a-b': [] } }))
    assert.is(
      (answer.body as Record<string, unknown>)['authorization'],
      `Basic ${btoa('us@r:p:w')}`,
    )
  })
  test('R-433: a call may go elsewhere', async () => {
    const { url } = await right(calling().pick())
    const elsewhere = calling({ baseUrl: 'http://nowhere.invalid' })
    const baseUrl = url.split('/api')[0] ?? ''
    assert.is((await right(elsewhere.away({}, { baseUrl }))).status, 303)
    assert.is((await errorIn(elsewhere.away({}, { baseUrl: 'nowhere' })))._tag, 'EncodeError')
  })
  test('R-437: segments and matrix parameters', async () =>
    assert.is(
      (
        await right(
          calling().cars({ path: { rest: ['a/b', 'ç;'] }, matrix: { colour: ['r=', ';'] } }),
        )
      ).body,
      '/api/cars/a%2Fb/%C3%A7%3B;colour=r%3D;colour=%3B r=,;',
    ))
  for (const isbn of ['', '.', '..'])
    test(`a value never leaves its segment: "${isbn}"`, async () => {
      const error = await errorIn(calling().find({ path: { isbn } }))
      assert.is(error._tag, 'EncodeError')
      assert.equal('faults' in error && error.faults.map((one) => [one.in, one.name]), [
        ['path', 'isbn'],
      ])
    })
  test('everything that cannot be sent is said at once', async () => {
    const error = await errorIn(
      calling().fields(
        { header: { xTrace: 'a\r\nb' }, cookie: { size: '\ud800', 'a-b': [1 as never] } },
        { headers: { 'X Y': '1' } },
      ),
    )
    assert.equal('faults' in error && error.faults.map((one) => one.name), [
      'x-trace',
      'size',
      'a-b',
      'X Y',
    ])
  })
})

called('runs', api, (test, calling) => {
  test('nothing is sent before the task runs, and each run sends anew', async () => {
    const sent: ClientRequest[] = []
    const counting: Policy = {
      _tag: 'Policy',
      around: (next) => (request) => {
        sent.push(request)
        return next(request)
      },
    }
    const task = calling({ policies: [counting] }).away()
    assert.is(sent.length, 0)
    await task()
    await task()
    assert.is(sent.length, 2)
    assert.equal(sent[0]?.operation, { name: 'away', template: '/api/away', method: 'GET' })
  })
  test('policies stand in their order, those of a call outermost', async () => {
    const order: string[] = []
    const named = (name: string): Policy => ({
      _tag: 'Policy',
      around: (next) => (request) => {
        order.push(name)
        return next(request)
      },
    })
    const sender = calling({ policies: [named('first'), named('second')] })
    await right(sender.away({}, { policies: [named('call')] }))
    assert.equal(order, ['call', 'first', 'second'])
  })
  test('R-457: an aborted call says so', async () => {
    const error = await errorIn(calling().away({}, { signal: AbortSignal.abort('enough') }))
    assert.is(error._tag, 'Aborted')
    assert.is(error.cause, 'enough')
  })
  test('promises resolve with the success and reject with the failure', async () => {
    const promised = promising(calling())
    assert.equal((await promised.find({ path: { isbn: '1' } })).body, emma)
    assert.is((await promised.deep.deeper.status()).status, 202)
    const rejected = async (isbn: string): Promise<CallFailed> => {
      try {
        await promised.find({ path: { isbn } })
      } catch (error) {
        if (error instanceof CallFailed) return error
        throw error
      }
      throw new Error('it resolved')
    }
    const failed = await rejected('none')
    assert.is(failed.message, 'find: answered 404 Not Found')
    assert.is(failed.name, 'CallFailed')
    assert.equal('body' in failed.failure && failed.failure.body, { missing: 'none' })
    assert.is((await rejected('')).message.slice(0, 31), 'find: the input cannot be sent:')
  })
  test('R-464: an answer that is not what was declared says where', async () => {
    const fetch = (): Promise<Response> => Promise.resolve(Response.json({ title: 1 }))
    const error = await errorIn(calling({ fetch }).find({ path: { isbn: '1' } }))
    assert.is(error._tag, 'DecodeError')
    assert.equal('faults' in error && error.faults, [
      { in: 'body', pointer: '#/title', detail: 'has to be: string' },
    ])
    assert.is(
      error.message,
      'find: answered 200 with another content than declared: body #/title has to be: string',
    )
  })
})
