/** Operations in scopes with filters, mappers, conditions, limits, dependencies and prefixes. */
import { left } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  BadRequest,
  Conflict,
  ContentTooLarge,
  Forbidden,
  Gone,
  HttpError,
  InternalServerError,
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  Redirection,
  RequestTimeout,
  ServiceUnavailable,
  TooManyRequests,
  UnprocessableContent,
  UnreadablePart,
  UnsupportedMediaType,
  allOf,
  anyOf,
  bind,
  blocking,
  body,
  critical,
  deprecated,
  operationId,
  description,
  disabledWhen,
  example,
  externalDocs,
  filters,
  get,
  handle,
  idempotent,
  inMemoryStore,
  health,
  hidden,
  implement,
  implementAll,
  int,
  limits,
  mapError,
  mapTagged,
  needs,
  next,
  nonBlocking,
  not,
  onlyFor,
  onlyWhere,
  path,
  post,
  prefix,
  priority,
  produces,
  profile,
  property,
  provide,
  raises,
  rateLimit,
  reply,
  requestFilter,
  responseFilter,
  routes,
  slot,
  summary,
  tags,
  text,
  transactional,
  unwrap,
  when,
  withFilter,
  withHeader,
  withMapper,
  withStore,
} from '../../../src/index.ts'

const contractOf = (template: string) => pipe(path(template), get(), produces(text))
const readText = (template: string) => implement(contractOf(template), () => 'text')

const Tenant = slot(int)('tenant')
const Today = slot<() => string>()('today')
const Language = slot<string>()('language')

const dependencies = pipe(
  routes({
    greet: pipe(
      contractOf('/greeting'),
      needs({ tenant: Tenant, today: Today, language: Language }),
      handle(({ needs: { tenant, today } }) => `${tenant} ${today()}`),
    ),
  }),
  withFilter(
    requestFilter({ gives: { language: Language }, fails: { 421: text } }, ({ request }) => {
      const language = request.header('X-Language')
      return language === undefined ? reply(421, 'missing X-Language') : next({ language })
    }),
  ),
  provide({ today: () => 'today' }),
  prefix('/tenants/{tenant}', { tenant: Tenant }),
)

const contracts = implementAll(routes({ read: contractOf('/implemented') }), { read: () => 'text' })

const filtered = pipe(
  routes({ audited: pipe(readText('/audited'), bind('audited')), plain: readText('/plain') }),
  withFilter(
    filters(
      requestFilter(() => undefined),
      responseFilter(() => undefined),
    ),
    pipe(responseFilter(withHeader('X-Audited', 'yes')), onlyFor('audited'), priority(4000)),
    pipe(
      requestFilter(() => undefined),
      onlyWhere(({ name }) => name.endsWith('plain')),
    ),
    nonBlocking(requestFilter(() => undefined)),
  ),
)

export interface Unripe {
  readonly _tag: 'Unripe'
  readonly days: number
}

class QueryFailed extends Error {}

/** Every error of a status, by its number. */
const errors = [
  () => new HttpError(418),
  () => new BadRequest(),
  () => new Forbidden(),
  () => new NotFound(),
  () => new MethodNotAllowed(['GET']),
  () => new NotAcceptable(),
  () => new RequestTimeout(),
  () => new Conflict(),
  () => new Gone(),
  () => new ContentTooLarge(),
  () => new UnsupportedMediaType(),
  () => new UnprocessableContent(),
  () => new TooManyRequests(),
  () => new InternalServerError(),
  () => new ServiceUnavailable(),
  () => new Redirection(302, '/'),
]

const mapped = pipe(
  routes({
    pick: pipe(
      contractOf('/pears'),
      raises<Unripe>(),
      handle(() => left({ _tag: 'Unripe', days: 3 } as const)),
    ),
    fail: pipe(
      path('/errors/{index}', { index: int }),
      get(),
      produces(text),
      handle(({ path: { index } }) => left(errors[index]?.() ?? new NotFound())),
    ),
  }),
  withMapper(
    mapTagged<Unripe>()(
      { fails: { 409: text } },
      { Unripe: ({ days }) => reply(409, `${days} days`) },
    ),
    unwrap(QueryFailed),
    mapError(UnreadablePart, { fails: { 400: text } }, () => reply(400, 'unreadable')),
  ),
)

const conditions = routes({
  developing: pipe(
    readText('/developing'),
    when(anyOf(profile('dev', 'test'), property('beta', 'on'))),
  ),
  running: pipe(
    readText('/running'),
    when(allOf(not(profile('none')), not(property('off', 'yes')))),
  ),
  enabled: pipe(readText('/enabled'), disabledWhen('closed', 'true')),
})

const attributes = routes({
  compute: pipe(readText('/computed'), blocking),
  read: pipe(readText('/read'), nonBlocking),
  save: pipe(readText('/saved'), transactional),
  metrics: pipe(readText('/metrics'), critical),
  once: pipe(
    path('/once'),
    post(),
    produces(text),
    idempotent({ required: false }),
    withStore(inMemoryStore()),
    handle(() => 'once'),
  ),
  take: pipe(
    path('/taken'),
    post(),
    body(text),
    produces(text),
    limits({ bodySize: '1K', timeout: '1s' }),
    handle((input) => input.body),
  ),
})

const limited = pipe(
  routes({
    login: pipe(readText('/login'), rateLimit({ limit: 5, window: '1m' })),
    report: pipe(readText('/report'), rateLimit({ limit: 5, window: '1m', name: 'report' })),
  }),
  rateLimit({ limit: 1000, window: '1h', name: 'hourly' }),
  withStore(inMemoryStore()),
)

const documented = routes({
  described: pipe(
    path('/described'),
    post(),
    body(text),
    produces(text),
    summary('Echo a text'),
    description('Responds with the *text* of the request.'),
    externalDocs('https://docs.example/', 'More'),
    example('request', 'Emma', { in: 'request' }),
    example('response', 'Emma', { summary: 'The same text' }),
    handle((input) => input.body),
  ),
  old: pipe(readText('/old'), deprecated()),
  internal: pipe(readText('/internal'), operationId('internal'), hidden()),
})

export const scopeRoutes = pipe(
  routes({
    dependencies,
    contracts,
    filtered,
    mapped,
    conditions,
    attributes,
    limited,
    documented,
    health: health({ liveness: { always: () => ({ status: 'UP' }) } }),
  }),
  tags({ name: 'scopes', description: 'Filters, mappers, conditions and other scopes' }),
)
