/** The options of `openApiRoutes`, and the trees that documents describe. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { serve } from '../../src/node.ts'
import {
  bearer,
  body,
  get,
  handle,
  json,
  oauth2,
  openIdConnect,
  path,
  post,
  produces,
  profile,
  routes,
  text,
  when,
  withFilter,
} from '../../src/index.ts'
import { openApiRoutes } from '../../src/openapi.ts'
import type { OpenApiDocument, OpenApiRoutesOptions } from '../../src/openapi.ts'
import { inMemory } from '../../src/testing.ts'
import { base } from '../support/contract.ts'
import { describe, table } from '../support/describe.ts'

const info = { title: 'Books', version: '1.0.0' }

/** Returns the document in a response. */
const documentIn = async (response: Response): Promise<OpenApiDocument> =>
  (await response.json()) as OpenApiDocument

const ping = pipe(
  path('/ping'),
  get(),
  produces(text),
  handle(() => 'pong'),
)
const tree = (options: Partial<OpenApiRoutesOptions> = {}) =>
  routes({ ping, docs: openApiRoutes({ info, ...options }) })

/** Requests the page, and returns its status, its HTML and the sources to which it can send requests. */
const pageOf = async (api: Parameters<typeof inMemory>[0]) => {
  const response = await inMemory(api)(`${base}/docs`)
  return {
    status: response.status,
    html: await response.text(),
    connects: /connect-src ([^;]*)/.exec(
      response.headers.get('content-security-policy') ?? '',
    )?.[1],
  }
}
const page = (options: Partial<OpenApiRoutesOptions>) => pageOf(tree(options))

describe('options of openApiRoutes', (test) => {
  test('webhooks, tags and externalDocs are part of the document', async () => {
    const send = inMemory(
      tree({
        webhooks: routes({ bookAdded: pipe(path('/'), post(), body(text)) }),
        tags: [{ name: 'books', description: 'Books' }],
        externalDocs: { url: 'https://docs.example' },
      }),
    )
    const document = await documentIn(await send(`${base}/openapi.json`))
    assert.equal(Object.keys(document.webhooks ?? {}), ['bookAdded'])
    assert.equal(document.externalDocs, { url: 'https://docs.example' })
    assert.is(document.tags?.[0]?.description, 'Books')
    assert.is((await send(`${base}/docs`)).status, 200)
  })
  test('page: false serves no page', async () => {
    assert.is((await page({ page: false })).status, 404)
    const send = inMemory(tree({ page: false }))
    assert.is((await send(`${base}/docs/start.js`)).status, 404)
    assert.is((await send(`${base}/openapi.json`)).status, 200)
  })
  test('version is the default version', async () => {
    const send = inMemory(tree({ version: '3.2' }))
    assert.is((await documentIn(await send(`${base}/openapi.json`))).openapi, '3.2.0')
  })
  test('title replaces the title of the page', async () => {
    const { html } = await page({ page: { title: '"<b>"' } })
    assert.match(html, '<title>&quot;&lt;b&gt;&quot;</title>')
  })
  test('oauth sets the defaults of the authorize dialog', async () => {
    const { html } = await page({ page: { oauth: { clientId: 'docs', scopes: ['read'] } } })
    assert.match(
      html,
      'data-oauth="{&quot;clientId&quot;:&quot;docs&quot;,&quot;scopes&quot;:[&quot;read&quot;],&quot;usePkceWithAuthorizationCodeGrant&quot;:true}"',
    )
  })
  test('the policy allows requests to the servers of the document', async () => {
    const servers = [
      { url: 'https://api.example/v1' },
      { url: 'https://{region}.example' },
      { url: '/v2' },
      { url: 'https://api.example; script-src *' },
    ]
    const { connects, html } = await page({
      servers,
      page: { connectSources: ['https://login.example'] },
    })
    assert.is(connects, "'self' https://api.example https://login.example")
    assert.not.match(html, 'data-root')
  })
  test('the policy allows requests to token endpoints and discovery documents', async () => {
    const flow = {
      authorizationUrl: 'https://login.example/authorize',
      tokenUrl: 'https://tokens.example/token',
      scopes: {},
    }
    const url = 'https://id.example/.well-known/openid-configuration'
    const users = bearer({
      verify: () => undefined,
      describedAs: oauth2({ flows: { authorizationCode: flow } }),
    })
    const staff = bearer({ verify: () => undefined, describedAs: openIdConnect({ url }) })
    assert.is(
      (await pageOf(pipe(tree(), withFilter(users, staff)))).connects,
      "'self' https://tokens.example https://id.example",
    )
  })
  table(
    test,
    [
      [{ info, pages: {} }, 'unknown option "pages"'],
      [{ info, page: { titel: '' } }, 'unknown option "titel"'],
      [{ info, page: { oauth: { client: '' } } }, 'unknown option "client"'],
      [{ info, page: { connectSources: 'https://a.example' } }, 'invalid connectSources'],
      [{ info, page: { connectSources: ["'self'; script-src *"] } }, 'invalid connectSources'],
    ] as ReadonlyArray<[unknown, string]>,
    (options, message) =>
      assert.throws(
        () => openApiRoutes(options as OpenApiRoutesOptions),
        (error: Error) => error instanceof TypeError && error.message.includes(message),
      ),
  )
})

const other = pipe(
  path('/other'),
  get(),
  handle(() => undefined),
)

const pathsOf = async (api: Parameters<typeof inMemory>[0]): Promise<ReadonlyArray<string>> =>
  Object.keys((await documentIn(await inMemory(api)(`${base}/openapi.json`))).paths ?? {})

const first = pipe(
  path('/first'),
  get(),
  produces(json(t.type({ title: t.string }, 'Book'))),
  handle(() => ({ title: 'Emma' })),
)
const second = pipe(
  path('/second'),
  get(),
  produces(json(t.type({ pages: t.number }, 'Book'))),
  handle(() => ({ pages: 7 })),
)

describe('operations that describe the tree', (test) => {
  test('one openApiRoutes value can be part of several trees', async () => {
    const docs = openApiRoutes({ info })
    assert.equal(await pathsOf(routes({ ping, docs })), ['/ping'])
    assert.equal(await pathsOf(routes({ other, docs })), ['/other'])
    assert.equal(await pathsOf(routes({ ping, docs })), ['/ping'])
  })
  test('a document contains included operations only', async () => {
    const api = routes({
      ping,
      other: pipe(other, when(profile('elsewhere'))),
      docs: openApiRoutes({ info }),
    })
    assert.equal(await pathsOf(api), ['/ping'])
  })
  for (const profileName of ['dev', 'prod'])
    test(`serve logs one warning about codecs with one name in the profile ${profileName}`, async () => {
      const lines: unknown[] = []
      const record = (members: object) => lines.push(members)
      const server = await serve(routes({ first, second, docs: openApiRoutes({ info }) }), {
        profile: profileName,
        logger: { ...silentLogger, warn: record, error: record },
        'fw.http.host': '127.0.0.1',
        'fw.http.port': 0,
        'fw.shutdown.grace': 0,
      })
      try {
        const about = () => lines.filter((line) => JSON.stringify(line).includes('["Book"]'))
        assert.is(about().length, 1)
        await fetch(`${server.url}/openapi.json?version=3.2`)
        await fetch(`${server.url}/openapi.yaml`)
        await fetch(`${server.url}/openapi.json`)
        assert.is(about().length, 1)
      } finally {
        await server.close()
      }
    })
})
