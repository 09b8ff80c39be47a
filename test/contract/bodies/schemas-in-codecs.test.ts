/** Schemas of libraries in HAL, in XML, and as arguments of functions that annotate or wrap a codec. */
import { type } from 'arktype'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { hal } from '../../../src/hal.ts'
import {
  body,
  broadcaster,
  described,
  formDataPart,
  get,
  handle,
  inView,
  json,
  jsonView,
  list,
  multipartOutput,
  named,
  path,
  post,
  produces,
  providersOf,
  query,
  routes,
  secureField,
  separated,
  sse,
  text,
  view,
  withSchema,
} from '../../../src/index.ts'
import { linkId, primaryKey, rel } from '../../../src/links.ts'
import { xml, xmlAttribute, xmlList, xmlRootElement } from '../../../src/xml.ts'
import { valueContract } from '../../support/contract.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'

const secret = 'hunter2'
const Book = z.object({ id: z.int(), title: z.string() })
const Author = type({ id: 'string', name: 'string' })
const emma = { id: 1, title: 'Emma', price: secret }
const Public = view('Public')
const Member = t.type({
  id: linkId(z.string()),
  number: primaryKey(z.int()),
  name: described('The name.')(named('Name')(withSchema({ type: 'string' })(z.string()))),
  salary: secureField('chief')(z.number()),
  note: inView(Public)(z.object({ text: z.string() })),
})
const ann = { id: 'ann', number: 7, name: 'Ann', salary: 9, note: { text: 'a', secret } }
const Row = t.type(
  {
    number: xmlAttribute()(z.int()),
    marks: xmlList(list(z.int())),
    title: described('')(z.string()),
  },
  'Row',
)
const news = broadcaster(Book)

const api = routes({
  book: pipe(
    path('/books/{id}', { id: z.coerce.number() }),
    get(),
    produces(json(Book), hal(Book)),
    rel(),
    handle(() => emma),
  ),
  books: pipe(
    path('/books'),
    get(),
    produces(hal(list(Book))),
    handle(() => [emma]),
  ),
  addBook: pipe(
    path('/books'),
    post(),
    body(hal(Book)),
    produces(json(Book)),
    handle((input) => ({ ...input.body, secret })),
  ),
  author: pipe(
    path('/authors/{id}'),
    get(),
    produces(hal(Author)),
    rel(),
    handle(({ path: { id } }) => ({ id, name: 'Ann', secret })),
  ),
  member: pipe(
    path('/members/{id}'),
    get(),
    jsonView(Public),
    produces(hal(Member)),
    rel(),
    handle(() => ann),
  ),
  row: pipe(
    path('/row'),
    post(),
    body(xml(Row)),
    produces(xml(Row)),
    handle((input) => input.body),
  ),
  word: pipe(
    path('/word'),
    get(),
    produces(xml(xmlRootElement('word')(z.string()))),
    handle(() => 'a&b'),
  ),
  separated: pipe(
    path('/separated'),
    get(),
    query({
      states: separated(',')(z.enum(['new', 'old'])),
      years: separated(',')(z.array(z.coerce.number<number>())),
    }),
    produces(json(t.unknown)),
    handle((input) => input.query),
  ),
  form: pipe(
    path('/form'),
    get(),
    produces(multipartOutput({ title: z.string(), tags: z.array(z.string()) })),
    handle(() => ({ title: 'Emma', tags: ['a', 'b'] })),
  ),
  parts: pipe(
    path('/parts'),
    get(),
    produces(multipartOutput),
    handle(() => [formDataPart('title', 'Emma', z.string())]),
  ),
  providers: pipe(
    path('/providers'),
    get(),
    produces(text),
    handle(async (_, context) => {
      const { reader, writer } = providersOf(context)
      const written = await writer(Book, 'application/json')?.(emma)()
      const read = await reader(Book, 'application/json')?.(written?.data ?? new Uint8Array())()
      return JSON.stringify(read)
    }),
  ),
  news: pipe(
    path('/news'),
    get(),
    produces(sse(Book)),
    handle(() => {
      const events = news.subscribe()[Symbol.asyncIterator]()
      const first = events.next()
      void news.publish(emma).then(() => events.return?.())
      return (async function* () {
        const { value } = await first
        yield value
      })()
    }),
  ),
})

