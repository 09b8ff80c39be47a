/** XML options, and XML in parts, events and errors. */
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
} from '../../src/index.ts'
import { customizeXml, withXmlContext, xml, xmlContext } from '../../src/xml.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'

const Book = t.type({ title: t.string }, 'Book')
const own = xmlContext([Book], { formatted: true, declaration: false })

const emma = { title: 'Emma' }
const answering = (at: string, options = {}) =>
  pipe(
    path(`/${at}`),
    get(),
    produces(xml(Book, options)),
    handle(() => emma),
  )
const shouting = customizeXml({
  writer: (write) => (value) => write(value).replace('Emma', 'EMMA'),
  reader: (read) => (text) => read(text.toLowerCase()),
})

const customised = routes({
  plain: answering('plain'),
  formatted: answering('formatted', { formatted: true }),
  bare: answering('bare', { declaration: false }),
  marked: pipe(answering('marked'), customizeXml({ declaration: false, formatted: true })),
  nearest: pipe(answering('nearest', { declaration: true }), customizeXml({ declaration: false })),
  shouted: pipe(answering('shouted'), shouting),
  quiet: pipe(
    path('/quiet'),
    post(),
    body(xml(Book)),
    produces(xml(Book)),
    handle((input) => input.body),
    shouting,
  ),
  below: pipe(
    routes({ inside: answering('inside', { declaration: true }), beside: answering('beside') }),
    withXmlContext(own),
  ),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(xml(Book, { declaration: false }))),
    handle(() => [emma, { title: 'P & P' }]),
  ),
  pretty: pipe(
    path('/pretty'),
    get(),
    produces(sse(xml(Book))),
    handle(() => [emma]),
    customizeXml({ declaration: false, formatted: true }),
  ),
  received: pipe(
    path('/received'),
    post(),
    form({ book: part(xml(Book)), title: t.string }),
    produces(xml(t.type({ of: t.string, by: t.string }, 'Received'))),
    handle((input) => ({ of: input.form.title, by: input.form.book.title })),
  ),
  sent: pipe(
    path('/sent'),
    get(),
    produces(multipartOutput({ book: xml(Book) })),
    handle(() => ({ book: emma })),
  ),
  given: pipe(
    path('/given'),
    get(),
    produces(multipartOutput),
    handle(() => [formDataPart('book', emma, xml(Book))]),
    customizeXml({ declaration: false }),
  ),
  formless: pipe(
    path('/formless'),
    get(),
    produces(multipartOutput),
    handle(() => [formDataPart('books', [emma], xml(list(Book)))]),
  ),
  strange: pipe(
    path('/strange'),
    get(),
    produces(multipartOutput),
    handle(() => [formDataPart('shelf', { row: 1 }, xml(t.type({ row: int }, 'Shelf')))]),
    withXmlContext(own),
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
        routes({ it: answering('filtered') }),
        withFilter(requestFilter({ fails: { 409: xml(Book) } }, () => reply(409, emma))),
      ),
    }),
    withMapper(mapError(RangeError, { fails: { 410: xml(Book) } }, () => reply(410, emma))),
    customizeXml({ declaration: false }),
  ),
  missing: pipe(
    path('/missing'),
    get(),
    fails(404, xml(t.type({ what: t.string }, 'Missing'))),
    produces(xml(Book)),
    handle(() => E.left({ what: 'Emma' })),
  ),
})

const line = '<book><title>Emma</title></book>'
const lines = '<book>\n  <title>Emma</title>\n</book>'
const first = '<?xml version="1.0" encoding="UTF-8"?>'

const sending = (content: string): RequestInit => {
  const parts = new FormData()
  parts.set('title', 'x')
  parts.set('book', new Blob([content], { type: 'application/xml' }))
  return { method: 'POST', body: parts }
}

contract(
  'XML, customised',
  customised,
  (test, call) => {
    const ask = async (at: string, init?: RequestInit): Promise<string> =>
      (await call(new Request(`${base}/${at}`, init))).text()
    table(
      test,
      [
        ['plain', `${first}${line}`],
        ['formatted', `${first}\n${lines}`],
        ['bare', line],
        ['marked', lines],
        ['nearest', `${first}${line}`],
        ['shouted', `${first}<book><title>EMMA</title></book>`],
        ['inside', `${first}\n${lines}`],
        ['beside', lines],
        ['events', `data: ${line}\n\ndata: <book><title>P &amp; P</title></book>\n\n`],
        ['pretty', 'data: <book>\ndata:   <title>Emma</title>\ndata: </book>\n\n'],
        ['mapped', line],
        ['filtered', line],
        ['missing', `${first}<missing><what>Emma</what></missing>`],
      ] as const,
      async (at, expected) => assert.is(await ask(at), expected),
    )
    test('a custom reader reads the body', async () => {
      const content = Buffer.from('<BOOK><TITLE>A</TITLE></BOOK>')
      const type = { 'Content-Type': 'application/xml' }
      assert.match(
        await ask('quiet', { method: 'POST', headers: type, body: content }),
        '<title>a<',
      )
    })
    test('a received part of a form is decoded', async () =>
      assert.match(await ask('received', sending(line)), '<of>x</of><by>Emma</by>'))
    test('the error of an invalid part contains its location', async () =>
      assert.match(await ask('received', sending('<book/>')), '"pointer":"/book/title"'))
    test('a sent part of a form is encoded', async () => {
      const text = await ask('sent')
      assert.match(text, 'Content-Type: application/xml')
      assert.match(text, `${first}${line}`)
    })
    test('a part with its own representation is encoded', async () => {
      const text = await ask('given')
      assert.match(text, `\r\n\r\n${line}\r\n`)
    })
    for (const at of ['formless', 'strange'])
      test(`nothing is sent of one that cannot be written: ${at}`, async () =>
        assert.is((await call(new Request(`${base}/${at}`))).status, 500))
    test('a part with too many nested elements is rejected', async () => {
      const deep = '<book><title>x</title><a><b/></a></book>'
      const response = await call(new Request(`${base}/received`, sending(deep)))
      assert.is(response.status, 400)
      assert.match(await response.text(), 'more than 2 nested elements')
    })
    test('a part that exceeds the size limit is rejected', async () => {
      const large = `<book><title>${'x'.repeat(500)}</title></book>`
      const response = await call(new Request(`${base}/received`, sending(large)))
      assert.is(response.status, 413)
      assert.match(await response.text(), /Invalid part \\"book\\".*fw\.http\.limits\.max-xml-size/)
    })
  },
  { 'fw.http.limits.max-xml-size': 400, 'fw.http.limits.max-xml-depth': 2 },
)
