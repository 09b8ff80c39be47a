/** Which pages of other origins may ask, and what browsers ask before. */
import * as assert from 'uvu/assert'
import { cors } from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { answering, asking, fieldsOf, from, ran } from '../support/origins.ts'

const listing = answering(
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

contract('origins', listing, (test, call) => {
  table<readonly [string, 'listed' | 'own' | 'foreign']>(
    test,
    [
      ['https://app.example', 'listed'],
      ['http://localhost:3000', 'listed'],
      ['capacitor://localhost', 'listed'],
      ['https://[::1]:8443', 'listed'],
      ['https://pr-17.app.example', 'listed'],
      ['http://service.test', 'own'],
      ['http://service.test:80', 'foreign'], // no browser writes the default port
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
      ['https://pr-17.app.example.evil.example', 'foreign'], // an expression matches the whole
      ['https://evil.example/https://pr-17.app.example', 'foreign'],
      ['https://pr-1\u00e9.app.example', 'foreign'],
      ['https://app.example, https://evil.example', 'foreign'],
      ['https://app.example https://evil.example', 'foreign'],
      ['null', 'foreign'], // J1: only if it is listed
      ['', 'foreign'],
      ['*', 'foreign'],
    ],
    async (origin, kind) => {
      ran.times = 0
      const response = await ask(call, 'GET /hello?n=1', from(origin))
      assert.is(response.status, kind === 'foreign' ? 403 : 200)
      assert.is(ran.times, kind === 'foreign' ? 0 : 1)
      assert.equal(fieldsOf(response), {
        ...(kind === 'listed' ? { 'access-control-allow-origin': origin } : {}),
        vary: 'Origin',
      })
    },
  )

  test('a request without an origin is nobody’s business', async () => {
    const response = await ask(call, 'GET /hello?n=1')
    assert.equal([response.status, fieldsOf(response)], [200, { vary: 'Origin' }])
  })
  test('a refusal is a problem document that does not repeat the origin', async () => {
    const problem = await (await ask(call, 'GET /hello?n=1', from('https://evil.example'))).text()
    assert.match(problem, /"title":"Forbidden","status":403,"detail":"Pages of this origin/)
    assert.not.match(problem, /evil/)
  })

  const listed = { 'access-control-allow-origin': 'https://app.example', vary: 'Origin' }
  table<readonly [string, number]>(
    test,
    [
      ['GET /nothing', 404],
      ['GET /hello?n=x', 400],
      ['DELETE /hello', 405],
      ['GET /conflict', 409],
      ['GET /defect', 500],
      ['OPTIONS /hello', 204], // no preflight: nothing is asked
    ],
    async (line, status) => {
      const response = await ask(call, line, from('https://app.example'))
      assert.equal([response.status, fieldsOf(response)], [status, listed])
    },
  )
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    test(`a page of another origin cannot ${method}, whatever the cookies`, async () => {
      const headers = { Origin: 'https://evil.example', Cookie: 'session=1' }
      assert.is((await ask(call, `${method} /hello?n=1`, { headers })).status, 403)
      // the program of somebody who is no browser
      assert.is.not((await ask(call, `${method} /hello?n=1`)).status, 403)
    })
  test('a refusal before matching comes before 404', async () =>
    assert.is((await ask(call, 'GET /nothing', from('https://evil.example'))).status, 403))
})

const app = 'https://app.example'

contract('preflights where nothing is listed', listing, (test, call) => {
  table<readonly [string, RequestInit, number, Readonly<Record<string, string>>]>(
    test,
    [
      [
        'the method is repeated',
        from(app, asking('PUT')),
        204,
        { 'access-control-allow-methods': 'PUT', 'access-control-allow-origin': app },
      ],
      [
        'and the fields',
        from(app, asking('CHEESE', 'x-a,X-B ,, content-type')),
        204,
        {
          'access-control-allow-headers': 'x-a, X-B, content-type',
          'access-control-allow-methods': 'CHEESE',
          'access-control-allow-origin': app,
        },
      ],
      [
        'but only names',
        from(app, asking('a b', 'x-a, <script>, "x"')),
        204,
        { 'access-control-allow-headers': 'x-a', 'access-control-allow-origin': app },
      ],
      [
        'fields without a method',
        from(app, { 'Access-Control-Request-Headers': 'x-a' }),
        204,
        { 'access-control-allow-headers': 'x-a', 'access-control-allow-origin': app },
      ],
      ['of a foreign origin', from('https://evil.example', asking('PUT')), 403, {}],
    ],
    async (_, init, status, fields) => {
      for (const target of ['/hello', '/nothing']) {
        const response = await ask(call, `OPTIONS ${target}`, init)
        assert.is(response.status, status)
        assert.is(response.headers.get('allow'), null)
        assert.equal(fieldsOf(response), { ...fields, vary: 'Origin' })
        if (status === 204) assert.is(await response.text(), '')
      }
    },
  )
})
