/** Replies, streams, redirects and delayed results: the headers and status of handler and endpoint combined. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  NotFound,
  Redirection,
  created,
  fails,
  form,
  get,
  handle,
  int,
  json,
  jsonStream,
  mapError,
  path,
  post,
  produces,
  reply,
  responds,
  responseHeader,
  routes,
  seeOther,
  status,
  string,
  text,
  textStream,
  withCookie,
  withHeader,
  withMapper,
} from '../../../src/index.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'
import { waitUntil } from '../../support/wait-until.ts'

const Book = t.type({ title: t.string })
const emma = { title: 'Emma' }

const streamOperation = pipe(
  path('/stream/{result}'),
  get(),
  produces(textStream),
  status(203),
  fails(410, text),
  responseHeader('X-Always', '1'),
  responseHeader('X-Always', '2'),
)

/** Resolvers of pending requests. */
const pending: Array<(word: string) => void> = []

const tree = pipe(
  routes({
    reply: pipe(
      path('/reply/{form}'),
      get(),
      responds(201, json(Book)),
      handle(({ path: { form: wrapper } }) => {
        const bookReply = pipe(
          created('/books/1', emma),
          withHeader('X-Own', 'a'),
          withCookie({ name: 'a', value: '1' }),
          withCookie({ name: 'b', value: '2' }),
        )
        switch (wrapper) {
          case 'plain':
            return bookReply
          case 'promised':
            return Promise.resolve(bookReply)
          case 'right':
            return E.right(bookReply)
          default:
            return () => Promise.resolve(bookReply)
        }
      }),
    ),
    stream: pipe(
      streamOperation,
      handle(({ path: { result } }) => {
        switch (result) {
          case 'an array':
            return ['a']
          case 'a promise':
            return Promise.resolve(['a'])
          case 'an async generator':
            return (async function* () {
              yield await Promise.resolve('a')
            })()
          case 'a declared failure':
            return E.left('gone')
          case 'an HttpError':
            throw new NotFound('none')
          case 'a mapped error':
            throw new RangeError('none')
          default:
            throw new Error('an internal error')
        }
      }),
    ),
    redirect: pipe(
      path('/books'),
      post(),
      form({ title: string }),
      responds(303),
      handle(({ form: { title } }) => {
        if (title === 'thrown') throw new Redirection(303, '/books/thrown')
        return seeOther(`/books/${title}`)
      }),
    ),
    read: pipe(
      path('/books/{title}'),
      get(),
      produces(text),
      handle((input) => input.path.title),
    ),
    pending: pipe(
      path('/pending/{n}', { n: int }),
      get(),
      produces(text),
      handle(
        ({ path: { n } }) =>
          new Promise<string>((resolve) => {
            pending.push((word) => resolve(`${word} ${n}`))
          }),
      ),
    ),
    resolve: pipe(
      path('/resolve'),
      get(),
      produces(text),
      handle(() => {
        for (const resolve of pending.splice(0)) resolve('resolved')
        return 'all'
      }),
    ),
    rejected: pipe(
      path('/rejected'),
      get(),
      produces(text),
      handle(() => Promise.reject<string>(new RangeError('later'))),
    ),
  }),
  withMapper(mapError(RangeError, ({ message }) => reply(418, message))),
)

contract('response construction', tree, (test, call) => {
  for (const wrapper of ['plain', 'promised', 'right', 'task'])
    test(`status, headers, cookies and body of a reply: ${wrapper}`, async () => {
      const response = await sendRequest(call, `GET /reply/${wrapper}`)
      assert.is(response.status, 201)
      assert.is(response.headers.get('location'), '/books/1')
      assert.is(response.headers.get('x-own'), 'a')
      assert.equal(response.headers.getSetCookie(), ['a=1', 'b=2'])
      assert.is(response.headers.get('content-type'), 'application/json')
      assert.equal(await response.json(), emma)
    })
  test('a rejected promise is mapped', async () =>
    assert.equal(await responseTo(call, 'GET /rejected'), [418, 'later']))

  const streams: ReadonlyArray<readonly [result: string, status: number, header: string | null]> = [
    ['an array', 203, '1, 2'],
    ['a promise', 203, '1, 2'],
    ['an async generator', 203, '1, 2'],
    ['a declared failure', 410, '1, 2'],
    ['an HttpError', 404, null],
    ['a mapped error', 418, null],
    ['an internal error', 500, null],
  ]
  for (const [result, expected, header] of streams)
    test(`status and headers of a stream operation with ${result}`, async () => {
      const response = await sendRequest(call, `GET /stream/${encodeURIComponent(result)}`)
      assert.is(response.status, expected)
      assert.is(response.headers.get('x-always'), header)
      if (expected === 203) assert.is(await response.text(), 'a')
    })

  for (const title of ['returned', 'thrown'])
    test(`a ${title} redirect after POST returns 303`, async () => {
      const sent = await sendRequest(call, 'POST /books', { body: new URLSearchParams({ title }) })
      assert.is(sent.status, 303)
      assert.is(await sent.text(), '')
      const location = sent.headers.get('location') ?? ''
      assert.is(location, `/books/${title}`)
      assert.equal(await responseTo(call, `GET ${location}`), [200, title])
    })

  test('200 pending requests do not block other requests', async () => {
    const count = 200
    const answers = Array.from({ length: count }, (_, n) => responseTo(call, `GET /pending/${n}`))
    await waitUntil(() => pending.length >= count)
    assert.equal(await responseTo(call, 'GET /books/persuasion'), [200, 'persuasion'])
    assert.equal(await responseTo(call, 'GET /resolve'), [200, 'all'])
    assert.equal(
      await Promise.all(answers),
      Array.from({ length: count }, (_, n) => [200, `resolved ${n}`]),
    )
  })
})

contract(
  'jsonStream of an array',
  routes({
    books: pipe(
      path('/books'),
      get(),
      produces(jsonStream(Book)),
      status(202),
      responseHeader('X-Always', 'yes'),
      handle(() => [emma]),
    ),
  }),
  (test, call) =>
    test('has the status and the headers of its operation', async () => {
      const response = await sendRequest(call, 'GET /books')
      assert.equal([response.status, response.headers.get('x-always')], [202, 'yes'])
      assert.equal(await response.json(), [emma])
    }),
)
