/** Readers, writers and interceptors under conditions. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  as,
  body,
  disabledWhen,
  entity,
  get,
  handle,
  path,
  post,
  produces,
  profile,
  reader,
  readerInterceptor,
  routes,
  text,
  when,
  withInterceptor,
  withReader,
  withWriter,
} from '../../src/index.ts'
import { explain, MistakesError } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'
import { around } from '../support/body-text.ts'
import { answerTo, ask } from '../support/ask.ts'
import { Book, emma, lines } from '../support/books.ts'
import { describe } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const dev = when(profile('dev'))
const api = pipe(
  routes({
    read: pipe(
      path('/read'),
      post(),
      body(entity(Book)),
      produces(text),
      handle((input) => input.body.title),
    ),
    write: pipe(
      path('/write'),
      get(),
      produces(entity(Book)),
      handle(() => emma),
    ),
  }),
  withReader(pipe(reader({ mediaType: 'text/x-book', read: () => emma }), dev)),
  withWriter(pipe(lines('dev', 'text/x-lines'), dev)),
  withInterceptor(
    pipe(around('around'), dev),
    pipe(around('again'), dev, disabledWhen('again', 'no')),
    pipe(
      readerInterceptor(() => emma),
      when(profile('test')),
    ),
  ),
)
const sent = { headers: { 'Content-Type': 'text/x-book' }, body: '' }
const lined = { headers: { Accept: 'text/x-lines' } }

contract(
  'readers, writers and interceptors that are there',
  api,
  (test, call) => {
    test('a reader and an interceptor', async () =>
      assert.equal(await answerTo(call, 'POST /read', sent), [200, 'around(Emma)']))
    test('a writer', async () =>
      assert.match(await (await ask(call, 'GET /write', lined)).text(), /^around\(dev text/))
  },
  { profile: 'dev', properties: { again: 'no' } },
)

contract('readers, writers and interceptors that are left out', api, (test, call) => {
  test('a reader', async () => assert.is((await ask(call, 'POST /read', sent)).status, 415))
  test('a writer', async () => assert.is((await ask(call, 'GET /write', lined)).status, 406))
  test('an interceptor', async () => assert.equal(await answerTo(call, 'GET /write'), [200, emma]))
})

describe('what is left out around entities', (test) => {
  test('is explained', () => {
    const explained = explain(api)
    for (const title of ['a reader', 'a writer', 'a reader interceptor', 'a writer interceptor'])
      assert.match(explained, new RegExp(`${title} around the whole tree`))
  })
  test('serves nobody, which is a mistake where nothing else does', () => {
    const needing = pipe(
      routes({
        write: pipe(
          path('/'),
          get(),
          produces(as('text/x-lines')(entity(Book))),
          handle(() => emma),
        ),
      }),
      withWriter(pipe(lines('dev', 'text/x-lines'), dev)),
    )
    assert.not.throws(() => inMemory(needing, { profile: 'dev' }))
    assert.throws(
      () => inMemory(needing),
      (error: unknown) =>
        error instanceof MistakesError && error.mistakes[0]?.code === 'FW-MEDIA-002',
    )
  })
})
