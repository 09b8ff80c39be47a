/** XML request bodies and responses. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Problem } from '../../../src/http/problem.ts'
import {
  as,
  body,
  strict,
  handle,
  int,
  json,
  list,
  optional,
  path,
  plainDate,
  post,
  produces,
  routes,
  withDefault,
} from '../../../src/index.ts'
import {
  xml,
  xmlAttribute,
  xmlElement,
  xmlElementWrapper,
  xmlList,
  xmlRootElement,
  xmlValue,
} from '../../../src/xml.ts'
import { table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'

const Price = t.type({ currency: xmlAttribute()(t.string), amount: xmlValue(t.number) })

const Book = t.type(
  {
    isbn: xmlAttribute()(t.string),
    title: t.string,
    pages: int,
    authors: xmlElementWrapper('authors', 'author')(list(t.string)),
    tags: list(xmlElement('tag')(t.string)),
    price: optional(Price),
    note: t.union([t.string, t.null]),
    lent: withDefault(t.boolean, false),
    published: plainDate,
  },
  'Book',
)

interface Shelf {
  readonly label: string
  readonly shelf: ReadonlyArray<Shelf>
}
const Shelf: t.Type<Shelf> = t.recursion('Shelf', (self) =>
  t.type({ label: xmlAttribute()(t.string), shelf: t.readonlyArray(self) }),
)

const atom = 'http://www.w3.org/2005/Atom'
const Feed = xmlRootElement('feed', { namespace: atom })(
  t.type({
    title: t.string,
    entry: list(
      t.type({ id: t.string, count: xmlElement('n', { namespace: 'urn:n', prefix: 'n' })(int) }),
    ),
  }),
)

const Row = t.type(
  { at: xmlAttribute()(xmlList(list(int))), cells: xmlList(list(t.boolean)) },
  'Row',
)
const Loans = t.record(t.string, t.array(int), 'Loans')
const Medium = t.union([
  t.type({ kind: xmlAttribute()(t.literal('disc')), minutes: int }),
  t.type({ kind: xmlAttribute()(t.literal('book')), pages: int }),
])
const Media = t.type({ medium: list(Medium) }, 'Media')
const Match = t.union([
  xmlRootElement('person')(t.type({ name: t.string })),
  xmlRootElement('place')(t.type({ town: t.string })),
])
const Strict = strict(t.type({ a: t.type({ b: t.string }) }, 'Strict'))

const echo = (name: string, codec: t.Mixed) =>
  pipe(
    path(`/${name}`),
    post(),
    body(xml(codec), as('text/xml')(xml(codec)), as('application/atom+xml')(xml(codec))),
    produces(xml(codec), as('text/xml')(xml(codec)), json(codec)),
    handle((input) => input.body),
  )

const api = routes({
  book: echo('book', Book),
  shelf: echo('shelf', Shelf),
  feed: echo('feed', Feed),
  row: echo('row', Row),
  loans: echo('loans', Loans),
  media: echo('media', Media),
  match: echo('match', Match),
  strict: echo('strict', Strict),
  optional: pipe(
    path('/optional'),
    post(),
    body(xml(optional(Book))),
    produces(xml(t.type({ isMissing: t.boolean }, 'Result'))),
    handle((input) => ({ isMissing: input.body === undefined })),
  ),
})

const withDeclaration = (text: string): string => `<?xml version="1.0" encoding="UTF-8"?>${text}`
const nil = '<note xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>'
/** A `Book` document with further elements. */
const book = (elements: string): string =>
  `<book isbn="1"><title>Emma</title><pages>474</pages><authors/>${elements}<note>n</note><published>1815-12-23</published></book>`

const validationErrorsOf = async (response: Response): Promise<ReadonlyArray<unknown>> => {
  const { errors = [] } = (await response.json()) as Problem
  return errors.map(({ pointer, detail }) => [pointer, detail])
}

