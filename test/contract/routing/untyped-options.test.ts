/** Programs in JavaScript that pass invalid options. In TypeScript, these are type errors. */
import { inspect } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as typed from '../../../src/index.ts'
import * as policies from '../../../src/client.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { clientIssues, issuesOf, pipe, typeErrorOf, untyped, withoutType } from './untyped.ts'

const {
  accessLog,
  apiKey,
  authentication,
  basic,
  bearer,
  broadcaster,
  cache,
  cors,
  get,
  handle,
  health,
  jwt,
  limits,
  needs,
  path,
  produces,
  requestFilter,
  requestId,
  routes,
  securityHeaders,
  withFilter,
} = untyped
const Database = typed.slot<string | undefined>()('database')
const tree = routes({
  a: pipe(
    path('/a'),
    get(),
    needs({ db: Database }),
    produces(typed.text),
    handle(({ needs: { db } }: { readonly needs: { readonly db: unknown } }) => String(db)),
  ),
})
const verify = () => undefined
const rules = { issuer: 'i', audience: 'a', algorithms: ['HS256'] }
const keys = new Uint8Array(32)

/** A title, a program, and the expected message. */
type Thrown = readonly [title: string, run: () => unknown, message: string]

const unknownOptions: ReadonlyArray<Thrown> = [
  [
    'limits',
    () => limits({ filesize: '1K' }),
    'limits: unknown option "filesize": expected bodySize, parsedBodySize, formAttributeSize, fileSize, files, parameters, parts, partHeaders, partHeaderSize or timeout',
  ],
  [
    'cors',
    () => cors({ origins: [], maxage: 1 }),
    'cors: unknown option "maxage": expected origins, methods, headers, exposedHeaders, maxAge or credentials',
  ],
  [
    'jwt',
    () => jwt({ ...rules, keys, clocktolerance: 1 }),
    'jwt: unknown option "clocktolerance": expected keys, issuer, audience, algorithms, type, clockTolerance, verify, realm, cookie, proactive, describedAs or jose',
  ],
  [
    'basic',
    () => basic({ realm: 'r', verify, pro: true }),
    'basic: unknown option "pro": expected realm, verify, silent, proactive or describedAs',
  ],
  [
    'bearer',
    () => bearer({ verify, cookies: 'a' }),
    'bearer: unknown option "cookies": expected realm, verify, cookie, proactive or describedAs',
  ],
  [
    'apiKey',
    () => apiKey({ header: 'a', verify, active: false }),
    'apiKey: unknown option "active": expected header, query, cookie, verify, proactive or describedAs',
  ],
  [
    'authentication',
    () => authentication({ challenge: 'A b="c"', proActive: true }, verify),
    'authentication: unknown option "proActive": expected challenge, silent, proactive, describedAs, needs or fails',
  ],
  [
    'requestFilter',
    () => requestFilter({ give: {} }, verify),
    'requestFilter: unknown option "give": expected needs, gives or fails',
  ],
  [
    'securityHeaders',
    () => securityHeaders({ csp: true }),
    'securityHeaders: unknown option "csp": expected strictTransportSecurity, contentSecurityPolicy, frameOptions, referrerPolicy, permissionsPolicy, crossOriginResourcePolicy or crossOriginOpenerPolicy',
  ],
  [
    'parameters of Strict-Transport-Security',
    () => securityHeaders({ strictTransportSecurity: { maxAge: 1, includeSubdomains: true } }),
    'strictTransportSecurity: unknown option "includeSubdomains": expected maxAge, includeSubDomains or preload',
  ],
  [
    'accessLog',
    () => accessLog({ header: [] }),
    'accessLog: unknown option "header": expected headers, fields or except',
  ],
  [
    'requestId',
    () => requestId({ accepts: false }),
    'requestId: unknown option "accepts": expected header or accept',
  ],
  [
    'cache',
    () => cache({ noStor: true }),
    'cache: unknown option "noStor": expected maxAge, sMaxAge, public, private, noStore, noTransform, mustRevalidate, proxyRevalidate, noCache, immutable, staleWhileRevalidate or staleIfError',
  ],
  [
    'broadcaster',
    () => broadcaster(typed.string, { que: 1 }),
    'broadcaster: unknown option "que": expected replay, queue, whenFull, relay or onRejected',
  ],
  [
    'health',
    () => health({ ready: {} }),
    'health: unknown option "ready": expected liveness, readiness, startup, timeout or onDown',
  ],
  [
    'timeout',
    () => withoutType(policies.timeout)('1s', { cover: 'body' }),
    'timeout: unknown option "cover": expected covers or clock',
  ],
  [
    'followRedirects',
    () => withoutType(policies.followRedirects)({ credential: ['X-Api-Key'] }),
    'followRedirects: unknown option "credential": expected max, methods, credentials or crossOriginBodies',
  ],
  [
    'the backoff of retry',
    () => withoutType(policies.retry)({ times: 1, backoff: { initial: '1s' } }),
    'backoff: unknown option "initial": expected first, factor, max or jitter',
  ],
  [
    'the budget of retry',
    () => withoutType(policies.retry)({ times: 1, budget: { shares: 1 } }),
    'budget: unknown option "shares": expected share or reserve',
  ],
  [
    'logging',
    () => withoutType(policies.logging)({ logger: console, masked: ['token'] }),
    'logging: unknown option "masked": expected logger, level, scope, bodyLimit, mask or clock',
  ],
  ['undefined', () => cors(), 'cors: invalid options: expected an object, got undefined'],
  ['a string', () => limits('1K'), 'limits: invalid options: expected an object, got a string'],
  ['a list', () => jwt([]), 'jwt: invalid options: expected an object, got an array'],
]

