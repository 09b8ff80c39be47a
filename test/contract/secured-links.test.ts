/** Links and HAL tell nobody what a restriction hides, by views too. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { hal, halEntity } from '../../src/hal.ts'
import {
  del,
  fromString,
  get,
  handle,
  inView,
  json,
  jsonView,
  list,
  noContent,
  optional,
  path,
  produces,
  responseFilter,
  routes,
  secureField,
  secureSerialization,
  string,
  view,
  withFilter,
  withHeader,
} from '../../src/index.ts'
import { membersOf, shapeOf } from '../../src/compiler/links/entity.ts'
import { injectLinks, linkId, linksOf, rel } from '../../src/links.ts'
import { inMemory } from '../../src/testing.ts'
import { xml } from '../../src/xml.ts'
import { ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import type { Shape } from '../support/secrets.ts'
import { canary, plain, shapes, trusting } from '../support/secrets.ts'

const entities = shapes.filter(({ codec }) => shapeOf(codec) !== undefined)

/** A tree in which a shape is sent with links to what each of its members names. */
const treeOf = ({ codec, value }: Shape) => {
  const to = (template: string) =>
    pipe(
      path(template as '/x'),
      del(),
      rel('by', { entity: codec }),
      handle(() => noContent),
    )
  const sent = pipe(
    path('/sent'),
    get(),
    produces(json(codec), hal(codec)),
    injectLinks('instance'),
    handle((_, context) => {
      const links = linksOf(context).instance(codec, value)
      context.response.addHeader('X-Links', links.map(({ target }) => target).join())
      return value
    }),
  )
  const isNamed = membersOf(shapeOf(codec)?.entity ?? codec)?.has('name') === true
  const first = isNamed ? 'name' : 'user'
  return pipe(
    routes({ secret: to(`/s/{${first}}/{secret}`), secrets: to(`/ss/{${first}}/{secrets}`), sent }),
    withFilter(trusting),
  )
}

type ShapeRow = readonly [name: string, shape: Shape]

const shapeRows = entities.map((shape): ShapeRow => [shape.name, shape])

/** Everything that comes back: fields and content. */
const octets = async (response: Response): Promise<string> =>
  JSON.stringify([...response.headers]) + (await response.text())

describe('what is secured is in no link and in no HAL document', (test) => {
  test('of most shapes', () => assert.ok(entities.length > 30))
  table<ShapeRow>(test, shapeRows, async (_, shape) => {
    const call = inMemory(treeOf(shape))
    for (const accept of ['application/json', 'application/hal+json'])
      for (const who of ['', 'ann', 'ann reader', 'ann chief']) {
        const user: Record<string, string> = who === '' ? {} : { 'X-User': who }
        const sent = await octets(
          await ask(call, 'GET /sent', { headers: { Accept: accept, ...user } }),
        )
        assert.is(sent.includes(plain), true, sent)
        assert.is(sent.includes(canary), who === 'ann chief', sent)
      }
  })
})

const Public = view('Public')
const Staff = view('Staff', Public)
const Book = t.type(
  {
    isbn: linkId(string),
    shelf: inView(Public)(string),
    cost: inView(Staff)(string),
    owner: secureField('chief')(optional(string)),
    code: fromString(
      'code',
      (code) => code,
      (code) => code,
    ),
  },
  'Book',
)
const book = { isbn: '1', shelf: 'A', cost: 'COST', owner: 'OWNER', code: 'c' }
const target = pipe(
  path('/{isbn}/{shelf}/{cost}/{owner}'),
  get(),
  rel('all', { entity: Book }),
  handle(() => noContent),
)
const books = path('/books')

