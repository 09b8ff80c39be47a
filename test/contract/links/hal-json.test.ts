/** HAL responses written by JSON libraries and by custom JSON functions. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { addLinks, hal, halCollection, halEntity } from '../../../src/hal.ts'
import {
  bigint,
  decimal,
  get,
  handle,
  int,
  json,
  list,
  multipartOutput,
  optional,
  path,
  produces,
  routes,
  secureField,
  sse,
  string,
  withFilter,
} from '../../../src/index.ts'
import type { Serialization } from '../../../src/json.ts'
import {
  customSerialization,
  jsonLibrary,
  lossless,
  omitEmpty,
  omitNull,
} from '../../../src/json.ts'
import { rel } from '../../../src/links.ts'
import { inMemory } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { headerAuthentication } from '../../support/secrets.ts'

const Price = t.type({ id: bigint, amount: decimal }, 'Price')
const price = { id: 9007199254740993n, amount: { unscaled: 1250n, scale: 2 } }
const Book = t.type(
  { id: int, title: t.union([t.string, t.null]), cost: secureField('chief')(optional(int)) },
  'Book',
)
const book = { id: 7, title: null, cost: 12 }

/** Writes the name of the codec before the JSON text. */
const withCodecName: Serialization =
  ({ name }) =>
  (encoded) =>
    `${name} ${JSON.stringify(encoded)}`

const pretty = customSerialization(() => (encoded) => JSON.stringify(encoded, null, 2))

const ascii = jsonLibrary({
  name: 'ascii',
  parse: JSON.parse,
  stringify: (value) => JSON.stringify(value).replaceAll('é', String.raw`\u00e9`),
})

const Plain = t.type({ id: int, title: t.string }, 'Plain')

class WithToJson {
  readonly id = 7
  readonly title = 'é'
  toJSON(): object {
    return { id: this.id, title: `${this.title}!` }
  }
}

/** The same operations for each JSON library or function. */
const operationsAt = (at: `/${string}`, attribute: typeof pretty) =>
  attribute(
    routes({
      entity: pipe(
        path(`${at}/entity`),
        get(),
        produces(json(Book), hal(Book)),
        handle(() => book),
      ),
      wrapped: pipe(
        path(`${at}/wrapped`),
        get(),
        produces(hal(Book, { curies: { acme: '/rels/{rel}' } })),
        handle(() => pipe(halEntity(book), addLinks({ rel: 'acme:é', target: '/é', title: 'é' }))),
      ),
      collection: pipe(
        path(`${at}/collection`),
        get(),
        produces(hal(list(Book), { collection: 'books' })),
        handle(() =>
          pipe(
            halCollection([book, pipe(halEntity(book), addLinks({ rel: 'next', target: '/8' }))]),
            addLinks({ rel: 'next', target: '/2' }),
          ),
        ),
      ),
      absentElement: pipe(
        path(`${at}/absent-element`),
        get(),
        produces(hal(list(optional(Book)))),
        handle(() => [undefined]),
      ),
      toJson: pipe(
        path(`${at}/to-json`),
        get(),
        produces(hal(Plain)),
        handle(() => new WithToJson()),
      ),
      parts: pipe(
        path(`${at}/parts`),
        get(),
        produces(multipartOutput({ book: hal(Book) })),
        handle(() => ({ book })),
      ),
    }),
  )

const api = pipe(
  routes({
    target: pipe(
      path('/books/{id}', { id: int }),
      get('/{cost}'),
      rel('self', { entity: Book }),
      handle(() => {}),
    ),
    standard: operationsAt('/standard', (tree) => tree),
    pretty: operationsAt('/pretty', pretty),
    codecName: operationsAt('/codec-name', customSerialization(withCodecName)),
    ascii: operationsAt('/ascii', ascii),
    nonNull: operationsAt('/non-null', customSerialization(omitNull)),
    nonEmpty: operationsAt('/non-empty', customSerialization(omitEmpty)),
    lossless: operationsAt('/lossless', lossless),
  }),
  withFilter(headerAuthentication),
)

const self = (cost: string): object => ({
  href: `…/books/7/${cost}`,
  ...(cost === '{cost}' ? { templated: true } : {}),
})
const links = (cost = '{cost}', more = {}): object => ({ _links: { self: self(cost), ...more } })
const entity = { id: 7, title: null, ...links() }

type Row = readonly [name: string, line: string, document: unknown, user?: string]

