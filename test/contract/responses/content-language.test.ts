/** `Content-Language`, `Vary` and ETags of responses whose representations differ in language. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  conditional,
  fails,
  get,
  handle,
  inLanguage,
  language,
  notFound,
  ok,
  path,
  post,
  produces,
  reply,
  responds,
  responseFilter,
  responseHeader,
  routes,
  text,
  withEtag,
  withFilter,
  withInterceptor,
  writerInterceptor,
} from '../../../src/index.ts'
import type { Context } from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const english = inLanguage('en')
const german = inLanguage('de')

/** Returns the representation that a handler observes. */
const selectedIn = (_: unknown, { response }: Context) =>
  `${response.language} ${response.contentType}`

const api = routes({
  own: pipe(
    path('/own'),
    get(),
    produces(english(text), german(text)),
    handle(() => pipe(ok('c’est'), language('fr'))),
  ),
  headers: pipe(
    path('/headers'),
    get(),
    produces(english(text), german(text)),
    responseHeader('Content-Language', 'fr'),
    handle(() => 'all'),
  ),
  statuses: pipe(
    path('/statuses'),
    post(),
    body(german(text)),
    produces(text),
    responds(201, english(text), german(text)),
    responds(202),
    fails(404, german(text), english(text)),
    handle((input) =>
      input.body === '404'
        ? notFound('none')
        : input.body === '201'
          ? reply(201, 'created')
          : input.body === '202'
            ? reply(202)
            : 'ok',
    ),
  ),
  tagged: pipe(
    path('/tagged'),
    get(),
    produces(withEtag('strong')(english(text)), withEtag('strong')(german(text))),
    handle(() => 'same'),
  ),
  versioned: pipe(
    path('/versioned'),
    get(),
    produces(english(text), german(text)),
    conditional({ etag: (_, { response }) => `v1-${response.language}` }),
    handle(() => 'same'),
  ),
  empty: pipe(
    path('/empty'),
    get(),
    handle((_, { response }) => {
      response.addHeader('X-Selected', `${response.language} ${response.contentType}`)
    }),
  ),
  intercepted: pipe(
    routes({
      operation: pipe(
        path('/intercepted'),
        get(),
        produces(english(text), german(text)),
        handle(selectedIn),
      ),
    }),
    withInterceptor(writerInterceptor((_, proceed) => proceed())),
    withFilter(
      responseFilter((_, { response }) =>
        response.addHeader('X-Selected', response.language ?? ''),
      ),
    ),
  ),
})

contract('headers of representations that differ in language', api, (test, call) => {
  const send = (line: string, headers: Record<string, string> = {}) =>
    sendRequest(call, line, { headers })
  const responseTo = async (line: string, headers: Record<string, string>) => {
    const response = await send(line, headers)
    return [
      await response.text(),
      response.headers.get('content-language'),
      response.headers.get('vary'),
    ]
  }
  const both = 'Accept, Accept-Language'

  test('Content-Language of the reply takes precedence', async () =>
    assert.equal(await responseTo('GET /own', { 'Accept-Language': 'de' }), ['c’est', 'fr', both]))
  test('Content-Language declared with responseHeader takes precedence', async () =>
    assert.equal(await responseTo('GET /headers', {}), ['all', 'fr', both]))
  table(
    test,
    [
      ['a response declared with responds', '201', ['created', 'de', both]],
      ['a response without a body', '202', ['', null, both]],
      ['a failure', '404', ['none', 'de', both]],
      ['the success response without a language', '200', ['ok', null, both]],
    ] as const,
    async (_, content, expected) => {
      const response = await sendRequest(call, 'POST /statuses', {
        headers: { 'Content-Type': 'text/plain', 'Accept-Language': 'de' },
        body: content,
      })
      const { headers } = response
      assert.equal(
        [await response.text(), headers.get('content-language'), headers.get('vary')],
        expected,
      )
    },
  )
  test('equal bodies in several languages have different computed ETags', async () => {
    const etagIn = async (header: string) =>
      (await send('GET /tagged', { 'Accept-Language': header })).headers.get('etag')
    const etag = (await etagIn('de')) ?? ''
    assert.is.not(etag, await etagIn('en'))
    const again = await send('GET /tagged', { 'Accept-Language': 'de', 'If-None-Match': etag })
    assert.equal([again.status, again.headers.get('content-language')], [304, null])
    assert.is(again.headers.get('vary'), both)
    const other = await send('GET /tagged', { 'Accept-Language': 'en', 'If-None-Match': etag })
    assert.is(other.status, 200)
  })
  test('conditional computes an ETag from the selected language', async () => {
    const headers = { 'Accept-Language': 'de', 'If-None-Match': '"v1-de"' }
    assert.is((await send('GET /versioned', headers)).status, 304)
    assert.is((await send('GET /versioned', { ...headers, 'Accept-Language': 'en' })).status, 200)
  })
  test('an operation without a body selects no representation', async () => {
    const response = await send('GET /empty', { 'Accept-Language': 'de' })
    assert.is(response.headers.get('x-selected'), 'undefined undefined')
  })
  test('interceptors and response filters apply to the selected representation', async () => {
    const response = await send('GET /intercepted', { 'Accept-Language': 'de' })
    const { headers } = response
    assert.is(await response.text(), 'de text/plain;charset=UTF-8')
    assert.equal(
      [headers.get('content-language'), headers.get('vary'), headers.get('x-selected')],
      ['de', both, 'de'],
    )
  })
})