describe('untyped programs: unknown options', (test) => {
  table<Thrown>(test, unknownOptions, (_, run, message) =>
    assert.is(typeErrorOf(run).message, message),
  )
  test('an unknown option of a server is a configuration error', async () =>
    assert.equal(await issuesOf(() => withoutType(inMemory)(tree, { loger: console })), [
      'FW-CONF-001 loger (from options): remove it',
    ]))
  test('an unknown option of client is a configuration error', async () => {
    const contract = typed.routes({})
    assert.equal(
      await issuesOf(() =>
        withoutType(policies.client)(contract, { baseUrl: 'http://a', timeOut: '1s' }),
      ),
      [
        'FW-CLIENT-003 client option timeOut: unknown option: expected baseUrl, fetch, transport, policies, timeout, headers, lists, maxBodySize or reconnect',
      ],
    )
    assert.equal(await clientIssues(contract), [])
  })
})

/** A title, and the result of a filter that declares a slot. */
type Result = readonly [title: string, result: unknown]

describe('untyped programs: filters that do not fill their slots', (test) => {
  table<Result>(
    test,
    [
      ['nothing', undefined],
      ['a promise of nothing', Promise.resolve()],
      ['a None', O.none],
      ['a Right of nothing', E.right(undefined)],
      ['next without values', withoutType(typed.next)()],
      ['next without the slot', typed.next({ other: 1 })],
    ],
    async (_, result) => {
      const errors: string[] = []
      const note = (entry: object): void => {
        if ('err' in entry) errors.push(String(entry.err))
      }
      const filter = requestFilter({ gives: { db: Database } }, () => result)
      const api = pipe(tree, withFilter(filter))
      const logger = { error: note, warn: note, info: note, debug: note, trace: note }
      const response = await inMemory(api, { logger })('http://localhost/a')
      assert.is(response.status, 500)
      assert.equal(errors, [
        'TypeError: missing value for the slot "database": a filter that declares gives must return next({ db: … })',
      ])
    },
  )
  test('a filter may fill a slot with undefined', async () => {
    const filter = requestFilter({ gives: { db: Database } }, () => typed.next({ db: undefined }))
    const response = await inMemory(pipe(tree, withFilter(filter)))('http://localhost/a')
    assert.is(await response.text(), 'undefined')
  })
})

const secret = '0123456789abcdef0123456789abcdef'
const keyRemedy =
  'expected a URL, a key set, a key or a Uint8Array: encode a secret with new TextEncoder().encode(secret), and convert the text of a URL with new URL(text)'

const invalidOptions: ReadonlyArray<Thrown> = [
  [
    'a string as a secret',
    () => jwt({ ...rules, keys: secret }),
    `jwt: invalid keys, got a string: ${keyRemedy}`,
  ],
  [
    'a missing secret',
    () => jwt({ ...rules, keys: undefined }),
    `jwt: invalid keys, got undefined: ${keyRemedy}`,
  ],
  [
    'a record with a secret',
    () => jwt({ ...rules, keys: { secret } }),
    `jwt: invalid keys, got an object: ${keyRemedy}`,
  ],
  [
    'a list of secrets',
    () => jwt({ ...rules, keys: [secret] }),
    `jwt: invalid keys, got an array: ${keyRemedy}`,
  ],
  [
    'a string as algorithms',
    () => jwt({ ...rules, keys, algorithms: 'HS256' }),
    'jwt: invalid algorithms: expected a list of strings, got a string',
  ],
  [
    'a string as origins',
    () => cors({ origins: 'https://app.example' }),
    "cors: invalid origins: expected '*' or a list of origins, got a string: write [origin]",
  ],
  [
    'missing origins',
    () => cors({}),
    "cors: invalid origins: expected '*' or a list of origins, got undefined",
  ],
  [
    'a missing origin',
    () => cors({ origins: [undefined] }),
    'cors: invalid origin: expected a string or a regular expression, got undefined',
  ],
  [
    'a string as methods',
    () => cors({ origins: [], methods: 'GET' }),
    'cors: invalid methods: expected a list of strings, got a string',
  ],
  [
    'a string as headers',
    () => cors({ origins: [], headers: 'a' }),
    'cors: invalid headers: expected a list of strings, got a string',
  ],
  [
    'a string as exposed headers',
    () => cors({ origins: [], exposedHeaders: 'a' }),
    'cors: invalid exposedHeaders: expected a list of strings, got a string',
  ],
  [
    'a string as logged headers',
    () => accessLog({ headers: 'a' }),
    'accessLog: invalid headers: expected a list of strings, got a string',
  ],
]

describe('untyped programs: invalid options', (test) => {
  table<Thrown>(test, invalidOptions, (_, run, message) => {
    const error = typeErrorOf(run)
    assert.is(error.message, message)
    assert.not.match(inspect(error), secret)
  })
  test('supported kinds of keys are accepted', async () => {
    const { publicKey } = await crypto.subtle.generateKey(
      { name: 'ECDSA', namedCurve: 'P-256' },
      true,
      ['sign', 'verify'],
    )
    const jwk = await crypto.subtle.exportKey('jwk', publicKey)
    for (const key of [publicKey, jwk, { keys: [jwk] }, keys, new URL('http://a'), () => publicKey])
      assert.not.throws(() => jwt({ ...rules, keys: key }))
  })
})
