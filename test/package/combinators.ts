/**
 * Exports partially applied combinators, and filters with options together with the trees that they are applied to, so that the
 * compiler must name the types that their inferred types mention.
 */
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as e from 'espalier'
import { callWithFilters, client, propagate } from 'espalier/client'
import type { ClientOf } from 'espalier/client'
import { cbor } from 'espalier/cbor'
import * as h from 'espalier/hal'
import * as j from 'espalier/json'
import * as l from 'espalier/links'
import * as n from 'espalier/node'
import * as x from 'espalier/xml'
import { endpointsOf, inMemory, testContext } from 'espalier/testing'

export const Book = t.type({ id: e.int, title: t.string }, 'book')
export const Tenant = e.slot<string>()('tenant')
export const User = e.slot<{ readonly name: string }>()('user')
interface Absent {
  readonly _tag: 'Absent'
}
export type { Absent }

// declarations of endpoints
export const steps = {
  get: e.get(),
  getAt: e.get('/{id}', { id: e.int }),
  method: e.method('REPORT'),
  post: e.post('/{id}', { id: e.int }),
  query: e.query({ page: e.withDefault(e.int, 1), q: e.optional(e.string) }),
  queryMap: e.queryMap,
  header: e.header({ 'X-A': e.string }),
  cookie: e.cookie({ a: e.string }),
  matrix: e.matrix({ a: e.list(e.int) }),
  body: e.body(e.json(Book), e.text),
  form: e.form({ a: e.int, b: e.part(e.json(Book)), c: e.optionalPart(e.part(e.text)) }),
  files: e.form({ one: e.upload, all: e.uploads, fields: e.allFields, files: e.allUploads }),
  formMap: e.body(e.formMap),
  produces: e.produces(e.json(Book), x.xml(Book), h.hal(Book), cbor(Book)),
  responds: e.responds(202, e.json(Book)),
  fails: e.fails(404, e.problem),
  failsCustom: e.fails(409, e.problemWith(t.type({ at: t.number }))),
  status: e.status(201),
  responseHeader: e.responseHeader('X-A', 'b'),
  cache: e.cache({ maxAge: 60 }),
  needs: e.needs({ tenant: Tenant, user: User }),
  raises: e.raises<Absent>(),
  limits: e.limits({ timeout: 1000 }),
  roles: e.rolesAllowed('admin'),
  view: e.jsonView(e.view('public')),
  secure: e.secureSerialization(false),
  when: e.when(e.allOf(e.profile('test'), e.not(e.property('a')))),
  disabledWhen: e.disabledWhen('a', 'b'),
  rel: l.rel('self'),
  injectLinks: l.injectLinks(),
  serialization: pipe(e.json(Book), j.customSerialization(j.omitNull)),
  library: j.jsonLibrary({
    name: 'a',
    parse: JSON.parse,
    stringify: (value) => JSON.stringify(value),
  }),
  conditional: e.conditional(() => ({ etag: 'a' })),
}
export const guarded = flow(e.fails(401, e.problem), e.fails(403, e.problem))
export const documented = flow(e.query({ page: e.int }), e.produces(e.json(Book)), guarded)

// representations
export const csv = e.representation({
  mediaType: 'text/csv',
  write: String,
})
export const custom = pipe(e.json(Book), e.as('application/vnd.book+json'), e.inLanguage('en'))
export const record = e.multipartOutput({ a: e.json(Book), b: e.repeated(e.text) })
export const events = e.sse(e.json(Book))
export const csvReader = e.reader({
  mediaType: 'text/csv',
  of: Book,
  read: () => ({ id: 1, title: '' }),
})

