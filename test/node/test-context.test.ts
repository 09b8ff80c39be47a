import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  call,
  fails,
  get,
  handle,
  int,
  needs,
  notFound,
  path,
  produces,
  raises,
  slot,
  text,
} from '../../src/index.ts'
import { testContext } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'

describe('testContext', (test) => {
  test('defaults to an anonymous request for /', () => {
    const { request, uri, security, application, endpoint } = testContext()
    assert.equal([request.method, request.path, request.query], ['GET', '/', undefined])
    assert.equal([request.header('a'), request.headerValues('a')], [undefined, []])
    assert.equal([request.cookie('a'), request.cookies.size], [undefined, 0])
    assert.equal(
      [request.mediaType, request.length, request.date],
      [undefined, undefined, undefined],
    )
    assert.equal([request.accepts.length, request.languages.length], [1, 0])
    assert.equal([request.clientAddress, request.signal.aborted], [undefined, false])
    assert.is(uri.request.href, 'http://localhost/')
    assert.equal([security.principal, security.scheme], [undefined, undefined])
    assert.equal([security.hasRole('a'), security.secure], [false, false])
    assert.equal([application.endpoints, application.property('a')], [[], undefined])
    assert.equal(endpoint, { name: 'test', method: 'GET', template: '/' })
  })

  test('derives cookies, media type, length, date and preferences from headers', () => {
    const { request } = testContext({
      request: {
        headers: ['Cookie', 'a=1; b=%20', 'Content-Type', 'text/csv', 'Content-Length', '12']
          .concat('Date', 'Sun, 06 Nov 1994 08:49:37 GMT')
          .concat('Accept', 'a/b;q=0.5, c/d', 'Accept-Language', 'de, en'),
      },
    })
    assert.equal([request.cookie('b'), [...request.cookies.keys()]], [' ', ['a', 'b']])
    assert.equal([request.mediaType?.subtype, request.length], ['csv', 12])
    assert.is(request.date?.getTime(), 784_111_777_000)
    assert.equal([request.accepts[0]?.type, request.languages], ['c', ['de', 'en']])
  })

  test('the selected representation of the response can be set', () => {
    const response = { contentType: 'text/html', language: 'de' }
    const { response: fields } = testContext({ response })
    assert.equal([fields.contentType, fields.language], ['text/html', 'de'])
    assert.equal(
      [testContext().response.contentType, testContext().response.language],
      [undefined, undefined],
    )
  })

  test('derives the URI from path and query', () => {
    const { uri, endpoint } = testContext({
      request: { path: '/a;m=1/b', query: 'x=1&x=%20', method: 'PUT' },
    })
    assert.is(uri.request.href, 'http://localhost/a;m=1/b?x=1&x=%20')
    assert.is(uri.absolute.href, 'http://localhost/a;m=1/b')
    assert.is(uri.path, 'a;m=1/b')
    assert.equal(uri.queryParameters.get('x'), ['1', ' '])
    assert.equal(uri.raw.queryParameters.get('x'), ['1', '%20'])
    assert.equal(uri.matrixParameters.get('m'), ['1'])
    assert.equal([uri.resolve('c').pathname, uri.relativize('c')], ['/c', '../c'])
    assert.equal([endpoint.method, endpoint.template], ['PUT', '/a;m=1/b'])
  })

  test('derives path and query from the URI', () => {
    const { request, uri, security } = testContext({
      uri: { request: new URL('https://example.org:8443/api/books?page=2') },
    })
    assert.equal([request.path, request.query], ['/api/books', 'page=2'])
    assert.is(uri.base.href, 'https://example.org:8443/')
    assert.equal(uri.queryParameters.get('page'), ['2'])
    assert.is(security.secure, true)
  })

  test('derives paths relative to the base URI', () => {
    const { uri } = testContext({
      request: { path: '/api/books/1' },
      uri: { base: new URL('http://example.org/api/') },
    })
    assert.is(uri.path, 'books/1')
    assert.is(uri.resolve('authors').href, 'http://example.org/api/authors')
    assert.is(uri.request.href, 'http://example.org/api/books/1')
  })

  test('derives roles from the principal', () => {
    const { security } = testContext({ security: { principal: { name: 'ann', roles: ['admin'] } } })
    assert.equal([security.hasRole('admin'), security.hasRole('clerk')], [true, false])
    assert.type(security.scheme, 'string')
  })

  test('options take precedence over derived values', () => {
    const { request, uri, security, endpoint, application } = testContext({
      request: { headers: ['A', '1'], header: () => 'set', languages: ['fr'] },
      uri: { pathParameters: new Map([['id', '7']]) },
      security: { hasRole: () => true, secure: true, scheme: 'Basic' },
      endpoint: { name: 'books.get' },
      application: { property: (name) => name },
    })
    assert.equal([request.header('a'), request.languages], ['set', ['fr']])
    assert.is(uri.pathParameters.get('id'), '7')
    assert.equal([security.hasRole('x'), security.secure, security.scheme], [true, true, 'Basic'])
    assert.is(endpoint.name, 'books.get')
    assert.is(application.property('a'), 'a')
  })

  test('passes added headers and end callbacks to its options', () => {
    const added: string[] = []
    const endpoint = pipe(
      path('/'),
      get(),
      produces(text),
      handle((_, { response: { addHeader }, onEnd }) => {
        addHeader('A', '1')
        onEnd(({ status }) => added.push(String(status)))
        return 'done'
      }),
    )
    const context = testContext({
      addHeader: (name, value) => added.push(name, value),
      onEnd: (callback) => callback({ status: 200, endpoint: undefined, duration: 1 }),
    })
    assert.is(endpoint.run({}, context), 'done')
    assert.equal(added, ['A', '1', '200'])
  })
})

