/** Calls of other operations in the same tree through the complete pipeline. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { callWithFilters, headerOf } from '../../../src/client.ts'
import type { AnyReply } from '../../../src/index.ts'
import {
  body,
  created,
  form,
  get,
  handle,
  json,
  mapError,
  path,
  post,
  preMatching,
  produces,
  query,
  reply,
  requestFilter,
  responds,
  responseFilter,
  rewrite,
  routes,
  string,
  text,
  textStream,
  upload,
  withFilter,
  withHeader,
  withMapper,
} from '../../../src/index.ts'
import { valueContract } from '../../support/contract.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { Book, calling, Closed, getBook, nothing, summaryOf } from './called-books.ts'
import { turns } from '../../support/wait-until.ts'

const addBook = pipe(
  path('/books'),
  post(),
  query({ shelf: string }),
  body(json(Book)),
  responds(201, json(Book)),
  handle(({ body: book, query: { shelf } }, { request }) =>
    pipe(created('/books/1', { ...book, title: `${book.title} ${shelf}` }), (response) =>
      withHeader('X-Type', request.header('Content-Type') ?? '')(response),
    ),
  ),
)
const upload1 = pipe(
  path('/upload'),
  post(),
  form({ note: string, file: upload }),
  produces(text),
  handle(async ({ form: { note, file } }) => `${note} ${file.fileName} ${file.size}`),
)
const words = pipe(
  path('/words'),
  get(),
  produces(textStream),
  handle(async function* () {
    yield 'a'
    await turns(1)
    yield 'b'
  }),
)
valueContract(
  'callWithFilters',
  () =>
    pipe(
      routes({
        books: routes({ getBook, addBook, upload1, words, nothing }),
        book: calling('/call/book', (context, id) =>
          callWithFilters(context, getBook, { path: { id } }),
        ),
        add: calling('/call/add', (context, id) =>
          callWithFilters(context, addBook, {
            body: { id, title: 'Emma' },
            query: { shelf: 'a&b' },
          }),
        ),
        upload: calling('/call/upload', (context) =>
          callWithFilters(context, upload1, {
            form: { note: 'n', file: new File(['four'], 'f.txt') },
          }),
        ),
        nothing: calling('/call/nothing', (context) => callWithFilters(context, nothing)),
        words: calling('/call/words', (context) => async () => {
          const result = await callWithFilters(context, words)()
          if (E.isLeft(result)) return result
          const chunks: string[] = []
          for await (const chunk of result.right.body) chunks.push(chunk)
          return E.right({ ...result.right, body: chunks.join('') })
        }),
        headers: pipe(
          path('/call/headers'),
          get(),
          produces(text),
          handle(async (_, context) => {
            const result = await callWithFilters(
              context,
              getBook,
              { path: { id: 7 } },
              { headers: { 'X-Own': 'yes' } },
            )()
            if (E.isLeft(result)) return summaryOf(result)
            const { right } = result
            const url = right.url.replace(/^http:\/\/[\w.:]+/, '')
            return [url, headerOf('x-response')(right), headerOf('x-request')(right)].join()
          }),
        ),
      }),
      withMapper(mapError(Closed, ({ message }) => reply(503, `mapped ${message}`))),
      withFilter(
        preMatching(({ request }) =>
          request.path === '/books/77' ? rewrite({ target: '/books/7' }) : undefined,
        ),
        requestFilter(({ request, response }) => {
          response.addHeader('X-Request', `${request.method} ${request.header('X-Own') ?? 'no'}`)
          return request.path === '/books/13' ? reply(451, 'stopped') : undefined
        }),
        responseFilter((response: AnyReply, { endpoint }) =>
          withHeader('X-Response', endpoint?.name ?? '')(response),
        ),
      ),
    ),
  (test, send) => {
    const callOf = async (target: string) => responseTo(send, `GET /call/${target}`)

    test('returns a declared success, decoded', async () =>
      assert.equal(await callOf('book?n=7'), [200, 'Right 200 {"id":7,"title":"Emma"}']))
    test('returns a declared failure as a Left', async () =>
      assert.equal(await callOf('book?n=8'), [200, 'Left 404 "no such book"']))
    test('validates the input before sending', async () =>
      assert.equal(await callOf('book?n=101'), [
        200,
        'Left EncodeError books.getBook: invalid input: path id must be an integer from 1 to 100',
      ]))
    test('encodes the query and the body', async () =>
      assert.equal(await callOf('add?n=3'), [200, 'Right 201 {"id":3,"title":"Emma a&b"}']))
    test('sends files', async () =>
      assert.equal(await callOf('upload'), [200, 'Right 200 "n f.txt 4"']))
    test('reads streams', async () => assert.equal(await callOf('words'), [200, 'Right 200 "ab"']))
    test('a response without a body', async () =>
      assert.equal(await callOf('nothing'), [200, 'Right 204 undefined']))
    test('request filters can respond', async () =>
      assert.equal(await callOf('book?n=13'), [
        200,
        'Left UndeclaredStatus books.getBook: undeclared status 451 Unavailable For Legal Reasons',
      ]))
    test('pre-matching filters run', async () =>
      assert.equal(await callOf('book?n=77'), [200, 'Right 200 {"id":7,"title":"Emma"}']))
    test('mappers run', async () =>
      assert.equal(await callOf('book?n=9'), [
        200,
        'Left UndeclaredStatus books.getBook: undeclared status 503 Service Unavailable',
      ]))
    test('response filters run for the called and for the current operation', async () => {
      const response = await sendRequest(send, 'GET /call/headers')
      assert.is(await response.text(), '/books/7,books.getBook,GET yes')
      assert.equal(
        [response.headers.get('x-response'), response.headers.get('x-request')],
        ['headers', 'GET no'],
      )
    })
  },
)
