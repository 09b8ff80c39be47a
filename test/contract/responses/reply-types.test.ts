/** The `Content-Type` of a reply, which selects the writer and the media type of a representation with a media range. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  bytes,
  entity,
  get,
  handle,
  inLanguage,
  json,
  mediaType,
  ok,
  path,
  produces,
  routes,
  text,
  withWriter,
  writer,
} from '../../../src/index.ts'
import { hal } from '../../../src/hal.ts'
import { withXml, xml } from '../../../src/xml.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const Book = t.type({ id: t.number }, 'book')
const book = { id: 1 }
const asXml = '<book><id>1</id></book>'
const asJson = '{"id":1}'
const pixels = new Uint8Array([0x70, 0x6e, 0x67])

const lines = writer({ mediaType: 'text/x-lines', of: Book, write: ({ id }) => `id ${id}` })

const entities = pipe(
  routes({
    xmlEntity: pipe(
      path('/entity/xml'),
      get(),
      produces(entity(Book)),
      handle(() => pipe(ok(book), mediaType('application/xml'))),
    ),
    textXmlEntity: pipe(
      path('/entity/text-xml'),
      get(),
      produces(entity(Book)),
      handle(() => pipe(ok(book), mediaType('text/xml;charset=utf-8'))),
    ),
    lineEntity: pipe(
      path('/entity/lines'),
      get(),
      produces(entity(Book)),
      handle(() => pipe(ok(book), mediaType('text/x-lines'))),
    ),
    vendorEntity: pipe(
      path('/entity/vendor'),
      get(),
      produces(entity(Book)),
      handle(() => pipe(ok(book), mediaType('application/vnd.book+json'))),
    ),
  }),
  withXml(),
  withWriter(lines),
)

const api = routes({
  entities,
  image: pipe(
    path('/image'),
    get(),
    produces(as('image/*')(bytes)),
    handle(() => pipe(ok(pixels), mediaType('image/png'))),
  ),
  untyped: pipe(
    path('/untyped'),
    get(),
    produces(as('image/*')(bytes)),
    handle(() => pixels),
  ),
  csv: pipe(
    path('/csv'),
    get(),
    produces(as('text/*')(text)),
    handle(() => pipe(ok('a,b'), mediaType('text/csv'))),
  ),
  declared: pipe(
    path('/declared'),
    get(),
    produces(json(Book), xml(Book)),
    handle(() => pipe(ok(book), mediaType('application/xml'))),
  ),
  linked: pipe(
    path('/linked'),
    get(),
    produces(json(Book), hal(Book)),
    handle(() => pipe(ok(book), mediaType('application/hal+json'))),
  ),
  german: pipe(
    path('/german'),
    get(),
    produces(inLanguage('en')(json(Book)), inLanguage('de')(json(Book))),
    handle(() => pipe(ok(book), mediaType('application/json'))),
  ),
})

const noAccept = undefined

valueContract('the Content-Type of a reply', api, (test, call) => {
  const send = (target: string, accept: string | undefined): Promise<Response> =>
    sendRequest(call, `GET ${target}`, accept === undefined ? {} : { headers: { accept } })

  table(
    test,
    [
      ['image/* without Accept', '/image', noAccept, 'image/png', 'png'],
      ['image/* for image/png', '/image', 'image/png', 'image/png', 'png'],
      ['image/* for image/*', '/image', 'image/gif;q=0.5, image/*;q=0.1', 'image/png', 'png'],
      ['image/* for */*', '/image', '*/*', 'image/png', 'png'],
      ['image/* for problems only', '/image', 'application/problem+json', 'image/png', 'png'],
      ['text/* without Accept', '/csv', noAccept, 'text/csv', 'a,b'],
      ['text/* for text/csv', '/csv', 'text/csv', 'text/csv', 'a,b'],
      ['an entity as XML', '/entity/xml', noAccept, 'application/xml', asXml],
      ['an entity as XML for JSON', '/entity/xml', 'application/json', 'application/xml', asXml],
      ['an entity as text/xml', '/entity/text-xml', noAccept, 'text/xml;charset=utf-8', asXml],
      ['an entity of a writer', '/entity/lines', noAccept, 'text/x-lines', 'id 1'],
      ['a JSON type', '/entity/vendor', 'application/json', 'application/vnd.book+json', asJson],
      ['another declared type', '/declared', noAccept, 'application/xml', asXml],
      ['another declared type for JSON', '/declared', 'application/json', 'application/xml', asXml],
    ] as const,
    async (_, target, accept, type, body) => {
      const response = await send(target, accept)
      const { status, headers } = response
      const received = (await response.text()).replace(/^<\?xml.*?\?>/, '')
      assert.equal([status, headers.get('content-type'), received], [200, type, body])
    },
  )

  test('HAL is written for application/hal+json', async () => {
    const response = await send('/linked', 'application/json')
    assert.is(response.headers.get('content-type'), 'application/hal+json')
    assert.equal(await response.json(), { id: 1, _links: {} })
  })

  test('the representation in the negotiated language is kept', async () => {
    const options = { headers: { 'accept-language': 'de' } }
    const { headers } = await sendRequest(call, 'GET /german', options)
    assert.is(headers.get('content-language'), 'de')
  })

  table(
    test,
    [
      ['a type that the client does not accept', '/image', 'image/gif'],
      ['a type that the client excludes', '/image', 'image/*, image/png;q=0'],
      ['text that the client does not accept', '/csv', 'text/html'],
      ['another range', '/image', 'text/*'],
    ] as const,
    async (_, target, accept) => assert.is((await send(target, accept)).status, 406),
  )

  test('the problem document of a 406 after the handler lists the type of the reply', async () => {
    const response = await send('/image', 'image/gif')
    const { title, supported } = (await response.json()) as Readonly<Record<string, unknown>>
    assert.equal(
      [title, supported, response.headers.get('vary')],
      ['Not Acceptable', ['image/png'], 'Accept'],
    )
  })

  test('a reply without a type for image/* is an internal error', async () =>
    assert.is((await send('/untyped', undefined)).status, 500))

  test('image/* is sent with the requested type if the reply has none', async () => {
    const { headers } = await send('/untyped', 'image/gif')
    assert.is(headers.get('content-type'), 'image/gif')
  })
})