const inner = (id: number) => ({ path: { id } })
const rejection = async (run: () => Promise<unknown>): Promise<string> =>
  run().then(
    () => 'no error',
    (error: unknown) => String(error),
  )

describe('calls with a test context', (test) => {
  const Shelf = slot<string>()('shelf')
  interface Sold {
    readonly _tag: 'Sold'
  }
  const title = pipe(
    path('/title/{id}', { id: int }),
    get(),
    needs({ own: Shelf }),
    produces(text),
    fails(404),
    raises<Sold>(),
    handle(({ path: { id }, needs: { own } }, { endpoint }) => {
      if (id === 1) return E.left({ _tag: 'Sold' } as const)
      return id === 2 ? notFound() : `${own} ${endpoint.template}`
    }),
  )
  const label = pipe(
    path('/label'),
    get(),
    produces(text),
    handle(async (_, context) => {
      const result = await call(context, title, inner(7))()
      return E.isRight(result) ? result.right.entity : 'Left'
    }),
  )

  test('run the handler of the endpoint, with the slots of the context', async () =>
    assert.is(await label.run({}, testContext({ slots: { shelf: 'A' } })), 'A /title/{id}'))
  test('return declared failures and tagged errors', async () => {
    const context = testContext({ slots: { shelf: 'A' } })
    const missing = await call(context, title, inner(2))()
    assert.is(E.isLeft(missing) && 'status' in missing.left && missing.left.status, 404)
    assert.equal(await call(context, title, inner(1))(), E.left({ _tag: 'Sold' }))
  })
  test('values of slots in the input take precedence', async () => {
    const result = await call(testContext({ slots: { shelf: 'A' } }), title, {
      ...inner(7),
      needs: { own: 'B' },
    })()
    assert.is(E.isRight(result) && result.right.entity, 'B /title/{id}')
  })
  test('are rejected if a slot has no value', async () =>
    assert.is(
      await rejection(call(testContext(), title, inner(7))),
      'TypeError: missing dependency: the slot "shelf" of GET /title/{id} has no value for this request, so pass it in needs',
    ))
  test('are rejected if the endpoint has no handler', async () =>
    assert.is(
      await rejection(call(testContext(), pipe(path('/x'), get(), produces(text)))),
      'TypeError: GET /x has no handler',
    ))
})
