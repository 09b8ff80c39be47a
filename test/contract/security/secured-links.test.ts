/** Links and HAL documents do not contain members hidden by `secureField` or `jsonView`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { hal, halEntity } from '../../../src/hal.ts'
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
} from '../../../src/index.ts'
import { membersOf, shapeOf } from '../../../src/compiler/links/entity.ts'
import { injectLinks, linkId, linksOf, rel } from '../../../src/links.ts'
import { inMemory } from '../../../src/testing.ts'
import { xml } from '../../../src/xml.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import type { Shape } from '../../support/secrets.ts'
import { canary, plain, shapes, headerAuthentication } from '../../support/secrets.ts'

const entities = shapes.filter(({ codec }) => shapeOf(codec) !== undefined)

/** A tree that returns a shape with links to targets named by its members. */
const treeOf = ({ codec, value }: Shape) => {
  const linkTarget = (template: string) =>
    pipe(
      path(template as '/x'),
      del(),
      rel('by', { entity: codec }),
      handle(() => noContent),
    )
  const entity = pipe(
    path('/entity'),
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
  const openMember = isNamed ? 'name' : 'user'
  return pipe(
    routes({
      secret: linkTarget(`/s/{${openMember}}/{secret}`),
      secrets: linkTarget(`/ss/{${openMember}}/{secrets}`),
      entity,
    }),
    withFilter(headerAuthentication),
  )
}

type ShapeRow = readonly [name: string, shape: Shape]

const shapeRows = entities.map((shape): ShapeRow => [shape.name, shape])

/** The headers and the body of a response. */
const headersAndBody = async (response: Response): Promise<string> =>
  JSON.stringify([...response.headers]) + (await response.text())

describe('secureField in links and HAL', (test) => {
  test('more than 30 shapes are entities', () => assert.ok(entities.length > 30))
  table<ShapeRow>(test, shapeRows, async (_, shape) => {
    const call = inMemory(treeOf(shape))
    for (const accept of ['application/json', 'application/hal+json'])
      for (const caller of ['', 'ann', 'ann reader', 'ann chief']) {
        const user: Record<string, string> = caller === '' ? {} : { 'X-User': caller }
        const received = await headersAndBody(
          await sendRequest(call, 'GET /entity', { headers: { Accept: accept, ...user } }),
        )
        assert.is(received.includes(plain), true, received)
        assert.is(received.includes(canary), caller === 'ann chief', received)
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

valueContract(
  'links of restricted members',
  pipe(
    routes({
      target,
      roles: pipe(
        books,
        get('/roles'),
        produces(json(Book)),
        injectLinks('instance'),
        handle(() => book),
      ),
      view: pipe(
        books,
        get('/view'),
        produces(json(Book), hal(Book)),
        jsonView(Public),
        injectLinks('instance'),
        handle(() => halEntity(book)),
      ),
      narrowerView: pipe(
        books,
        get('/narrower-view'),
        produces(json(Book), jsonView(Public)(hal(Book))),
        injectLinks('instance'),
        handle(() => book),
      ),
      unsecured: pipe(
        books,
        get('/unsecured'),
        produces(hal(list(Book))),
        secureSerialization(false),
        handle(() => [book]),
      ),
    }),
    withFilter(headerAuthentication),
    withFilter(
      responseFilter((reply, context) =>
        withHeader('X-Link', linksOf(context).instance(Book, book)[0]?.target ?? '')(reply),
      ),
    ),
  ),
  (test, call) => {
    const linkOf = async (line: string, user?: string): Promise<string | undefined> => {
      const response = await sendRequest(
        call,
        line,
        user === undefined ? {} : { headers: { 'X-User': user } },
      )
      return /^<http:\/\/[^/]+(.*)>/.exec(response.headers.get('Link') ?? '')?.[1]
    }
    const acceptHal = { headers: { Accept: 'application/hal+json' } }
    test('a variable is not expanded for a caller without the role of its member', async () => {
      assert.is(await linkOf('GET /books/roles'), '/1/A/COST/{owner}')
      assert.is(await linkOf('GET /books/roles', 'ann chief'), '/1/A/COST/OWNER')
    })
    test('a variable is not expanded if its member is outside the view', async () => {
      assert.is(await linkOf('GET /books/view', 'ann chief'), '/1/A/{cost}/OWNER')
      const document = await (await sendRequest(call, 'GET /books/view', acceptHal)).json()
      assert.equal(Object.keys(document as object), ['isbn', 'shelf', 'code', '_links'])
      assert.match(JSON.stringify(document), /\/1\/A\/\{cost\}\/\{owner\}","templated":true/)
    })
    test('the Link header is written in the narrowest view of all representations', async () => {
      assert.is(await linkOf('GET /books/narrower-view', 'ann chief'), '/1/A/{cost}/OWNER')
    })
    test('a variable is expanded with secureSerialization(false)', async () => {
      const document = await (await sendRequest(call, 'GET /books/unsecured', acceptHal)).text()
      assert.match(document, /\/1\/A\/COST\/OWNER"\}/)
    })
    test('linksOf applies the roles of the caller, also for an unknown path', async () => {
      const response = await sendRequest(call, 'GET /nowhere')
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

valueContract(
  'Link headers with restricted members for each representation',
  pipe(
    routes({
      target: pipe(
        path('/shelves/{id}/{cost}/{owner}'),
        get(),
        rel('all', { entity: Shelf }),
        handle(() => noContent),
      ),
      operation: pipe(
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
    withFilter(headerAuthentication),
  ),
  (test, call) => {
    type Row = readonly [name: string, line: string, user: string, path: string]
    const rows: ReadonlyArray<Row> = [
      ['a reader', '/shelf', 'ann', '/shelves/1/COST/{owner}'],
      ['a chief', '/shelf', 'ann chief', '/shelves/1/COST/OWNER'],
      ['a reader with a view', '/open', 'ann', '/shelves/1/{cost}/{owner}'],
      ['a chief with a view', '/open', 'ann chief', '/shelves/1/{cost}/OWNER'],
      ['a HAL entity', '/wrapped', 'ann', '/shelves/1/COST/{owner}'],
    ]
    for (const type of ['application/json', 'application/xml', 'application/hal+json'])
      table<Row>(
        test,
        rows
          .filter(([, line]) => line !== '/wrapped' || type !== 'application/json')
          .map(([name, ...row]) => [`${name}: ${type}`, ...row]),
        async (_, line, user, expected) => {
          const headers = { Accept: type, 'X-User': user }
          const response = await sendRequest(call, `GET ${line}`, { headers })
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
