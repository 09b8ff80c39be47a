/** The endpoints of `openApiRoutes`: documents, the documentation page and its files. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import {
  basic,
  get,
  handle,
  path,
  permitAll,
  prefix,
  produces,
  rolesAllowed,
  routes,
  securityHeaders,
  text,
  withFilter,
} from '../../src/index.ts'
import { openApi, openApiRoutes } from '../../src/openapi.ts'
import type { OpenApiDocument } from '../../src/openapi.ts'
import { base, contract } from '../support/contract.ts'
import { decompress } from '../support/decompress.ts'

/** Returns the document in a response. */
const documentIn = async (response: Response): Promise<OpenApiDocument> =>
  (await response.json()) as OpenApiDocument

const pathsIn = async (response: Response): Promise<ReadonlyArray<string>> =>
  Object.keys((await documentIn(response)).paths ?? {})

const success = (items: OpenApiDocument['paths']) => items?.['/ping']?.get?.responses['200']

const info = { title: 'Books & more', version: '1.0.0' }

const ping = pipe(
  path('/ping'),
  get(),
  produces(text),
  handle(() => 'pong'),
)
const tree = routes({ ping, docs: openApiRoutes({ info }) })

const rendererFiles = [
  ['swagger-ui-bundle.js', 'text/javascript'],
  ['swagger-ui.css', 'text/css'],
  ['favicon-32x32.png', 'image/png'],
  ['oauth2-redirect.html', 'text/html'],
  ['oauth2-redirect.js', 'text/javascript'],
  ['start.js', 'text/javascript'],
  ['page.css', 'text/css'],
] as const

contract('openApiRoutes', tree, (test, call) => {
  const send = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
    call(new Request(`${base}${target}`, { headers, method }))
  test('GET /openapi.json returns the document of the other operations', async () => {
    const response = await send('/openapi.json')
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-type'), 'application/json')
    assert.is(response.headers.get('cache-control'), 'no-cache')
    const { openapi, paths, components } = await documentIn(response)
    const expected = openApi(routes({ ping }), { info })
    assert.is(openapi, expected.openapi)
    assert.equal(Object.keys(paths ?? {}), ['/ping'])
    // errors depend on settings, which are different in memory
    assert.ok(success(paths))
    assert.equal(success(paths), success(expected.paths))
    assert.equal(components?.schemas, expected.components?.schemas)
  })
  test('GET /openapi.yaml returns the same document', async () => {
    const response = await send('/openapi.yaml')
    assert.is(response.headers.get('content-type'), 'application/yaml')
    assert.equal(parse(await response.text()), await documentIn(await send('/openapi.json')))
  })
  test('the parameter version selects the version of OpenAPI', async () => {
    const version = async (target: string) => (await documentIn(await send(target))).openapi
    assert.is(await version('/openapi.json?version=3.1'), '3.1.1')
    assert.is(await version('/openapi.json?version=3.2'), '3.2.0')
    assert.match(await (await send('/openapi.yaml?version=3.2')).text(), /^openapi: "3\.2\.0"\n/)
  })
  test('an unknown version returns 400', async () =>
    assert.is((await send('/openapi.json?version=3.0')).status, 400))

  for (const target of [
    '/openapi.json',
    '/openapi.yaml',
    '/docs',
    ...rendererFiles.map(([name]) => `/docs/${name}`),
  ])
    test(`${target} has an ETag, and supports HEAD and If-None-Match`, async () => {
      const response = await send(target)
      const bytes = await response.arrayBuffer()
      const etag = response.headers.get('etag') ?? ''
      assert.match(etag, /^(?:W\/)?"[^"]+"$/)
      const head = await send(target, {}, 'HEAD')
      assert.is(head.status, 200)
      assert.is(head.headers.get('etag'), etag)
      assert.is(head.headers.get('content-length'), String(bytes.byteLength))
      const unchanged = await send(target, { 'If-None-Match': etag })
      assert.is(unchanged.status, 304)
      assert.is(await unchanged.text(), '')
    })
  test('documents of different versions have different ETags', async () => {
    const older = await send('/openapi.json')
    const newer = await send('/openapi.json?version=3.2')
    assert.is.not(older.headers.get('etag'), newer.headers.get('etag'))
  })

  for (const [name, type] of rendererFiles)
    test(`GET /docs/${name} has the media type ${type}`, async () => {
      const response = await send(`/docs/${name}`)
      assert.is(response.status, 200)
      assert.is(response.headers.get('content-type')?.split(';')[0], type)
      assert.ok((await response.arrayBuffer()).byteLength > 20)
    })
  for (const name of ['package.json', '..%2Fpackage.json', 'index.html', ''])
    test(`other files of the package are not served: ${JSON.stringify(name)}`, async () => {
      const response = await send(`/docs/${name}`)
      const content = await response.text()
      assert.is(response.status, name === '' ? 200 : 404)
      assert.not.match(content, 'swagger-api')
    })
  test('the page has a strict Content Security Policy', async () => {
    const response = await send('/docs')
    assert.is(response.headers.get('content-type'), 'text/html;charset=UTF-8')
    assert.is(
      response.headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    )
    assert.is(response.headers.get('x-content-type-options'), 'nosniff')
  })
  test('the page has the title of the document and no inline scripts or styles', async () => {
    const html = await (await send('/docs')).text()
    assert.match(html, '<title>Books &amp; more</title>')
    assert.not.match(html, /<style|style=|<script(?![^>]* src=)| on\w+=/)
    for (const [, url = ''] of html.matchAll(/(?:src|href|data-\w+)="([^"]*)"/g))
      assert.ok(url.startsWith('./') || url.startsWith('../') || !url.includes('/'), url)
  })
  test('the redirect page of OAuth keeps access to the window that opened it', async () => {
    const { headers } = await send('/docs/oauth2-redirect.html')
    assert.is(headers.get('cross-origin-opener-policy'), 'unsafe-none')
    assert.is(headers.get('content-security-policy'), "default-src 'none'; script-src 'self'")
  })
})