contract('XML bodies', api, (test, call) => {
  const send = (
    name: string,
    requestBody: string | Uint8Array,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> =>
    call(
      new Request(`${base}/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/xml', ...headers },
        body: typeof requestBody === 'string' ? Buffer.from(requestBody) : Buffer.from(requestBody),
      }),
    )
  table(
    test,
    [
      [
        'elements, attributes, wrappers, repeated elements, text, null, dates',
        'book',
        `<book isbn="&quot;1&quot;"><title>P &amp; P &lt;1&gt;</title><pages>474</pages><authors><author>A</author><author>B</author></authors><tag>x</tag><tag>y</tag><price currency="EUR">9.5</price>${nil}<lent>true</lent><published>1815-12-23</published></book>`,
      ],
      [
        'a recursive type',
        'shelf',
        '<shelf label="a"><shelf label="b"><shelf label="c"/></shelf><shelf label="d"/></shelf>',
      ],
      [
        'namespaces',
        'feed',
        `<feed xmlns="${atom}" xmlns:n="urn:n"><title>t</title><entry><id>1</id><n:n>2</n:n></entry></feed>`,
      ],
      ['lists as character data', 'row', '<row at="1 2 3"><cells>true false</cells></row>'],
      ['a record', 'loans', '<loans><Ann>1</Ann><Ann>2</Ann><Bob>3</Bob></loans>'],
      [
        'tagged unions',
        'media',
        '<media><medium kind="book"><pages>1</pages></medium><medium kind="disc"><minutes>2</minutes></medium></media>',
      ],
      ['a union distinguished by its root element', 'match', '<place><town>Bath</town></place>'],
    ] as const,
    async (_, name, text) => {
      const response = await send(name, text)
      assert.is(await response.text(), withDeclaration(text))
      assert.is(response.status, 200)
    },
  )

  table(
    test,
    [
      ['application/xml', 'application/xml', 'application/xml'],
      ['text/xml', 'text/xml', 'text/xml;charset=UTF-8'],
      ['text/xml;charset=utf-8', 'text/xml', 'text/xml;charset=UTF-8'],
      ['application/atom+xml', 'application/xml', 'application/xml'],
    ] as const,
    async (sent, accepted, expected) => {
      const response = await send('match', '<person><name>Ann</name></person>', {
        'Content-Type': sent,
        Accept: accepted,
      })
      assert.is(response.status, 200)
      assert.is(response.headers.get('Content-Type'), expected)
    },
  )
  test('the same value is sent as JSON for Accept: application/json', async () => {
    const response = await send('row', '<row at="1"><cells/></row>', { Accept: 'application/json' })
    assert.equal(await response.json(), { at: [1], cells: [] })
  })

  // other documents with the same value
  table(
    test,
    [
      [book('<!-- c --><?p?>')],
      [book('\n  \n')],
      [book('').replace('<pages>474', '<pages>\n +4.74e2 ')],
      [book('').replaceAll('"', "'")],
      [book('').replace('Emma', '<![CDATA[Emma]]>')],
      [book('').replace('Emma', '&#69;&#x6D;ma')],
      [`\uFEFF${withDeclaration(book(''))}`],
      [book('<lent> 0 </lent>')],
    ] as const,
    async (text) => {
      const response = await send('book', text, { Accept: 'application/json' })
      assert.equal(await response.json(), {
        isbn: '1',
        title: 'Emma',
        pages: 474,
        authors: [],
        tags: [],
        note: 'n',
        lent: false,
        published: '1815-12-23',
      })
    },
  )

  table(
    test,
    [
      ['<titles/>', [['/titles', 'the root element must be book']]],
      ['<book xmlns="urn:other"/>', [['/book', 'the root element must be book']]],
      [
        book('').replace('474', '0x1F').replace(' isbn="1"', ''),
        [
          ['/book/@isbn', 'is required and must be a string'],
          ['/book/pages', 'must be an integer'],
        ],
      ],
      [book('').replace('474', '007.5'), [['/book/pages', 'must be an integer']]],
      [book('').replace('1815', '181'), [['/book/published', 'must be a date such as 2024-01-31']]],
      [book('<lent>yes</lent>'), [['/book/lent', 'must be a boolean']]],
      [book('<price currency="EUR">x</price>'), [['/book/price', 'must be a number']]],
      [book('<title>Persuasion</title>'), [['/book/title[2]', 'occurs more than once']]],
      [
        book('').replace(
          '<authors/>',
          '<authors><author>A</author><author><b/></author></authors>',
        ),
        [['/book/authors/author[2]', 'must be a single value without child elements']],
      ],
    ] as const,
    async (text, expected) => {
      const response = await send('book', text)
      assert.is(response.status, 400)
      assert.equal(await validationErrorsOf(response), expected)
    },
  )

  test('undeclared elements and attributes are ignored', async () => {
    const response = await send('strict', '<strict><a><b>x</b></a></strict>')
    assert.is(response.status, 200)
    const more = book('<admin>true</admin>').replace('isbn', 'admin="true" isbn')
    assert.not.match(await (await send('book', more)).text(), 'admin')
  })
  test('undeclared elements and attributes of a strict codec return 400, at any depth', async () => {
    const response = await send('strict', '<strict><a c="1"><b d="2">x</b><e/>f</a><g/></strict>')
    assert.is(response.status, 400)
    assert.equal(await validationErrorsOf(response), [
      ['/strict/a/b/@d', 'is not declared'],
      ['/strict/a/e', 'is not declared'],
      ['/strict/a/@c', 'is not declared'],
      ['/strict/a', 'character data is not declared'],
      ['/strict/g', 'is not declared'],
    ])
  })

  test('an empty body decodes as undefined for an optional codec', async () => {
    assert.is((await send('book', '')).status, 400)
    const response = await send('optional', '')
    assert.is(
      await response.text(),
      withDeclaration('<result><isMissing>true</isMissing></result>'),
    )
  })
  table(
    test,
    [
      ['application/xml;charset=utf-7', 415],
      ['application/xml;charset=replacement', 415],
      ['application/json', 415],
    ] as const,
    async (type, status) =>
      assert.is((await send('book', book(''), { 'Content-Type': type })).status, status),
  )
  test('a body with invalid UTF-8 returns 400', async () =>
    assert.is((await send('book', new Uint8Array([0x3c, 0x61, 0xff, 0x2f, 0x3e]))).status, 400))
})
