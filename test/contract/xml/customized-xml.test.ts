/** Options of `xml` and `customizeXml`, and XML in multipart parts, server-sent events and error responses. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  fails,
  form,
  formDataPart,
  get,
  handle,
  int,
  list,
  mapError,
  multipartOutput,
  part,
  path,
  post,
  produces,
  reply,
  requestFilter,
  routes,
  sse,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import { customizeXml, withXmlContext, xml, xmlContext } from '../../../src/xml.ts'
import { table } from '../../support/describe.ts'
import { base, valueContract } from '../../support/contract.ts'

const Book = t.type({ title: t.string }, 'Book')
const context = xmlContext([Book], { formatted: true, declaration: false })

const emma = { title: 'Emma' }
const operationAt = (at: string, options = {}) =>
  pipe(
    path(`/${at}`),
    get(),
    produces(xml(Book, options)),
    handle(() => emma),
  )
const changeCase = customizeXml({
  writer: (write) => (value) => write(value).replace('Emma', 'EMMA'),
  reader: (read) => (text) => read(text.toLowerCase()),
})

const api = routes({
  plain: operationAt('plain'),
  formatted: operationAt('formatted', { formatted: true }),
  bare: operationAt('bare', { declaration: false }),
  attribute: pipe(operationAt('attribute'), customizeXml({ declaration: false, formatted: true })),
  overridden: pipe(
    operationAt('overridden', { declaration: true }),
    customizeXml({ declaration: false }),
  ),
  customWriter: pipe(operationAt('custom-writer'), changeCase),
  customReader: pipe(
    path('/custom-reader'),
    post(),
    body(xml(Book)),
    produces(xml(Book)),
    handle((input) => input.body),
    changeCase,
  ),
  context: pipe(
    routes({
      contextOverridden: operationAt('context-overridden', { declaration: true }),
      contextOptions: operationAt('context-options'),
    }),
    withXmlContext(context),
  ),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(xml(Book, { declaration: false }))),
    handle(() => [emma, { title: 'P & P' }]),
  ),
  formattedEvents: pipe(
    path('/formatted-events'),
    get(),
    produces(sse(xml(Book))),
    handle(() => [emma]),
    customizeXml({ declaration: false, formatted: true }),
  ),
  received: pipe(
    path('/received'),
    post(),
    form({ book: part(xml(Book)), title: t.string }),
    produces(xml(t.type({ title: t.string, bookTitle: t.string }, 'Received'))),
    handle((input) => ({
      title: input.form.title,
      bookTitle: input.form.book.title,
    })),
  ),
  sent: pipe(
    path('/sent'),
    get(),
    produces(multipartOutput({ book: xml(Book) })),
    handle(() => ({ book: emma })),
  ),
  dynamic: pipe(
    path('/dynamic'),
    get(),
    produces(multipartOutput),
    handle(() => [formDataPart('book', emma, xml(Book))]),
    customizeXml({ declaration: false }),
  ),
  unrepresentable: pipe(
    path('/unrepresentable'),
    get(),
    produces(multipartOutput),
    handle(() => [formDataPart('books', [emma], xml(list(Book)))]),
  ),
  outsideContext: pipe(
    path('/outside-context'),
    get(),
    produces(multipartOutput),
    handle(() => [formDataPart('shelf', { row: 1 }, xml(t.type({ row: int }, 'Shelf')))]),
    withXmlContext(context),
  ),
  others: pipe(
    routes({
      mapped: pipe(
        path('/mapped'),
        get(),
        handle(() => {
          throw new RangeError('Emma')
        }),
      ),
      filtered: pipe(
        routes({ operation: operationAt('filtered') }),
        withFilter(requestFilter({ fails: { 409: xml(Book) } }, () => reply(409, emma))),
      ),
    }),
    withMapper(mapError(RangeError, { fails: { 410: xml(Book) } }, () => reply(410, emma))),
    customizeXml({ declaration: false }),
  ),
  missing: pipe(
    path('/missing'),
    get(),
    fails(404, xml(t.type({ title: t.string }, 'Missing'))),
    produces(xml(Book)),
    handle(() => E.left({ title: 'Emma' })),
  ),
})

const unformatted = '<book><title>Emma</title></book>'
const formatted = '<book>\n  <title>Emma</title>\n</book>'
const declaration = '<?xml version="1.0" encoding="UTF-8"?>'

const formInit = (bookXml: string): RequestInit => {
  const parts = new FormData()
  parts.set('title', 'x')
  parts.set('book', new Blob([bookXml], { type: 'application/xml' }))
  return { method: 'POST', body: parts }
}

valueContract(
  'customized XML',
  api,
  (test, call) => {
    const send = async (target: string, init?: RequestInit): Promise<string> =>
      (await call(new Request(`${base}/${target}`, init))).text()
    table(
      test,
      [
        ['default options', 'plain', `${declaration}${unformatted}`],
        ['the option formatted', 'formatted', `${declaration}\n${formatted}`],
        ['the option declaration', 'bare', unformatted],
        ['options of customizeXml', 'attribute', formatted],
        ['options of xml override customizeXml', 'overridden', `${declaration}${unformatted}`],
        ['a custom writer', 'custom-writer', `${declaration}<book><title>EMMA</title></book>`],
        [
          'options of xml override the context',
          'context-overridden',
          `${declaration}\n${formatted}`,
        ],
        ['options of the context', 'context-options', formatted],
        [
          'server-sent events',
          'events',
          `data: ${unformatted}\n\ndata: <book><title>P &amp; P</title></book>\n\n`,
        ],
        [
          'formatted server-sent events',
          'formatted-events',
          'data: <book>\ndata:   <title>Emma</title>\ndata: </book>\n\n',
        ],
        ['a mapped error', 'mapped', unformatted],
        ['a response of a filter', 'filtered', unformatted],
        ['a declared failure', 'missing', `${declaration}<missing><title>Emma</title></missing>`],
      ] as const,
      async (_, target, expected) => assert.is(await send(target), expected),
    )
    test('a custom reader reads the body', async () => {
      const requestBody = Buffer.from('<BOOK><TITLE>A</TITLE></BOOK>')
      const type = { 'Content-Type': 'application/xml' }
      assert.match(
        await send('custom-reader', { method: 'POST', headers: type, body: requestBody }),
        '<title>a<',
      )
    })
    test('a part of a multipart request is decoded', async () =>
      assert.match(
        await send('received', formInit(unformatted)),
        '<title>x</title><bookTitle>Emma</bookTitle>',
      ))
    test('a validation error of a part contains its location', async () =>
      assert.match(await send('received', formInit('<book/>')), '"pointer":"/book/title"'))
    test('a declared part of a multipart response is encoded', async () => {
      const text = await send('sent')
      assert.match(text, 'Content-Type: application/xml')
      assert.match(text, `${declaration}${unformatted}`)
    })
    test('a dynamic part of a multipart response is encoded', async () => {
      const text = await send('dynamic')
      assert.match(text, `\r\n\r\n${unformatted}\r\n`)
    })
    for (const target of ['unrepresentable', 'outside-context'])
      test(`a part that cannot be written returns 500: ${target}`, async () =>
        assert.is((await call(new Request(`${base}/${target}`))).status, 500))
    test('a part above the maximum depth returns 400', async () => {
      const deep = '<book><title>x</title><a><b/></a></book>'
      const response = await call(new Request(`${base}/received`, formInit(deep)))
      assert.is(response.status, 400)
      assert.match(await response.text(), 'elements nested more than 2 levels deep')
    })
    test('a part above the maximum size returns 413', async () => {
      const large = `<book><title>${'x'.repeat(500)}</title></book>`
      const response = await call(new Request(`${base}/received`, formInit(large)))
      assert.is(response.status, 413)
      assert.match(await response.text(), /Invalid part \\"book\\".*fw\.http\.limits\.max-xml-size/)
    })
  },
  { 'fw.http.limits.max-xml-size': 400, 'fw.http.limits.max-xml-depth': 2 },
)
