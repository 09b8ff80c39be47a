/** The `cors` filter: matching of origins, rejected requests, and preflight requests. */
import * as assert from 'uvu/assert'
import { cors } from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { treeWith, preflightHeaders, corsHeadersOf, requestFrom, handlerRuns } from './origins.ts'

const listedTree = treeWith(
  cors({
    origins: [
      'https://app.example',
      'http://localhost:3000',
      'capacitor://localhost',
      'https://[::1]:8443',
      /https:\/\/pr-\d+\.app\.example/i,
    ],
  }),
)

contract('cors: origins', listedTree, (test, call) => {
  table<readonly [origin: string, kind: 'listed' | 'same' | 'foreign']>(
    test,
    [
      ['https://app.example', 'listed'],
      ['http://localhost:3000', 'listed'],
      ['capacitor://localhost', 'listed'],
      ['https://[::1]:8443', 'listed'],
      ['https://pr-17.app.example', 'listed'],
      ['http://service.test', 'same'],
      ['http://service.test:80', 'foreign'], // Browsers omit the default port.
      ['https://service.test', 'foreign'], // another scheme
      ['http://service.test:8081', 'foreign'], // another port
      ['http://app.example', 'foreign'],
      ['https://app.example:8443', 'foreign'],
      ['https://app.example/', 'foreign'], // an origin with a path
      ['https://app.example/a', 'foreign'],
      ['HTTPS://APP.EXAMPLE', 'foreign'],
      ['https://app.example.evil.example', 'foreign'],
      ['https://evil.example?https://app.example', 'foreign'],
      ['https://sub.app.example', 'foreign'],
      ['https://appxexample', 'foreign'],
      ['https://pr-17.app.example.evil.example', 'foreign'], // A regular expression matches the whole origin.
      ['https://evil.example/https://pr-17.app.example', 'foreign'],
      ['https://pr-1\u00e9.app.example', 'foreign'],
      ['https://app.example, https://evil.example', 'foreign'],
      ['https://app.example https://evil.example', 'foreign'],
      ['null', 'foreign'], // Allowed only if it is listed.
      ['', 'foreign'],
      ['*', 'foreign'],
    ],
    async (origin, kind) => {
      handlerRuns.count = 0
      const response = await sendRequest(call, 'GET /hello?n=1', requestFrom(origin))
      assert.is(response.status, kind === 'foreign' ? 403 : 200)
      assert.is(handlerRuns.count, kind === 'foreign' ? 0 : 1)
      assert.equal(corsHeadersOf(response), {
        ...(kind === 'listed' ? { 'access-control-allow-origin': origin } : {}),
        vary: 'Origin',
      })
    },
  )

  test('a request without Origin is accepted', async () => {
    const response = await sendRequest(call, 'GET /hello?n=1')
    assert.equal([response.status, corsHeadersOf(response)], [200, { vary: 'Origin' }])
  })
  test('a rejected request gets a problem document that does not repeat the origin', async () => {
    const problem = await (
      await sendRequest(call, 'GET /hello?n=1', requestFrom('https://evil.example'))
    ).text()
    assert.match(problem, /"title":"Forbidden","status":403,"detail":"Pages from this origin/)
    assert.not.match(problem, /evil/)
  })

  const listed = { 'access-control-allow-origin': 'https://app.example', vary: 'Origin' }
  table<readonly [line: string, status: number]>(
    test,
    [
      ['GET /nothing', 404],
      ['GET /hello?n=x', 400],
      ['DELETE /hello', 405],
      ['GET /conflict', 409],
      ['GET /broken', 500],
      ['OPTIONS /hello', 204], // Not a preflight: no Access-Control-Request-Method.
    ],
    async (line, status) => {
      const response = await sendRequest(call, line, requestFrom('https://app.example'))
      assert.equal([response.status, corsHeadersOf(response)], [status, listed])
    },
  )
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    test(`${method} from a foreign origin with a cookie returns 403`, async () => {
      const headers = { Origin: 'https://evil.example', Cookie: 'session=1' }
      assert.is((await sendRequest(call, `${method} /hello?n=1`, { headers })).status, 403)
      // Clients other than browsers send no Origin.
      assert.is.not((await sendRequest(call, `${method} /hello?n=1`)).status, 403)
    })
  test('a foreign origin returns 403 for an unknown path', async () =>
    assert.is(
      (await sendRequest(call, 'GET /nothing', requestFrom('https://evil.example'))).status,
      403,
    ))
})

const app = 'https://app.example'

contract(
  'cors: preflight requests without listed methods and headers',
  listedTree,
  (test, call) => {
    table<
      readonly [
        name: string,
        init: RequestInit,
        status: number,
        headers: Readonly<Record<string, string>>,
      ]
    >(
      test,
      [
        [
          'the requested method',
          requestFrom(app, preflightHeaders('PUT')),
          204,
          { 'access-control-allow-methods': 'PUT', 'access-control-allow-origin': app },
        ],
        [
          'the requested headers',
          requestFrom(app, preflightHeaders('CHEESE', 'x-a,X-B ,, content-type')),
          204,
          {
            'access-control-allow-headers': 'x-a, X-B, content-type',
            'access-control-allow-methods': 'CHEESE',
            'access-control-allow-origin': app,
          },
        ],
        [
          'invalid names',
          requestFrom(app, preflightHeaders('a b', 'x-a, <script>, "x"')),
          204,
          { 'access-control-allow-headers': 'x-a', 'access-control-allow-origin': app },
        ],
        [
          'requested headers without a method',
          requestFrom(app, { 'Access-Control-Request-Headers': 'x-a' }),
          204,
          { 'access-control-allow-headers': 'x-a', 'access-control-allow-origin': app },
        ],
        ['a foreign origin', requestFrom('https://evil.example', preflightHeaders('PUT')), 403, {}],
      ],
      async (_, init, status, headers) => {
        for (const target of ['/hello', '/nothing']) {
          const response = await sendRequest(call, `OPTIONS ${target}`, init)
          assert.is(response.status, status)
          assert.is(response.headers.get('allow'), null)
          assert.equal(corsHeadersOf(response), { ...headers, vary: 'Origin' })
          if (status === 204) assert.is(await response.text(), '')
        }
      },
    )
  },
)
