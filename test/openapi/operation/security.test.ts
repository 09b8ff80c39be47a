/** The descriptions of authentication filters and access rules. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  apiKey,
  authenticated,
  authentication,
  basic,
  bearer,
  denyAll,
  get,
  jwt,
  mutualTls,
  oauth2,
  openIdConnect,
  path,
  permitAll,
  rolesAllowed,
  routes,
  securityScheme,
  withFilter,
} from '../../../src/index.ts'
import type { PlainFilter } from '../../../src/endpoint/filter.ts'
import { describe } from '../../support/describe.ts'
import { describeOnly, describeTree } from '../document.ts'

const verify = () => undefined

const operation = pipe(path('/'), get())

describe('security schemes', (test) => {
  const flows = {
    clientCredentials: { tokenUrl: 'https://id.example/token', scopes: { a: 'First' } },
  }
  const url = 'https://id.example/.well-known/openid-configuration'
  // prettier-ignore
  const rows: ReadonlyArray<readonly [title: string, filter: PlainFilter, schemes: object]> = [
    ['basic', basic({ realm: 'r', verify }), { basic: { type: 'http', scheme: 'basic' } }],
    ['bearer', bearer({ verify }), { bearer: { type: 'http', scheme: 'bearer' } }],
    ['bearer with a cookie', bearer({ verify, cookie: 'token' }), { bearer: { type: 'http', scheme: 'bearer' }, bearerCookie: { type: 'apiKey', in: 'cookie', name: 'token' } }],
    ['jwt', jwt({ keys: new Uint8Array(32), issuer: 'i', audience: 'a', algorithms: ['HS256'] }), { jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } }],
    ['an API key in a header', apiKey({ header: 'X-Key', verify }), { apiKey: { type: 'apiKey', in: 'header', name: 'X-Key' } }],
    ['an API key in the query', apiKey({ query: 'key', verify }), { apiKey: { type: 'apiKey', in: 'query', name: 'key' } }],
    ['an API key in a cookie', apiKey({ cookie: 'key', verify }), { apiKey: { type: 'apiKey', in: 'cookie', name: 'key' } }],
    ['a filter of the application', authentication({ challenge: 'Negotiate' }, verify), { negotiate: { type: 'http', scheme: 'negotiate' } }],
    ['a described filter of the application', authentication({ challenge: 'Session', describedAs: securityScheme('session', { type: 'apiKey', in: 'cookie', name: 's' }) }, verify), { session: { type: 'apiKey', in: 'cookie', name: 's' } }],
    ['OAuth 2', bearer({ verify, describedAs: oauth2({ flows, name: 'login', description: 'Log in.' }) }), { login: { type: 'oauth2', flows, description: 'Log in.' } }],
    ['client certificates', mutualTls(), { mutualTls: { type: 'mutualTLS' } }],
    ['OpenID Connect', jwt({ keys: new Uint8Array(32), issuer: 'i', audience: 'a', algorithms: ['HS256'], describedAs: openIdConnect({ url }) }), { openIdConnect: { type: 'openIdConnect', openIdConnectUrl: url } }],
  ]
  for (const [title, filter, schemes] of rows)
    test(title, () => {
      const document = describeTree(pipe(routes({ operation }), withFilter(filter)))
      assert.equal(document.components?.securitySchemes, schemes)
      const names = Object.keys(schemes).map((name) => ({ [name]: [] }))
      assert.equal(document.paths?.['/']?.get?.security, [{}, ...names])
    })

  test('different schemes with one name are numbered, equal ones are shared', () => {
    const document = describeTree(
      routes({
        a: pipe(routes({ operation }), withFilter(apiKey({ header: 'a', verify }))),
        b: pipe(
          routes({ b: pipe(path('/b'), get()) }),
          withFilter(apiKey({ header: 'b', verify })),
        ),
        c: pipe(
          routes({ c: pipe(path('/c'), get()) }),
          withFilter(apiKey({ header: 'a', verify })),
        ),
      }),
    )
    assert.equal(Object.keys(document.components?.securitySchemes ?? {}), ['apiKey', 'apiKey2'])
    assert.equal(document.paths?.['/b']?.get?.security, [{}, { apiKey2: [] }])
    assert.equal(document.paths?.['/c']?.get?.security, [{}, { apiKey: [] }])
  })

  test('a name with other characters than letters, digits, dots and hyphens is rejected', () => {
    assert.throws(
      () => securityScheme('my scheme', { type: 'http', scheme: 'basic' }),
      /invalid name of a security scheme: "my scheme"/,
    )
  })
})

describe('security requirements', (test) => {
  const both = [basic({ realm: 'r', verify }), bearer({ verify })] as const
  const oauth = bearer({
    verify,
    describedAs: oauth2({
      flows: {
        implicit: { authorizationUrl: 'https://id.example', scopes: { a: '', b: '', root: '' } },
      },
    }),
  })
  // prettier-ignore
  const rows = [
    ['without authentication', routes({ operation }), []],
    ['without an access rule', pipe(routes({ operation }), withFilter(oauth)), [{}, { oauth2: [] }]],
    ['for everyone', pipe(routes({ operation: pipe(operation, permitAll) }), withFilter(oauth)), [{}, { oauth2: [] }]],
    ['for callers', pipe(routes({ operation: pipe(operation, authenticated) }), withFilter(oauth)), [{ oauth2: [] }]],
    ['for a role', pipe(routes({ operation: pipe(operation, rolesAllowed('a')) }), withFilter(oauth)), [{ oauth2: ['a'] }]],
    ['for one of two roles', pipe(routes({ operation: pipe(operation, rolesAllowed('a', 'b')) }), withFilter(oauth)), [{ oauth2: ['a'] }, { oauth2: ['b'] }]],
    ['for a role that is no scope', pipe(routes({ operation: pipe(operation, rolesAllowed('x', 'y')) }), withFilter(oauth)), [{ oauth2: [] }]],
    ['for a role with basic authentication', pipe(routes({ operation: pipe(operation, rolesAllowed('x')) }), withFilter(both[0])), [{ basic: ['x'] }]],
    ['that is denied', pipe(routes({ operation: pipe(operation, denyAll) }), withFilter(oauth)), [{ oauth2: [] }]],
    ['with two filters', pipe(routes({ operation: pipe(operation, authenticated) }), withFilter(...both)), [{ basic: [] }, { bearer: [] }]],
  ] as const
  for (const [title, tree, security] of rows)
    test(`an operation ${title}: ${JSON.stringify(security)}`, () => {
      assert.equal(describeOnly(tree).security, security)
    })

  test('property expressions in roles are resolved', () => {
    const tree = pipe(
      routes({ operation: pipe(operation, rolesAllowed('${admin.role}')) }),
      withFilter(oauth),
    )
    const { security } = describeOnly(tree, { properties: { 'admin.role': 'root' } })
    assert.equal(security, [{ oauth2: ['root'] }])
  })
})
