/** Conditional readers, writers and interceptors. */
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
} from '../../../src/index.ts'
import { describeRoutes, ConfigurationError } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { wrapWritten } from './body-text.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { Book, emma, lines } from './books.ts'
import { describe } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

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
    pipe(wrapWritten('outer'), dev),
    pipe(wrapWritten('inner'), dev, disabledWhen('inner', 'no')),
    pipe(
      readerInterceptor(() => emma),
      when(profile('test')),
    ),
  ),
)
const bookRequest = { headers: { 'Content-Type': 'text/x-book' }, body: '' }
const acceptLines = { headers: { Accept: 'text/x-lines' } }

valueContract(
  'enabled readers, writers and interceptors',
  api,
  (test, call) => {
    test('a reader and an interceptor run', async () =>
      assert.equal(await responseTo(call, 'POST /read', bookRequest), [200, 'outer(Emma)']))
    test('a writer runs', async () =>
      assert.match(
        await (await sendRequest(call, 'GET /write', acceptLines)).text(),
        /^outer\(dev text/,
      ))
  },
  { profile: 'dev', properties: { inner: 'no' } },
)

valueContract('excluded readers, writers and interceptors', api, (test, call) => {
  test('a body for an excluded reader returns 415', async () =>
    assert.is((await sendRequest(call, 'POST /read', bookRequest)).status, 415))
  test('a media type of an excluded writer returns 406', async () =>
    assert.is((await sendRequest(call, 'GET /write', acceptLines)).status, 406))
  test('an excluded interceptor does not run', async () =>
    assert.equal(await responseTo(call, 'GET /write'), [200, emma]))
})

describe('excluded providers of entities', (test) => {
  test('describeRoutes lists them', () => {
    const description = describeRoutes(api)
    for (const title of ['a reader', 'a writer', 'a reader interceptor', 'a writer interceptor'])
      assert.match(description, new RegExp(`${title} of the root`))
  })
  test('an entity with only an excluded writer is a configuration error', () => {
    const incomplete = pipe(
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
    assert.not.throws(() => inMemory(incomplete, { profile: 'dev' }))
    assert.throws(
      () => inMemory(incomplete),
      (error: unknown) =>
        error instanceof ConfigurationError && error.issues[0]?.code === 'FW-MEDIA-002',
    )
  })
})