/** Returns the URLs in a page as a browser resolves them, behind a proxy that adds `/proxy`. */
const resolvedUrls = async (target: string, response: Response): Promise<ReadonlyArray<string>> =>
  [
    ...(await response.text()).matchAll(
      /(?:src|href|data-document|data-root|data-redirect)="([^"?]*)/g,
    ),
  ].map(([, url = '']) => new URL(url, `http://proxy.test/proxy${target}`).pathname)

contract(
  'openApiRoutes below a prefix and fw.rest.path',
  routes({ ping, docs: pipe(openApiRoutes({ info }), prefix('/internal')) }),
  (test, call) => {
    test('paths contain fw.rest.path', async () => {
      const response = await call(new Request(`${base}/api/internal/openapi.json`))
      assert.equal(await pathsIn(response), ['/api/ping'])
    })
    for (const target of ['/api/internal/docs', '/api/internal/docs/'])
      test(`URLs in ${target} are relative to the page`, async () => {
        const response = await call(new Request(`${base}${target}`))
        assert.equal(await resolvedUrls(target, response), [
          '/proxy/api/internal/docs/favicon-32x32.png',
          '/proxy/api/internal/docs/swagger-ui.css',
          '/proxy/api/internal/docs/page.css',
          '/proxy/api/internal/docs/swagger-ui-bundle.js',
          '/proxy/api/internal/docs/start.js',
          '/proxy/api/internal/openapi.json',
          '/proxy/',
          '/proxy/api/internal/docs/oauth2-redirect.html',
        ])
      })
  },
  { 'fw.rest.path': '/api' },
)

contract(
  'openApiRoutes with compression',
  tree,
  (test, call) => {
    for (const target of [
      '/openapi.json',
      '/openapi.yaml',
      '/docs',
      '/docs/swagger-ui-bundle.js',
      '/docs/swagger-ui.css',
      '/docs/start.js',
    ])
      test(`${target} is compressed`, async () => {
        const headers = { 'Accept-Encoding': 'gzip' }
        const response = await call(new Request(`${base}${target}`, { headers }))
        assert.is(response.headers.get('content-encoding'), 'gzip')
        const plain = await call(new Request(`${base}${target}`))
        assert.is(await decompress(response).rest(), await plain.text())
      })
  },
  { 'fw.http.enable-compression': true, 'fw.http.compression-threshold': 0 },
)

const admins = basic({
  realm: 'docs',
  verify: ({ user }) => ({ name: user, roles: [user] }),
})

contract(
  'openApiRoutes with filters and access rules',
  pipe(
    routes({
      ping: pipe(
        path('/ping'),
        get(),
        permitAll,
        produces(text),
        handle(() => 'pong'),
      ),
      docs: pipe(openApiRoutes({ info }), rolesAllowed('admin')),
    }),
    withFilter(admins, securityHeaders({ contentSecurityPolicy: true, frameOptions: true })),
  ),
  (test, call) => {
    const send = (target: string, user?: string) => {
      const headers = user === undefined ? {} : { Authorization: `Basic ${btoa(`${user}:`)}` }
      return call(new Request(`${base}${target}`, { headers }))
    }
    for (const target of ['/openapi.json', '/openapi.yaml', '/docs', '/docs/start.js'])
      test(`${target} requires the role`, async () => {
        assert.is((await send(target)).status, 401)
        assert.is((await send(target, 'reader')).status, 403)
        assert.is((await send(target, 'admin')).status, 200)
      })
    test('headers of filters do not replace the policy of the page', async () => {
      const response = await send('/docs', 'admin')
      assert.match(response.headers.get('content-security-policy') ?? '', "script-src 'self'")
      assert.is(response.headers.get('x-frame-options'), 'DENY')
    })
  },
)
