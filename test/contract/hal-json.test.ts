/** HAL under the rules of JSON: libraries and functions of the application's own. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { addLinks, hal, halCollection, halEntity } from '../../src/hal.ts'
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
} from '../../src/index.ts'
import type { Serialization } from '../../src/json.ts'
import { customSerialization, jsonLibrary, lossless, omitEmpty, omitNull } from '../../src/json.ts'
import { rel } from '../../src/links.ts'
import { inMemory } from '../../src/testing.ts'
import { ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { trusting } from '../support/secrets.ts'

const Price = t.type({ id: bigint, amount: decimal }, 'Price')
const price = { id: 9007199254740993n, amount: { unscaled: 1250n, scale: 2 } }
const Book = t.type(
  { id: int, title: t.union([t.string, t.null]), cost: secureField('chief')(optional(int)) },
  'Book',
)
const book = { id: 7, title: null, cost: 12 }

/** Writes what it is given behind the name of the codec. */
const named: Serialization =
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

class Dated {
  readonly id = 7
  readonly title = 'é'
  toJSON(): object {
    return { id: this.id, title: `${this.title}!` }
  }
}

const one = path('/books/{id}', { id: int })

/** Operations that answer the same under a rule. */
const answering = (at: `/${string}`, rule: typeof pretty) =>
  rule(
    routes({
      one: pipe(
        path(`${at}/one`),
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
      all: pipe(
        path(`${at}/all`),
        get(),
        produces(hal(list(Book), { collection: 'books' })),
        handle(() =>
          pipe(
            halCollection([book, pipe(halEntity(book), addLinks({ rel: 'next', target: '/8' }))]),
            addLinks({ rel: 'next', target: '/2' }),
          ),
        ),
      ),
      none: pipe(
        path(`${at}/none`),
        get(),
        produces(hal(list(optional(Book)))),
        handle(() => [undefined]),
      ),
      dated: pipe(
        path(`${at}/dated`),
        get(),
        produces(hal(Plain)),
        handle(() => new Dated()),
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
      one,
      get('/{cost}'),
      rel('self', { entity: Book }),
      handle(() => {}),
    ),
    usual: answering('/usual', (of) => of),
    pretty: answering('/pretty', pretty),
    named: answering('/named', customSerialization(named)),
    ascii: answering('/ascii', ascii),
    omitting: answering('/omitting', customSerialization(omitNull)),
    emptied: answering('/emptied', customSerialization(omitEmpty)),
    lossless: answering('/lossless', lossless),
  }),
  withFilter(trusting),
)

const self = (cost: string): object => ({
  href: `…/books/7/${cost}`,
  ...(cost === '{cost}' ? { templated: true } : {}),
})
const links = (cost = '{cost}', more = {}): object => ({ _links: { self: self(cost), ...more } })
const entity = { id: 7, title: null, ...links() }

type Row = readonly [name: string, line: string, document: unknown, user?: string]

const documents: ReadonlyArray<Row> = [
  ['an entity', 'one', entity],
  ['to whom all is shown', 'one', { id: 7, title: null, cost: 12, ...links('12') }, 'ann chief'],
  [
    'links of its own',
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
    'all',
    {
      _embedded: {
        books: [entity, { id: 7, title: null, ...links('{cost}', { next: { href: '/8' } }) }],
      },
      _links: { next: { href: '/2' } },
    },
  ],
  ['elements that are not there', 'none', { _embedded: { items: [null] }, _links: {} }],
  ['an object that says what its JSON is', 'dated', { id: 7, title: 'é!', _links: {} }],
]

/** The text of a document, without where the server is. */
const sent = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll(/http:\/\/[\w.:]+(?=\/)/g, '…')

const inHal = (user = 'ann'): RequestInit => ({
  headers: { Accept: 'application/hal+json', 'X-User': user },
})

contract('HAL under the rules of JSON', api, (test, call) => {
  for (const rule of ['usual', 'pretty', 'ascii', 'lossless'])
    table<Row>(
      test,
      documents.map(([name, ...row]) => [`${rule}: ${name}`, ...row]),
      async (_, line, document, user) => {
        const response = await ask(call, `GET /${rule}/${line}`, inHal(user))
        assert.is(response.headers.get('Content-Type'), 'application/hal+json')
        assert.equal(JSON.parse(await sent(response)), document)
      },
    )
  const text = async (line: string): Promise<string> =>
    sent(await ask(call, `GET ${line}`, inHal()))
  test('what is written is whole', async () =>
    assert.is(await text('/pretty/one'), JSON.stringify(entity, null, 2)))
  test('a function is given the codec, and a document', async () => {
    assert.is(await text('/named/one'), `Book ${JSON.stringify(entity)}`)
    assert.match(await text('/named/all'), /^list of Book \{"_embedded":\{"books":\[/)
  })
  test('a library writes links too', async () => {
    const written = await text('/ascii/wrapped')
    assert.match(written, String.raw`"acme:\u00e9":{"href":"/%C3%A9","title":"\u00e9"}`)
    assert.not.match(written, 'é')
  })
  test('non-null', async () =>
    assert.is(await text('/omitting/one'), JSON.stringify({ id: 7, ...links() })))
  test('non-empty', async () => {
    assert.is(await text('/emptied/one'), JSON.stringify({ id: 7, ...links() }))
    assert.is(await text('/emptied/none'), '{"_embedded":{"items":[null]}}')
  })
  test('in parts', async () => {
    const parts = await sent(await ask(call, 'GET /pretty/parts'))
    assert.match(parts, /^Content-Type: application\/hal\+json\r$/im)
    assert.ok(parts.includes(`\r\n\r\n${JSON.stringify(entity, null, 2)}\r\n`), parts)
  })
})

const Open = t.intersection([t.type({ a: int }), t.record(t.string, t.unknown)], 'Open')
const Same = t.type({ a: int }, 'Same')

contract(
  'prices in HAL',
  lossless(
    routes({
      price: pipe(
        path('/prices/{id}'),
        get(),
        produces(hal(Price)),
        rel(),
        handle(() => price),
      ),
      own: pipe(
        path('/own'),
        get(),
        produces(hal(Open)),
        handle(() => ({ a: 1, _links: {} })),
      ),
    }),
  ),
  (test, call) => {
    test('have every digit, also in links', async () =>
      assert.is(
        await sent(await ask(call, 'GET /prices/1')),
        '{"id":9007199254740993,"amount":12.50,"_links":{"self":{"href":"…/prices/9007199254740993"}}}',
      ))
    test('links of its own at run time are a defect', async () =>
      assert.is((await ask(call, 'GET /own')).status, 500))
  },
)

describe('mistakes in HAL that is carried', (test) => {
  table(
    test,
    [
      ['as a part of a form', multipartOutput({ one: hal(list(string)) }), /FW-HAL-001[^]*neither/],
      // events are written once for many, and links are not the same for all
      ['as the data of events', sse(hal(Same)), /FW-MEDIA-001[^]*data of events/],
    ] as const,
    (_, representation, expected) =>
      assert.throws(
        () =>
          inMemory(
            routes({
              one: pipe(
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