contract(
  'links of restricted members',
  pipe(
    routes({
      target,
      all: pipe(
        books,
        get('/all'),
        produces(json(Book)),
        injectLinks('instance'),
        handle(() => book),
      ),
      open: pipe(
        books,
        get('/open'),
        produces(json(Book), hal(Book)),
        jsonView(Public),
        injectLinks('instance'),
        handle(() => halEntity(book)),
      ),
      one: pipe(
        books,
        get('/one'),
        produces(json(Book), jsonView(Public)(hal(Book))),
        injectLinks('instance'),
        handle(() => book),
      ),
      told: pipe(
        books,
        get('/told'),
        produces(hal(list(Book))),
        secureSerialization(false),
        handle(() => [book]),
      ),
    }),
    withFilter(trusting),
    withFilter(
      responseFilter((reply, context) =>
        withHeader('X-Link', linksOf(context).instance(Book, book)[0]?.target ?? '')(reply),
      ),
    ),
  ),
  (test, call) => {
    const linkOf = async (line: string, user?: string): Promise<string | undefined> => {
      const response = await ask(
        call,
        line,
        user === undefined ? {} : { headers: { 'X-User': user } },
      )
      return /^<http:\/\/[^/]+(.*)>/.exec(response.headers.get('Link') ?? '')?.[1]
    }
    const inHal = { headers: { Accept: 'application/hal+json' } }
    test('a variable stays for whom its member is hidden', async () => {
      assert.is(await linkOf('GET /books/all'), '/1/A/COST/{owner}')
      assert.is(await linkOf('GET /books/all', 'ann chief'), '/1/A/COST/OWNER')
    })
    test('a variable stays where its member is outside of the view', async () => {
      assert.is(await linkOf('GET /books/open', 'ann chief'), '/1/A/{cost}/OWNER')
      const document = await (await ask(call, 'GET /books/open', inHal)).json()
      assert.equal(Object.keys(document as object), ['isbn', 'shelf', 'code', '_links'])
      assert.match(JSON.stringify(document), /\/1\/A\/\{cost\}\/\{owner\}","templated":true/)
    })
    test('of several representations the narrowest view counts for the field', async () => {
      assert.is(await linkOf('GET /books/one', 'ann chief'), '/1/A/{cost}/OWNER')
    })
    test('what is told to everybody is in links too', async () => {
      const document = await (await ask(call, 'GET /books/told', inHal)).text()
      assert.match(document, /\/1\/A\/COST\/OWNER"\}/)
    })
    test('links as values are for who asks, without an operation too', async () => {
      const response = await ask(call, 'GET /nowhere')
      assert.match(response.headers.get('X-Link') ?? '', /\/1\/A\/COST\/\{owner\}$/)
    })
  },
)

const Shelf = t.type(
  {
    id: linkId(string),
    cost: inView(Staff)(string),
    owner: secureField('chief')(string),
  },
  'Shelf',
)
const shelf = { id: '1', cost: 'COST', owner: 'OWNER' }

contract(
  'links beside every representation',
  pipe(
    routes({
      target: pipe(
        path('/shelves/{id}/{cost}/{owner}'),
        get(),
        rel('all', { entity: Shelf }),
        handle(() => noContent),
      ),
      one: pipe(
        path('/shelf'),
        get(),
        produces(json(Shelf), xml(Shelf), hal(Shelf)),
        injectLinks('instance'),
        handle(() => shelf),
      ),
      open: pipe(
        path('/open'),
        get(),
        produces(json(Shelf), xml(Shelf), hal(Shelf)),
        jsonView(Public),
        injectLinks('instance'),
        handle(() => shelf),
      ),
      wrapped: pipe(
        path('/wrapped'),
        get(),
        produces(xml(Shelf), hal(Shelf)),
        injectLinks('instance'),
        handle(() => halEntity(shelf)),
      ),
    }),
    withFilter(trusting),
  ),
  (test, call) => {
    type Row = readonly [name: string, line: string, user: string, path: string]
    const rows: ReadonlyArray<Row> = [
      ['for a reader', '/shelf', 'ann', '/shelves/1/COST/{owner}'],
      ['for a chief', '/shelf', 'ann chief', '/shelves/1/COST/OWNER'],
      ['for a reader, in a view', '/open', 'ann', '/shelves/1/{cost}/{owner}'],
      ['for a chief, in a view', '/open', 'ann chief', '/shelves/1/{cost}/OWNER'],
      ['of a wrapper', '/wrapped', 'ann', '/shelves/1/COST/{owner}'],
    ]
    for (const type of ['application/json', 'application/xml', 'application/hal+json'])
      table<Row>(
        test,
        rows
          .filter(([, line]) => line !== '/wrapped' || type !== 'application/json')
          .map(([name, ...row]) => [`${name}: ${type}`, ...row]),
        async (_, line, user, expected) => {
          const headers = { Accept: type, 'X-User': user }
          const response = await ask(call, `GET ${line}`, { headers })
          assert.is((response.headers.get('Content-Type') ?? '').split(';')[0], type)
          const link = response.headers.get('Link') ?? ''
          assert.match(link, /^<http:\/\/[^/]+([^>]*)>; rel="all"$/)
          assert.is(link.replace(/^<http:\/\/[^/]+([^>]*)>.*$/, '$1'), expected)
          const text = await response.text()
          assert.is(text.includes('OWNER'), expected.includes('OWNER'))
          assert.is(text.includes('COST'), expected.includes('COST'))
        },
      )
  },
)
