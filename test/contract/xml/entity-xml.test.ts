/** `withXml`: negotiation of XML for entities. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  body,
  bytes,
  entity,
  fails,
  get,
  handle,
  int,
  list,
  path,
  post,
  produces,
  reply,
  requestFilter,
  routes,
  withFilter,
  withWriter,
  writer,
} from '../../../src/index.ts'
import { customizeXml, withXml, xmlElementWrapper } from '../../../src/xml.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { issuesOf, issueCodesOf } from '../../support/plan.ts'

const Book = t.type({ title: t.string, pages: int }, 'Book')
const Books = xmlElementWrapper('books', 'book')(list(Book))
const emma = { title: 'Emma', pages: 474 }

const echo = pipe(
  path('/echo'),
  post(),
  body(entity(Book)),
  produces(entity(Book)),
  handle((input) => input.body),
)
const entityOperation = (at: `/${string}`, mixed: t.Mixed, value: unknown) => {
  const codec: t.Type<unknown, unknown> = mixed
  return pipe(
    path(at),
    get(),
    produces(entity(codec)),
    handle(() => value),
  )
}
const customWriter = writer({
  mediaType: 'application/xml',
  of: 'Book',
  write: () => '<custom/>',
})

const api = routes({
  outside: entityOperation('/outside', Book, emma),
  withXml: pipe(
    routes({
      echo,
      books: entityOperation('/books', Books, [emma]),
      count: entityOperation('/count', int, 7),
      narrowed: pipe(
        path('/narrowed'),
        get(),
        produces(as('application/vnd.book+xml')(entity(Book)), as('text/xml')(entity(Book))),
        handle(() => emma),
      ),
      bytes: pipe(
        path('/bytes'),
        get(),
        produces(bytes),
        handle(() => new Uint8Array([1])),
      ),
      formatted: pipe(entityOperation('/formatted', Book, emma), customizeXml({ formatted: true })),
      filtered: pipe(
        routes({ operation: entityOperation('/filtered', Book, emma) }),
        withFilter(requestFilter({ fails: { 409: entity(Book) } }, () => reply(409, emma))),
      ),
      customWriter: pipe(
        routes({ operation: entityOperation('/custom-writer', Book, emma) }),
        withWriter(customWriter),
      ),
      failing: pipe(
        path('/failing'),
        get(),
        fails(404, entity(Book)),
        handle(() => E.left(emma)),
      ),
    }),
    withXml({ declaration: false }),
  ),
})

const bookXml = '<book><title>Emma</title><pages>474</pages></book>'
const bookJson = JSON.stringify(emma)

valueContract('entities as XML', api, (test, call) => {
  table(
    test,
    [
      [
        'JSON outside withXml',
        '/outside',
        'application/xml, */*;q=0.1',
        'application/json',
        bookJson,
      ],
      ['JSON for */*', '/books', 'text/html, */*', 'application/json', `[${bookJson}]`],
      ['text/xml', '/books', 'text/xml', 'text/xml;charset=UTF-8', `<books>${bookXml}</books>`],
      [
        'application/xml',
        '/books',
        'application/xml',
        'application/xml',
        `<books>${bookXml}</books>`,
      ],
      ['a declared media type', '/narrowed', 'text/xml', 'text/xml;charset=UTF-8', bookXml],
      [
        'the first of two declared media types',
        '/narrowed',
        '*/*',
        'application/vnd.book+xml',
        bookXml,
      ],
      ['text for an integer', '/count', '*/*', 'text/plain;charset=UTF-8', '7'],
      ['bytes', '/bytes', '*/*', 'application/octet-stream', '\u0001'],
      [
        'formatted XML',
        '/formatted',
        'application/xml',
        'application/xml',
        '<book>\n  <title>Emma</title>\n  <pages>474</pages>\n</book>',
      ],
      ['a response of a filter', '/filtered', 'application/xml', 'application/xml', bookXml],
      ['a declared failure', '/failing', 'application/xml', 'application/xml', bookXml],
      ['a custom writer', '/custom-writer', 'application/xml', 'application/xml', '<custom/>'],
    ] as const,
    async (_, target, accept, type, responseBody) => {
      const response = await sendRequest(call, `GET ${target}`, { headers: { Accept: accept } })
      assert.equal(
        [response.headers.get('Content-Type'), await response.text()],
        [type, responseBody],
      )
    },
  )
  table(
    test,
    [
      ['application/xml with a valid body', 'application/xml', bookXml, 200, bookXml],
      ['text/xml with a valid body', 'text/xml', bookXml, 200, bookXml],
      ['an undeclared XML media type', 'application/atom+xml', bookXml, 415, undefined],
      ['application/json with a valid body', 'application/json', bookJson, 200, bookXml],
      ['application/xml with an invalid body', 'application/xml', '<book/>', 400, undefined],
      ['an unsupported media type', 'text/csv', '', 415, undefined],
    ] as const,
    async (_, type, sent, status, responseBody) => {
      const response = await sendRequest(call, 'POST /echo', {
        headers: { 'Content-Type': type, Accept: 'application/xml' },
        body: Buffer.from(sent),
      })
      const text = await response.text()
      assert.is(response.status, status, text)
      if (responseBody !== undefined) assert.is(text, responseBody)
    },
  )
  table(
    test,
    [
      ['XML is not available outside withXml', '/outside', 'application/xml'],
      ['XML is not available for scalars', '/count', 'application/xml'],
      ['another XML media type is not available', '/books', 'application/atom+xml'],
    ] as const,
    async (_, target, accept) =>
      assert.is(
        (await sendRequest(call, `GET ${target}`, { headers: { Accept: accept } })).status,
        406,
      ),
  )
})

const bookList = list(Book)

describe('an entity that cannot be represented in XML', (test) => {
  test('is a configuration error with withXml', () =>
    assert.equal(
      issuesOf(routes({ operation: pipe(entityOperation('/', bookList, []), withXml()) })).map(
        ({ code, remedy }) => [code, remedy],
      ),
      [
        [
          'FW-XML-001',
          'list of Book: a list is not supported as the root element, and the root element has no name: wrap the list with xmlElementWrapper, and declare the name there or with xmlRootElement',
        ],
      ],
    ))
  test('is accepted without withXml', () =>
    assert.equal(issueCodesOf(routes({ operation: entityOperation('/', bookList, []) })), []))
  test('is accepted with a custom writer', () => {
    const anyWriter = writer({
      mediaType: ['application/xml', 'text/xml'],
      write: () => '<custom/>',
    })
    const operation = pipe(entityOperation('/', bookList, []), withXml())
    assert.equal(issueCodesOf(pipe(routes({ operation }), withWriter(anyWriter))), [])
  })
})