valueContract(
  'schemas in HAL, XML and other codecs',
  api,
  (test, call) => {
    test('hal adds links to an object of a schema, and strips undeclared members', async () => {
      assert.equal(
        await responseTo(call, 'GET /books/1', { headers: { Accept: 'application/hal+json' } }),
        [200, { id: 1, title: 'Emma', _links: { self: { href: 'http://service.test/books/1' } } }],
      )
      assert.equal(await responseTo(call, 'GET /authors/ann'), [
        200,
        { id: 'ann', name: 'Ann', _links: { self: { href: 'http://service.test/authors/ann' } } },
      ])
    })
    test('hal embeds a list of objects of a schema', async () => {
      const [status, document] = await responseTo(call, 'GET /books')
      assert.is(status, 200)
      assert.equal((document as { readonly _embedded: unknown })._embedded, {
        items: [
          { id: 1, title: 'Emma', _links: { self: { href: 'http://service.test/books/1' } } },
        ],
      })
    })
    test('hal decodes a body with a schema', async () => {
      const headers = { 'Content-Type': 'application/hal+json' }
      const sent = JSON.stringify({ ...emma, _links: {} })
      assert.equal(await responseTo(call, 'POST /books', { headers, body: sent }), [
        200,
        { id: 1, title: 'Emma' },
      ])
      assert.is((await responseTo(call, 'POST /books', { headers, body: '{"id":1}' }))[0], 400)
    })
    test('annotated and restricted members can be schemas', async () => {
      assert.equal(await responseTo(call, 'GET /members/ann'), [
        200,
        {
          id: 'ann',
          number: 7,
          name: 'Ann',
          note: { text: 'a' },
          _links: { self: { href: 'http://service.test/members/ann' } },
        },
      ])
    })
    test('the text in XML can be described by schemas', async () => {
      const headers = { 'Content-Type': 'application/xml' }
      const row = '<row number="1"><marks>1 2</marks><title>Emma</title></row>'
      const response = await sendRequest(call, 'POST /row', { headers, body: row })
      assert.equal(
        [response.status, await response.text()],
        [200, `<?xml version="1.0" encoding="UTF-8"?>${row}`],
      )
      const broken = row.replace('1 2', '1 x')
      assert.is((await sendRequest(call, 'POST /row', { headers, body: broken })).status, 400)
      const word = await sendRequest(call, 'GET /word')
      assert.match(await word.text(), /<word>a&amp;b<\/word>$/)
    })
    test('separated splits text for the elements or the list of a schema', async () => {
      assert.equal(await responseTo(call, 'GET /separated?states=new,old&years=1,2'), [
        200,
        { states: ['new', 'old'], years: [1, 2] },
      ])
      assert.is((await responseTo(call, 'GET /separated?states=new,x&years=1'))[0], 400)
    })
    test('fields of a form in a response can be schemas', async () => {
      const form = await (await sendRequest(call, 'GET /form')).formData()
      assert.equal([form.get('title'), form.getAll('tags')], ['Emma', ['a', 'b']])
      const parts = await (await sendRequest(call, 'GET /parts')).formData()
      assert.is(parts.get('title'), 'Emma')
    })
    test('providers are found for a schema', async () => {
      const [status, result] = await responseTo(call, 'GET /providers')
      assert.is(status, 200)
      assert.equal((result as { readonly right: unknown }).right, { id: 1, title: 'Emma' })
    })
    test('a broadcaster encodes with a schema', async () => {
      const sent = await (await sendRequest(call, 'GET /news')).text()
      assert.match(sent, 'data: {"id":1,"title":"Emma"}\n')
      assert.not.match(sent, secret)
    })
  },
  { 'fw.http.public-url': 'http://service.test' },
)
