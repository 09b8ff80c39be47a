/** `csrf`: requests of pages of the same origin, the same site and other sites, and of clients that are not browsers. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { CsrfOptions } from '../../../src/index.ts'
import {
  authenticated,
  basic,
  body,
  cors,
  csrf,
  Forbidden,
  get,
  handle,
  json,
  mapError,
  method,
  path,
  post,
  produces,
  put,
  reply,
  string,
  responds,
  routes,
  text,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { contract, valueContract } from '../../support/contract.ts'
import { createRecorder } from '../../support/recorder.ts'
import { sendRequest } from '../../support/send-request.ts'

const page = path('/page')
const operations = {
  read: pipe(
    page,
    get(),
    produces(text),
    handle(() => 'page'),
  ),
  search: pipe(
    page,
    method('QUERY')(),
    body(text),
    produces(text),
    handle(() => 'found'),
  ),
  change: pipe(
    page,
    put(),
    body(json(string)),
    responds(204),
    handle(() => undefined),
  ),
  send: pipe(
    page,
    post(),
    responds(204),
    handle(() => undefined),
  ),
}
const protectedBy = (options?: CsrfOptions) => pipe(routes(operations), withFilter(csrf(options)))

const Host = 'service.test'
const own = 'http://service.test'
const app = 'https://app.example'
const foreign = 'https://evil.example'

/** The headers in which browsers state the page of a request. */
type Source = { readonly site?: string; readonly origin?: string }

const headersOf = ({ site, origin }: Source): Record<string, string> => ({
  Host,
  ...(site === undefined ? {} : { 'Sec-Fetch-Site': site }),
  ...(origin === undefined ? {} : { Origin: origin }),
})

type Row = readonly [title: string, source: Source, status: number]

const rows: ReadonlyArray<Row> = [
  ['a page of the same origin', { site: 'same-origin', origin: own }, 204],
  ['a page of the same origin, without Origin', { site: 'same-origin' }, 204],
  [
    'a page of the same origin that sends the origin null',
    { site: 'same-origin', origin: 'null' },
    204,
  ],
  [
    'a page of the same origin that a proxy serves over TLS',
    { site: 'same-origin', origin: 'https://service.test' },
    204,
  ],
  ['an action of the user', { site: 'none' }, 204],
  [
    'another origin of the same site',
    { site: 'same-site', origin: 'http://www.service.test' },
    403,
  ],
  ['another site', { site: 'cross-site', origin: foreign }, 403],
  ['another site without Origin', { site: 'cross-site' }, 403],
  ['another site with the origin of the service', { site: 'cross-site', origin: own }, 403],
  ['an unknown Sec-Fetch-Site', { site: 'same-planet', origin: own }, 403],
  ['two values of Sec-Fetch-Site', { site: 'same-origin, cross-site' }, 403],
  ['Sec-Fetch-Site in upper case', { site: 'SAME-ORIGIN' }, 403],
  ['an empty Sec-Fetch-Site and a foreign origin', { site: '', origin: foreign }, 403],
  ['only Origin, of the service', { origin: own }, 204],
  ['only Origin, with another scheme', { origin: 'https://service.test' }, 403],
  ['only Origin, with another port', { origin: 'http://service.test:8080' }, 403],
  [
    'only Origin, with a host that starts with the own one',
    { origin: 'http://service.test.evil.example' },
    403,
  ],
  ['only Origin, foreign', { origin: foreign }, 403],
  ['only Origin, null', { origin: 'null' }, 403],
  ['only Origin, malformed', { origin: 'http://[' }, 403],
  ['a client that is not a browser', {}, 204],
  ['an empty Origin', { origin: '' }, 204],
]

contract('csrf without options', protectedBy(), (test, call) => {
  table<Row>(test, rows, async (_, source, status) => {
    const response = await sendRequest(call, 'POST /page', { headers: headersOf(source) })
    assert.is(response.status, status)
  })
  test('the response is a problem document without values of the request', async () => {
    const headers = headersOf({ site: 'cross-site', origin: foreign })
    const response = await sendRequest(call, 'POST /page', { headers })
    assert.is(response.headers.get('content-type'), 'application/problem+json')
    const document = await response.text()
    assert.match(document, /Pages of other origins are not allowed to send this request\./)
    assert.not.match(document, /evil/)
  })
  test('a request with an invalid body is rejected before the body is read', async () => {
    const headers = { ...headersOf({ site: 'cross-site' }), 'Content-Type': 'application/json' }
    const response = await sendRequest(call, 'PUT /page', { headers, body: '{' })
    assert.is(response.status, 403)
  })
  table<readonly [string, number]>(
    test,
    [
      ['GET', 200],
      ['HEAD', 200],
      ['OPTIONS', 204],
      ['QUERY', 200],
      ['PUT', 403],
      ['POST', 403],
    ],
    async (name, status) => {
      const hasBody = name === 'QUERY' || name === 'PUT'
      const response = await sendRequest(call, `${name} /page`, {
        headers: {
          ...headersOf({ site: 'cross-site', origin: foreign }),
          ...(hasBody && { 'Content-Type': name === 'PUT' ? 'application/json' : 'text/plain' }),
        },
        ...(hasBody && { body: '"a"' }),
      })
      assert.is(response.status, status)
    },
  )
})