// filters
export const admission = e.requestFilter({ needs: { tenant: Tenant } }, () => undefined)
export const identify = e.requestFilter({ gives: { user: User } }, () =>
  e.next({ user: { name: '' } }),
)
export const rejecting = e.requestFilter({ fails: { 403: e.problem } }, () => undefined)
export const complete = e.requestFilter(
  {
    needs: { tenant: Tenant },
    gives: { user: User },
    fails: { 403: e.problem, 409: e.json(Book) },
  },
  (_, { tenant }) => e.next({ user: { name: tenant } }),
)
export const login = e.authentication(
  { challenge: 'Token', needs: { tenant: Tenant }, fails: { 403: e.problem } },
  () => e.authenticateAs({ name: 'a', roles: [] }),
)
export const plainLogin = e.authentication({ challenge: 'Token' }, () => undefined)
export const basicLogin = e.basic({ realm: 'a', verify: () => undefined })
export const mapped = e.mapError(RangeError, { fails: { 409: e.problem } }, () => e.reply(404))
export const tagMapper = e.mapTagged<Absent>()
export const tagged = e.mapTagged<Absent>()({ Absent: () => e.reply(404) })
export const bundle = e.filters(e.cors({ origins: '*' }), e.timing(), e.securityHeaders())
export const ordered = pipe(complete, e.priority(10), e.onlyFor('get'))

// combinators of trees
export const treeSteps = {
  admission: e.withFilter(admission),
  identify: e.withFilter(identify, complete, login),
  mapper: e.withMapper(tagged, mapped),
  provide: e.provide({ tenant: 'kew', user: { name: '' } }),
  prefix: e.prefix('/v1'),
  tenant: e.prefix('/t/{tenant}', { tenant: Tenant }),
  reader: e.withReader(csvReader),
  xml: x.withXml({}),
}
export const contract = e.routes({
  find: pipe(
    e.path('/books/{id}', { id: e.int }),
    steps.get,
    steps.query,
    steps.needs,
    steps.raises,
    guarded,
    e.produces(e.json(Book)),
  ),
  inner: e.routes({ add: pipe(e.path('/books'), e.post(), steps.body, e.responds(201)) }),
})
export const part = pipe(contract, treeSteps.tenant)
export const implemented = e.implementAll(contract, {
  find: ({ path: { id } }) => ({ id, title: '' }),
  inner: { add: () => e.created('/') },
})
export const find = e.implement(contract._T.find, ({ path: { id } }) => ({ id, title: '' }))
export const unprefixed = pipe(
  implemented,
  treeSteps.mapper,
  treeSteps.admission,
  treeSteps.identify,
)
export const filtered = pipe(
  implemented,
  e.withFilter(admission, identify, rejecting),
  e.withFilter(login, plainLogin, basicLogin, bundle, ordered),
  e.withMapper(tagged, mapped),
  treeSteps.tenant,
)
export const filterFor = <const O extends e.RequestFilterOptions>(options: O) =>
  e.requestFilter(options, () => e.reply(404))
export const loginFor = <const O extends e.AuthenticationOptions>(options: O) =>
  e.authentication(options, () => undefined)
export const createApi = (tenant: string) =>
  pipe(
    implemented,
    e.withFilter(complete, login),
    e.withMapper(e.mapTagged<Absent>()({ Absent: () => e.reply(404) })),
    e.provide({ tenant }),
  )
export const secured = <E>(filter: e.Filter<{ readonly tenant: string }, unknown, E>) =>
  pipe(implemented, e.withFilter(filter))
export const health = pipe(e.routes({ health: e.health() }), e.withMapper(e.unwrap(TypeError)))

// functions of applications that call functions of the package
export const describe = () => [n.describeContract(contract), n.describeRoutes(filtered)]
export const send = inMemory(filtered)
export const calls = client(filtered, { baseUrl: 'http://localhost' })
export const callers = (context: e.Context) =>
  callWithFilters(context, endpoints.inner.add, { body: { id: 1, title: '' } })
export const files = n.fileResolver('.')
export const forwarded = propagate('X-Request-Id')
export const endpoints = endpointsOf(filtered)
export const unit = () => endpoints.find.definition.handler
export const context = testContext()
export const problemOf = (error: e.HttpError) => ({ headers: error.headers, status: error.status })
export const fieldsOf = ({ headers }: e.AnyReply) => headers
export const serve = <T, R extends {}, E>(api: e.Servable<T, R, E>) => n.serve(api)
export type Calls = ClientOf<typeof filtered>