const documents: ReadonlyArray<Row> = [
  ['an entity', 'entity', entity],
  [
    'an entity with a restricted member for a permitted caller',
    'entity',
    { id: 7, title: null, cost: 12, ...links('12') },
    'ann chief',
  ],
  [
    'an entity with added links',
    'wrapped',
    {
      id: 7,
      title: null,
      _links: {
        curies: [{ href: '/rels/{rel}', templated: true, name: 'acme' }],
        self: self('{cost}'),
        'acme:é': { href: '/%C3%A9', title: 'é' },
      },
    },
  ],
  [
    'a collection',
    'collection',
    {
      _embedded: {
        books: [entity, { id: 7, title: null, ...links('{cost}', { next: { href: '/8' } }) }],
      },
      _links: { next: { href: '/2' } },
    },
  ],
  ['an absent element', 'absent-element', { _embedded: { items: [null] }, _links: {} }],
  ['an object with toJSON', 'to-json', { id: 7, title: 'é!', _links: {} }],
]

/** Reads the body of a response, with `…` in place of the origin of the server. */
const textWithoutOrigin = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll(/http:\/\/[\w.:]+(?=\/)/g, '…')

const acceptHal = (user = 'ann'): RequestInit => ({
  headers: { Accept: 'application/hal+json', 'X-User': user },
})

valueContract('HAL with JSON libraries and functions', api, (test, call) => {
  for (const library of ['standard', 'pretty', 'ascii', 'lossless'])
    table<Row>(
      test,
      documents.map(([name, ...row]) => [`${library}: ${name}`, ...row]),
      async (_, line, document, user) => {
        const response = await sendRequest(call, `GET /${library}/${line}`, acceptHal(user))
        assert.is(response.headers.get('Content-Type'), 'application/hal+json')
        assert.equal(JSON.parse(await textWithoutOrigin(response)), document)
      },
    )
  const text = async (line: string): Promise<string> =>
    textWithoutOrigin(await sendRequest(call, `GET ${line}`, acceptHal()))
  test('a serializer writes the whole document', async () =>
    assert.is(await text('/pretty/entity'), JSON.stringify(entity, null, 2)))
  test('a serializer receives the codec and the document with links', async () => {
    assert.is(await text('/codec-name/entity'), `Book ${JSON.stringify(entity)}`)
    assert.match(await text('/codec-name/collection'), /^list of Book \{"_embedded":\{"books":\[/)
  })
  test('a JSON library also writes links', async () => {
    const written = await text('/ascii/wrapped')
    assert.match(written, String.raw`"acme:\u00e9":{"href":"/%C3%A9","title":"\u00e9"}`)
    assert.not.match(written, 'é')
  })
  test('omitNull omits null members', async () =>
    assert.is(await text('/non-null/entity'), JSON.stringify({ id: 7, ...links() })))
  test('omitEmpty omits empty members and empty links', async () => {
    assert.is(await text('/non-empty/entity'), JSON.stringify({ id: 7, ...links() }))
    assert.is(await text('/non-empty/absent-element'), '{"_embedded":{"items":[null]}}')
  })
  test('a multipart part in HAL is written by the serializer', async () => {
    const parts = await textWithoutOrigin(await sendRequest(call, 'GET /pretty/parts'))
    assert.match(parts, /^Content-Type: application\/hal\+json\r$/im)
    assert.ok(parts.includes(`\r\n\r\n${JSON.stringify(entity, null, 2)}\r\n`), parts)
  })
})

const Open = t.intersection([t.type({ a: int }), t.record(t.string, t.unknown)], 'Open')
const Same = t.type({ a: int }, 'Same')

valueContract(
  'lossless HAL',
  lossless(
    routes({
      price: pipe(
        path('/prices/{id}'),
        get(),
        produces(hal(Price)),
        rel(),
        handle(() => price),
      ),
      linksMember: pipe(
        path('/links-member'),
        get(),
        produces(hal(Open)),
        handle(() => ({ a: 1, _links: {} })),
      ),
    }),
  ),
  (test, call) => {
    test('members and links keep every digit', async () =>
      assert.is(
        await textWithoutOrigin(await sendRequest(call, 'GET /prices/1')),
        '{"id":9007199254740993,"amount":12.50,"_links":{"self":{"href":"…/prices/9007199254740993"}}}',
      ))
    test('a value with a member _links returns 500', async () =>
      assert.is((await sendRequest(call, 'GET /links-member')).status, 500))
  },
)

describe('nested HAL representations', (test) => {
  table(
    test,
    [
      [
        'rejects a list of strings as a multipart part',
        multipartOutput({ one: hal(list(string)) }),
        /FW-HAL-001[^]*neither/,
      ],
      // an event is encoded once for all subscribers, but links differ between requests
      [
        'rejects HAL as data of server-sent events',
        sse(hal(Same)),
        /FW-MEDIA-001[^]*used as event data/,
      ],
    ] as const,
    (_, representation, expected) =>
      assert.throws(
        () =>
          inMemory(
            routes({
              operation: pipe(
                path('/'),
                get(),
                produces(representation),
                handle(() => undefined as never),
              ),
            }),
          ),
        expected,
      ),
  )
})
