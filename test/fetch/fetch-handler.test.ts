/** Handlers for runtimes with the Fetch standard: platform values, responses, limits and unsupported operations. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { callWithFilters } from '../../src/client.ts'
import { ConfigurationError, toFetchHandler } from '../../src/fetch.ts'
import {
  blocking,
  body,
  bytes,
  file,
  fileBody,
  form,
  get,
  handle,
  limits,
  needs,
  next,
  noContent,
  ok,
  path,
  post,
  produces,
  requestFilter,
  responds,
  routes,
  slot,
  text,
  upload,
  withCookie,
  withFilter,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'
import { numbers } from '../support/observed-source.ts'

const base = 'http://service.test'

interface Env {
  readonly name: string
}
const Env = slot<Env>()('env')
const Tenant = slot<string>()('tenant')

const request = (target: string, init: RequestInit = {}): Request =>
  new Request(`${base}${target}`, init)

describe('toFetchHandler: the value of the platform', (test) => {
  const named = pipe(
    path('/name'),
    get(),
    needs({ env: Env }),
    produces(text),
    handle(({ needs: { env } }) => env.name),
  )
  test('fills the slot for each request', async () => {
    const handler = toFetchHandler(routes({ named }), { platform: Env })
    const responses = await Promise.all(
      ['a', 'b'].map((name) => handler(request('/name'), { name })),
    )
    assert.equal(await Promise.all(responses.map((response) => response.text())), ['a', 'b'])
  })
  test('is available to request filters that need the slot', async () => {
    const tenancy = requestFilter(
      { needs: { env: Env }, gives: { tenant: Tenant } },
      (_, { env }) => next({ tenant: `tenant of ${env.name}` }),
    )
    const tenant = pipe(
      path('/tenant'),
      get(),
      needs({ tenant: Tenant }),
      produces(text),
      handle((input) => input.needs.tenant),
    )
    const api = pipe(routes({ tenant }), withFilter(tenancy))
    const handler = toFetchHandler(api, { platform: Env })
    const response = await handler(request('/tenant'), { name: 'a' })
    assert.is(await response.text(), 'tenant of a')
  })
  test('is passed on to requests within the tree', async () => {
    const outer = pipe(
      path('/outer'),
      get(),
      produces(text),
      handle((_, context) => async () => {
        const result = await callWithFilters(context, named)()
        return E.isRight(result) ? result.right.body : 'failed'
      }),
    )
    const handler = toFetchHandler(routes({ named, outer }), { platform: Env })
    assert.is(await (await handler(request('/outer'), { name: 'a' })).text(), 'a')
  })
  test('is passed to clientAddress', async () => {
    const address = pipe(
      path('/address'),
      get(),
      produces(text),
      handle((_, context) => String(context.request.clientAddress)),
    )
    const handler = toFetchHandler(routes({ address }), {
      platform: Env,
      clientAddress: (received, { name }) => `${received.headers.get('x-peer')} ${name}`,
    })
    const headers = { 'X-Peer': '203.0.113.9' }
    const response = await handler(request('/address', { headers }), { name: 'a' })
    assert.is(await response.text(), '203.0.113.9 a')
    const plain = toFetchHandler(routes({ address }))
    assert.is(await (await plain(request('/address'))).text(), 'undefined')
  })
})

describe('toFetchHandler: responses', (test) => {
  const api = routes({
    text: pipe(
      path('/text'),
      get(),
      produces(text),
      handle(() =>
        pipe(ok('é'), withCookie({ name: 'a', value: '1' }), withCookie({ name: 'b', value: '2' })),
      ),
    ),
    nothing: pipe(
      path('/nothing'),
      get(),
      responds(204),
      handle(() => noContent),
    ),
    upload: pipe(
      path('/upload'),
      post(),
      form({ cover: upload }),
      produces(text),
      handle(async ({ form: { cover } }) => {
        let filePath = ''
        try {
          filePath = cover.path
        } catch (error) {
          filePath = String(error)
        }
        return `${cover.size} ${new TextDecoder().decode(await cover.read())} ${filePath}`
      }),
    ),
    late: pipe(
      path('/late'),
      get(),
      limits({ timeout: 20 }),
      produces(text),
      handle(() => new Promise<string>(() => undefined)),
    ),
  })
  const handler = toFetchHandler(api)
  test('cookies are separate headers', async () => {
    const { headers } = await handler(request('/text'))
    assert.equal(headers.getSetCookie().length, 2)
  })
  test('HEAD has the headers of GET and no body', async () => {
    const response = await handler(request('/text', { method: 'HEAD' }))
    assert.equal([response.body, response.headers.get('content-length')], [null, '2'])
  })
  test('204 has neither a body nor a length', async () => {
    const response = await handler(request('/nothing'))
    assert.equal(
      [response.status, response.body, response.headers.has('content-length')],
      [204, null, false],
    )
  })
  test('an uploaded file is in memory', async () => {
    const data = new FormData()
    data.set('cover', new Blob(['pixels']), 'emma.png')
    const response = await handler(request('/upload', { method: 'POST', body: data }))
    assert.is(
      await response.text(),
      '6 pixels TypeError: a file in memory has no path: call read()',
    )
  })
  test('an operation that exceeds its timeout results in 503', async () =>
    assert.is((await handler(request('/late'))).status, 503))
  table(
    test,
    [
      ['a long URL', `/${'a'.repeat(60)}`, {}, 414],
      ['a URL within the limit', '/text', {}, 200],
      // the runtime has parsed the headers
      [
        'many headers',
        '/text',
        Object.fromEntries(Array.from(numbers(6), (n) => [`h${n}`, ''])),
        200,
      ],
      ['large headers', '/text', { a: 'a'.repeat(100) }, 200],
    ] as const,
    async (_, target, headers, status) => {
      const limited = toFetchHandler(api, {
        'fw.http.limits.max-initial-line-length': 60,
        'fw.http.limits.max-header-fields': 5,
        'fw.http.limits.max-header-size': 100,
      })
      const response = await limited(request(target, { headers }))
      assert.is(response.status, status)
      if (status !== 200)
        assert.is(response.headers.get('content-type'), 'application/problem+json')
    },
  )
})

describe('toFetchHandler: unsupported operations', (test) => {
  table(
    test,
    [
      [
        'a blocking operation',
        pipe(
          path('/'),
          get(),
          blocking,
          produces(text),
          handle(() => ''),
        ),
      ],
      [
        'a body that is stored in a file',
        pipe(
          path('/'),
          post(),
          body(fileBody),
          produces(text),
          handle(() => ''),
        ),
      ],
      [
        'a file as a response',
        pipe(
          path('/'),
          get(),
          produces(file),
          handle(() => ''),
        ),
      ],
    ] as const,
    (_, operation) => {
      try {
        toFetchHandler(routes({ operation }))
      } catch (error) {
        assert.instance(error, ConfigurationError)
        assert.match(String(error), /FW-FETCH-001[^]*\(operation\)/)
        return
      }
      assert.unreachable()
    },
  )
  test('settings outside the options are not read', () => {
    process.env['FW_REST_PATH'] = '/from-environment'
    try {
      const found = pipe(
        path('/'),
        get(),
        produces(bytes),
        handle(() => new Uint8Array()),
      )
      return toFetchHandler(routes({ found }))(request('/')).then(({ status }) =>
        assert.is(status, 200),
      )
    } finally {
      delete process.env['FW_REST_PATH']
    }
  })
})