valueContract(
  'csrf with origins',
  protectedBy({ origins: [app, /https:\/\/pr-\d+\.app\.example/] }),
  (test, call) => {
    table<Row>(
      test,
      [
        ['a listed origin', { site: 'cross-site', origin: app }, 204],
        ['a listed origin of the same site', { site: 'same-site', origin: app }, 204],
        ['a listed origin without Sec-Fetch-Site', { origin: app }, 204],
        [
          'an origin that matches an expression',
          { site: 'cross-site', origin: 'https://pr-7.app.example' },
          204,
        ],
        ['another origin', { site: 'cross-site', origin: foreign }, 403],
        [
          'an origin that starts with a listed one',
          { site: 'cross-site', origin: `${app}.evil.example` },
          403,
        ],
        [
          'another origin of the same site',
          { site: 'same-site', origin: 'http://www.service.test' },
          403,
        ],
        ['no origin', { site: 'cross-site' }, 403],
      ],
      async (_, source, status) => {
        const response = await sendRequest(call, 'POST /page', { headers: headersOf(source) })
        assert.is(response.status, status)
      },
    )
  },
)

valueContract('csrf with sameSite', protectedBy({ sameSite: true }), (test, call) => {
  table<Row>(
    test,
    [
      [
        'another origin of the same site',
        { site: 'same-site', origin: 'http://www.service.test' },
        204,
      ],
      [
        'another origin of the same site, without Sec-Fetch-Site',
        { origin: 'http://www.service.test' },
        403,
      ],
      ['another site', { site: 'cross-site', origin: foreign }, 403],
    ],
    async (_, source, status) => {
      const response = await sendRequest(call, 'POST /page', { headers: headersOf(source) })
      assert.is(response.status, status)
    },
  )
})

const staff = basic({ realm: 'library', verify: () => undefined })
const paid = { count: 0 }
const operationAt = (target: string) =>
  pipe(
    path(target),
    post(),
    body(text),
    responds(204),
    handle(() => void paid.count++),
  )

const combined = () =>
  routes({
    pages: pipe(
      routes({
        pay: operationAt('/pay'),
        mail: pipe(operationAt('/mail'), authenticated),
      }),
      withFilter(staff, csrf()),
      withMapper(mapError(Forbidden, () => reply(403, 'not from here'))),
    ),
    notified: operationAt('/webhook'),
  })

contract('csrf on a subtree', combined, (test, call) => {
  const statusOf = async (target: string, source: Source) => {
    const headers = { ...headersOf(source), 'Content-Type': 'text/plain' }
    return (await sendRequest(call, `POST ${target}`, { headers, body: 'a' })).status
  }
  test('does not apply to operations outside the subtree', async () =>
    assert.is(await statusOf('/webhook', { site: 'cross-site', origin: foreign }), 204))
  test('rejects a request before authentication', async () => {
    assert.is(await statusOf('/mail', { site: 'same-origin' }), 401)
    assert.is(await statusOf('/mail', { site: 'cross-site' }), 403)
  })
  test('does not run the handler of a rejected request', async () => {
    const before = paid.count
    assert.is(await statusOf('/pay', { site: 'cross-site' }), 403)
    assert.is(paid.count, before)
  })
  test('a mapper of Forbidden receives the rejection', async () => {
    const response = await sendRequest(call, 'POST /pay', {
      headers: { ...headersOf({ site: 'cross-site' }), 'Content-Type': 'text/plain' },
      body: 'a',
    })
    assert.is(await response.text(), 'not from here')
  })
})

const overridden = pipe(
  routes({ send: operations.send }),
  withFilter(csrf({ origins: [app] }), cors({ origins: [app], credentials: true })),
)

valueContract('csrf with cors', overridden, (test, call) => {
  test('a listed origin can read the response', async () => {
    const headers = headersOf({ site: 'cross-site', origin: app })
    const response = await sendRequest(call, 'POST /page', { headers })
    assert.equal([response.status, response.headers.get('access-control-allow-origin')], [204, app])
  })
})

const log = createRecorder()

contract(
  'csrf behind a proxy that terminates TLS',
  () => protectedBy(),
  (test, call) => {
    test('logs the settings if a browser without Sec-Fetch-Site is rejected', async () => {
      log.lines.length = 0
      const headers = headersOf({ origin: 'https://service.test' })
      for (const _ of [1, 2])
        assert.is((await sendRequest(call, 'POST /page', { headers })).status, 403)
      const messages = log.linesAt('warn').map(({ message }) => message)
      assert.is(messages.length, 1)
      assert.match(messages.join(), /fw\.http\.public-url.*fw\.http\.proxy\.trusted/)
    })
  },
  { logger: log.logger },
)

valueContract(
  'csrf with a public URL',
  protectedBy(),
  (test, call) => {
    test('accepts the public origin without Sec-Fetch-Site', async () => {
      const headers = headersOf({ origin: 'https://library.example' })
      assert.is((await sendRequest(call, 'POST /page', { headers })).status, 204)
    })
    test('rejects the origin of the connection', async () => {
      const headers = headersOf({ origin: own })
      assert.is((await sendRequest(call, 'POST /page', { headers })).status, 403)
    })
  },
  { 'fw.http.public-url': 'https://library.example' },
)
