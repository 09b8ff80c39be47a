/** Generated examples of the documentation page. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { xml, xmlRootElement } from '../../../src/xml.ts'
import {
  body,
  conditional,
  example,
  fails,
  form,
  get,
  handle,
  instant,
  int,
  json,
  named,
  ndjson,
  optional,
  path,
  pattern,
  plainDate,
  post,
  problem,
  produces,
  put,
  routes,
  string,
  text,
  upload,
} from '../../../src/index.ts'
import { openApi, openApiRoutes } from '../../../src/openapi.ts'
import { withSamples } from '../../../src/openapi/page/samples.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'

interface Book {
  readonly title: string
  readonly parts: ReadonlyArray<Book>
}

const Book: t.Type<Book> = t.recursion('Book', () =>
  t.type({ title: string, parts: t.readonlyArray(Book) }),
)

const Loan = named('Loan')(
  t.type({
    id: int,
    title: string,
    isbn: pattern(/^978\d{10}$/)(string),
    due: plainDate,
    created: instant,
    copies: t.Int,
    note: optional(string),
  }),
)

const api = routes({
  add: pipe(
    path('/loans'),
    post(),
    body(json(Loan)),
    produces(json(Loan)),
    handle((input) => input.body),
  ),
  list: pipe(
    path('/loans'),
    get(),
    produces(json(t.array(Loan))),
    fails(404, problem),
    handle(() => []),
  ),
  archive: pipe(
    path('/archive'),
    get(),
    produces(xml(xmlRootElement('loans')(t.type({ loan: t.array(Loan) })))),
    handle(() => ({ loan: [] })),
  ),
  change: pipe(
    path('/loans'),
    put(),
    conditional({ etag: () => 'a' }),
    body(text),
    example('note', 'Renewed', { in: 'request' }),
    produces(json(Book)),
    handle(() => ({ title: 'a', parts: [] })),
  ),
  upload: pipe(
    path('/uploads'),
    post(),
    form({ count: int, due: plainDate, file: upload }),
    produces(ndjson(Loan)),
    handle(async function* () {}),
  ),
})

const info = { title: 'Loans', version: '1' }

/** Returns the value at a path of members. */
const at = (value: unknown, ...keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  )

describe('withSamples', (test) => {
  const original = openApi(api, { info })
  const document = withSamples(original)
  const loan = at(
    document,
    'paths',
    '/loans',
    'post',
    'requestBody',
    'content',
    'application/json',
    'example',
  )
  const responseOf = (method: string, status: string, type: string, target = '/loans'): unknown =>
    at(document, 'paths', target, method, 'responses', status, 'content', type, 'example')

  test('integers are small and positive, although their schemas have no small bounds', () => {
    for (const name of ['id', 'copies']) {
      const value = at(loan, name)
      assert.ok(
        Number.isInteger(value) && Number(value) > 0 && Number(value) <= 1000,
        String(value),
      )
    }
  })
  test('dates are valid and near the present', () => {
    assert.match(String(at(loan, 'due')), /^202[56]-\d\d-\d\d$/)
    assert.match(String(at(loan, 'created')), /^202[56]-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })
  test('texts are short and match their patterns', () => {
    assert.match(String(at(loan, 'isbn')), /^978\d{10}$/)
    for (const name of ['title', 'note']) assert.match(String(at(loan, name)), /^[\w .]{2,60}$/)
  })
  test('a value has the same example in requests and responses', () =>
    assert.equal(responseOf('post', '200', 'application/json'), loan))
  test('the examples of two equal documents are equal', () =>
    assert.equal(withSamples(openApi(api, { info })), document))
  test('arrays have one element, also in XML', () => {
    assert.is((responseOf('get', '200', 'application/json') as ReadonlyArray<unknown>).length, 1)
    const loans = at(responseOf('get', '200', 'application/xml', '/archive'), 'loan')
    assert.is((loans as ReadonlyArray<unknown>).length, 1)
  })
  test('recursive values end', () => {
    const book = responseOf('put', '200', 'application/json')
    assert.type(at(book, 'title'), 'string')
    assert.ok(JSON.stringify(book).length < 1000)
  })
  test('an element of a stream is an example of the stream', () =>
    assert.equal(responseOf('post', '200', 'application/x-ndjson', '/uploads'), loan))
  test('fields of forms have examples, except files', () => {
    const fields = at(
      document,
      'paths',
      '/uploads',
      'post',
      'requestBody',
      'content',
      'multipart/form-data',
      'schema',
      'properties',
    )
    assert.is(Number(at(fields, 'count', 'examples', '0')) > 0, true)
    assert.match(String(at(fields, 'due', 'examples', '0')), /^202[56]-/)
    assert.is(at(fields, 'file', 'examples'), undefined)
  })
  test('shared and declared problems have the status and the title of their responses', () => {
    for (const [name, status, title] of [
      ['NotAcceptable', 406, 'Not Acceptable'],
      ['BadRequest', 400, 'Bad Request'],
    ] as const) {
      const shared = at(
        document,
        'components',
        'responses',
        name,
        'content',
        'application/problem+json',
        'example',
      )
      assert.equal(
        [at(shared, 'status'), at(shared, 'title'), at(shared, 'type')],
        [status, title, 'about:blank'],
      )
    }
    assert.is(at(responseOf('get', '404', 'application/problem+json'), 'status'), 404)
    assert.is(
      at(responseOf('put', '412', 'application/problem+json'), 'title'),
      'Precondition Failed',
    )
  })
  test('declared examples are kept', () => {
    const content = at(document, 'paths', '/loans', 'put', 'requestBody', 'content', 'text/plain')
    assert.equal(
      [at(content, 'examples', 'note', 'value'), at(content, 'example')],
      ['Renewed', undefined],
    )
  })
  test('the document itself is not changed', () => {
    assert.equal(openApi(api, { info }), original)
    assert.not.match(JSON.stringify(original), '"example":')
  })
})

describe('GET /docs/document.json', (test) => {
  test('returns the document with examples, and an ETag', async () => {
    const send = inMemory(routes({ api, docs: openApiRoutes({ info }) }))
    const response = await send('http://localhost/docs/document.json')
    assert.is(response.status, 200)
    assert.ok(response.headers.has('etag'))
    assert.match(await response.text(), '"example":{"id":')
    const page = await (await send('http://localhost/docs')).text()
    assert.match(page, 'data-samples="./docs/document.json"')
    assert.match(
      await (await send('http://localhost/docs/')).text(),
      'data-samples="./document.json"',
    )
  })
})
