/** Entities as XML: content negotiation. */
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
} from '../../src/index.ts'
import { customizeXml, withXml, xmlElementWrapper } from '../../src/xml.ts'
import { ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { mistakesIn, mistakesOf } from '../support/configuration-errors.ts'

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
const one = (at: `/${string}`, mixed: t.Mixed, value: unknown) => {
  const codec: t.Type<unknown, unknown> = mixed
  return pipe(
    path(at),
    get(),
    produces(entity(codec)),
    handle(() => value),
  )
}
const own = writer({ mediaType: 'application/xml', of: 'Book', write: () => '<own/>' })

const api = routes({
  outside: one('/outside', Book, emma),
  inside: pipe(
    routes({
      echo,
      books: one('/books', Books, [emma]),
      count: one('/count', int, 7),
      narrowed: pipe(
        path('/narrowed'),
        get(),
        produces(as('application/vnd.book+xml')(entity(Book)), as('text/xml')(entity(Book))),
        handle(() => emma),
      ),
      octets: pipe(
        path('/octets'),
        get(),
        produces(bytes),
        handle(() => new Uint8Array([1])),
      ),
      formatted: pipe(one('/formatted', Book, emma), customizeXml({ formatted: true })),
      filtered: pipe(
        routes({ it: one('/filtered', Book, emma) }),
        withFilter(requestFilter({ fails: { 409: entity(Book) } }, () => reply(409, emma))),
      ),
      own: pipe(routes({ it: one('/own', Book, emma) }), withWriter(own)),
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

const line = '<book><title>Emma</title><pages>474</pages></book>'
const json = JSON.stringify(emma)

contract('entities as XML', api, (test, call) => {
  table(
    test,
    [
      ['/outside', 'application/xml, */*;q=0.1', 'application/json', json],
      ['/books', 'text/html, */*', 'application/json', `[${json}]`],
      ['/books', 'text/xml', 'text/xml;charset=UTF-8', `<books>${line}</books>`],
      ['/books', 'application/xml', 'application/xml', `<books>${line}</books>`],
      ['/narrowed', 'text/xml', 'text/xml;charset=UTF-8', line],
      ['/narrowed', '*/*', 'application/vnd.book+xml', line],
      ['/count', '*/*', 'text/plain;charset=UTF-8', '7'],
      ['/octets', '*/*', 'application/octet-stream', '\u0001'],
      [
        '/formatted',
        'application/xml',
        'application/xml',
        '<book>\n  <title>Emma</title>\n  <pages>474</pages>\n</book>',
      ],
      ['/filtered', 'application/xml', 'application/xml', line],
      ['/failing', 'application/xml', 'application/xml', line],
      ['/own', 'application/xml', 'application/xml', '<own/>'],
    ] as const,
    async (target, accept, type, content) => {
      const response = await ask(call, `GET ${target}`, { headers: { Accept: accept } })
      assert.equal([response.headers.get('Content-Type'), await response.text()], [type, content])
    },
  )
  table(
    test,
    [
      ['application/xml', line, 200, line],
      ['text/xml', line, 200, line],
      ['application/atom+xml', line, 415, undefined],
      ['application/json', json, 200, line],
      ['application/xml', '<book/>', 400, undefined],
      ['text/csv', '', 415, undefined],
    ] as const,
    async (type, sent, status, content) => {
      const response = await ask(call, 'POST /echo', {
        headers: { 'Content-Type': type, Accept: 'application/xml' },
        body: Buffer.from(sent),
      })
      const text = await response.text()
      assert.is(response.status, status, text)
      if (content !== undefined) assert.is(text, content)
    },
  )
  table(
    test,
    [
      ['is offered nowhere else', '/outside', 'application/xml'],
      ['nor for single values', '/count', 'application/xml'],
      ['nor in another media type', '/books', 'application/atom+xml'],
    ] as const,
    async (_, target, accept) =>
      assert.is((await ask(call, `GET ${target}`, { headers: { Accept: accept } })).status, 406),
  )
})

const bare = list(Book)

describe('an entity that cannot be represented in XML', (test) => {
  test('is a configuration error with withXml', () =>
    assert.equal(
      mistakesIn(routes({ it: pipe(one('/', bare, []), withXml()) })).map(({ code, remedy }) => [
        code,
        remedy,
      ]),
      [
        [
          'FW-XML-001',
          'list of Book: missing name of the root element: declare it with xmlRootElement, or name the codec',
        ],
      ],
    ))
  test('is no configuration error without withXml', () =>
    assert.equal(mistakesOf(routes({ it: one('/', bare, []) })), []))
  test('is no configuration error with a custom writer', () => {
    const anything = writer({
      mediaType: ['application/xml', 'text/xml'],
      write: () => '<own/>',
    })
    const it = pipe(one('/', bare, []), withXml())
    assert.equal(mistakesOf(pipe(routes({ it }), withWriter(anything))), [])
  })
})
