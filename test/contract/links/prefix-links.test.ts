/** Links to operations below prefixes with variables: values of entity members and of slots. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { hal } from '../../../src/hal.ts'
import {
  encoded,
  get,
  handle,
  int,
  json,
  list,
  noContent,
  path,
  plainDate,
  prefix,
  produces,
  routes,
  segments,
  slot,
  string,
} from '../../../src/index.ts'
import { injectLinks, linkId, linksOf, rel } from '../../../src/links.ts'
import { describeRoutes } from '../../../src/node.ts'
import { valueContract } from '../../support/contract.ts'
import { describe } from '../../support/describe.ts'
import { linksIn } from '../../support/linked-books.ts'
import { sendRequest } from '../../support/send-request.ts'
import { issueCodesOf } from '../../support/plan.ts'

const TenantId = slot(int)('tenant')
const Day = slot(plainDate)('day')
const Team = slot<string>()('team')
const Folder = slot(segments(string))('folder')
const Tenant = t.type({ id: int, name: t.string }, 'Tenant')
const Book = t.type({ isbn: linkId(t.string) }, 'Book')
const Loan = t.type({ id: int }, 'Loan')
const Owned = t.type({ id: int, tenant: int }, 'Owned')

const tenantTree = pipe(
  routes({
    self: pipe(
      path(''),
      get(),
      produces(json(Tenant)),
      rel(),
      injectLinks('instance'),
      handle(() => ({ id: 8, name: 'eight' })),
    ),
    books: pipe(
      path('/books'),
      get(),
      produces(json(list(Book)), hal(list(Book))),
      rel(),
      injectLinks(),
      handle(() => [{ isbn: '0-13' }]),
    ),
    book: pipe(
      path('/books/{isbn}'),
      get(),
      produces(json(Book)),
      rel(),
      injectLinks('instance'),
      handle(() => ({ isbn: '0-13' })),
    ),
    ofTenant: pipe(
      path('/staff'),
      get(),
      rel('staff', { entity: Tenant }),
      handle(() => noContent),
    ),
  }),
  prefix('/tenants/{id}', { id: TenantId }),
)
const folders = pipe(
  routes({
    inFolder: pipe(
      path('/loans'),
      get(),
      rel('folder', { entity: Loan }),
      handle(() => noContent),
    ),
    linked: pipe(
      path('/linked'),
      get(),
      produces(json(Loan)),
      injectLinks(),
      handle(() => ({ id: 1 })),
    ),
  }),
  prefix('/f/{folder}', { folder: Folder }),
)
const outside = routes({
  tenants: pipe(
    path('/tenants'),
    get(),
    produces(hal(list(Tenant))),
    handle(() => [{ id: 3, name: 'three' }]),
  ),
  targets: pipe(
    path('/targets'),
    get(),
    produces(json(t.array(t.string))),
    handle((_, context) => targetsOf(context)),
  ),
})

const targetsOf = (context: Parameters<typeof linksOf>[0]): string[] => {
  const links = linksOf(context)
  return [
    ...links.type(Loan),
    ...links.instance(Loan, { id: 5 }),
    ...links.instance(Owned, { id: 5, tenant: 9 }),
  ].map(({ target }) => target.replace(/^http:\/\/[\w.:]+/, ''))
}

const api = routes({
  tenantTree,
  loans: pipe(
    routes({
      list: pipe(
        path('/loans'),
        get(),
        rel('list', { entity: Loan }),
        handle(() => noContent),
      ),
      self: pipe(
        path('/loans/{id}'),
        get(),
        rel('self', { entity: Loan }),
        handle(() => noContent),
      ),
      owned: pipe(
        path('/owned/{id}'),
        get(),
        rel('self', { entity: Owned }),
        handle(() => noContent),
      ),
      targets: pipe(
        path('/targets'),
        get(),
        produces(json(t.array(t.string))),
        handle((_, context) => targetsOf(context)),
      ),
    }),
    prefix('/t/{tenant}/{day}/{team}', { tenant: TenantId, day: Day, team: Team }),
  ),
  folders,
  outside,
})

valueContract('links below prefixes with variables', api, (test, call) => {
  const linksAt = async (target: string) => linksIn(await sendRequest(call, `GET ${target}`))

  test('an entity that the prefix identifies provides the variable', async () =>
    assert.equal(await linksAt('/tenants/7'), [
      '<…/tenants/8>; rel="self"',
      '<…/tenants/8/staff>; rel="staff"',
    ]))
  test('type links below the same prefix contain the value of the request', async () =>
    assert.equal(await linksAt('/tenants/7/books'), ['<…/tenants/7/books>; rel="list"']))
  test('instance links contain the value of the request and the identifier of the entity', async () =>
    assert.equal(await linksAt('/tenants/7/books/0-13'), [
      '<…/tenants/7/books>; rel="list"',
      '<…/tenants/7/books/0-13>; rel="self"',
    ]))
  test('HAL documents contain the value of the request', async () => {
    const response = await sendRequest(call, 'GET /tenants/7/books', {
      headers: { Accept: 'application/hal+json' },
    })
    assert.equal(
      (await response.text()).replaceAll(/http:\/\/[\w.:]+(?=\/)/g, ''),
      '{"_embedded":{"items":[{"isbn":"0-13","_links":{"list":{"href":"/tenants/7/books"},"self":{"href":"/tenants/7/books/0-13"}}}]},"_links":{"list":{"href":"/tenants/7/books"}}}',
    )
  })
  test('links from outside of the prefix contain the members of the entity', async () => {
    const response = await sendRequest(call, 'GET /tenants')
    assert.equal(
      (await response.text()).replaceAll(/http:\/\/[\w.:]+(?=\/)/g, ''),
      '{"_embedded":{"items":[{"id":3,"name":"three","_links":{"self":{"href":"/tenants/3"},"staff":{"href":"/tenants/3/staff"}}}]},"_links":{}}',
    )
  })
  test('linksOf below several variables, with members that take precedence', async () =>
    assert.equal(await (await sendRequest(call, 'GET /t/7/2026-01-31/a%2Fb/targets')).json(), [
      '/t/7/2026-01-31/a%2Fb/loans',
      '/t/7/2026-01-31/a%2Fb/loans',
      '/t/7/2026-01-31/a%2Fb/loans/5',
      '/f/{folder}/loans',
      '/t/9/2026-01-31/a%2Fb/owned/5',
    ]))
  test('linksOf from outside of the prefix: variables without a value remain', async () =>
    assert.equal(await (await sendRequest(call, 'GET /targets')).json(), [
      '/t/{tenant}/{day}/{team}/loans',
      '/t/{tenant}/{day}/{team}/loans/5',
      '/f/{folder}/loans',
      '/t/9/{day}/{team}/owned/5',
    ]))
  test('a variable of several segments', async () =>
    assert.equal(await linksAt('/f/a/b%2Fc/linked'), ['<…/f/a/b%2Fc/loans>; rel="folder"']))
})

describe('descriptions of operations below prefixes with variables', (test) => {
  test('list the variables, their slots, and the sources of variables in links', () => {
    const tree = pipe(
      routes({
        book: pipe(
          path('/books/{id}'),
          get(),
          produces(json(Book)),
          rel(),
          handle(() => ({ isbn: '' })),
        ),
      }),
      prefix('/t/{tenant}/{raw}', { tenant: TenantId, raw: slot(encoded(string))('raw') }),
    )
    assert.equal(describeRoutes(tree).split('\n'), [
      'GET /t/{tenant}/{raw}/books/{id}  (book)',
      '  path tenant: int, fills the slot tenant',
      '  path raw: string, not decoded, fills the slot raw',
      '  path id: string',
      '  responds 200 application/json: Book',
      '  link self of Book, {tenant} from the slot tenant, {raw} from the slot raw, {id} from isbn',
    ])
  })
  test('a link target whose variables are all in a prefix needs no identifier', () => {
    const Anonymous = t.type({ name: t.string }, 'Anonymous')
    const target = pipe(
      path('/all'),
      get(),
      rel('all', { entity: Anonymous }),
      handle(() => noContent),
    )
    const inPrefix = pipe(routes({ target }), prefix('/t/{tenant}', { tenant: TenantId }))
    const own = pipe(
      path('/t/{tenant}'),
      get(),
      rel('all', { entity: Anonymous }),
      handle(() => noContent),
    )
    assert.equal(issueCodesOf(inPrefix), [])
    assert.equal(issueCodesOf(routes({ own })), ['FW-LINK-002'])
  })
})
