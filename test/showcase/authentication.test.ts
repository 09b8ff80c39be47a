/** Loans, access control and filters of the lending library. */
import * as assert from 'uvu/assert'
import { library } from '../../src/showcase/api.ts'
import { meanWaitingTime } from '../../src/showcase/routes/reports.ts'
import { responseTo, sendRequest } from '../support/send-request.ts'
import { describe, table } from '../support/describe.ts'
import { contract, valueContract } from '../support/contract.ts'
import { asLibrarian, asReader, json, served } from './library.ts'

const sicp = '9780262510875'
const taocp = '9780201896831'

contract(
  'showcase loans',
  library,
  (test, call) => {
    test('GET /loans without credentials returns 401', async () => {
      const response = await sendRequest(call, 'GET /loans')
      assert.is(response.status, 401)
      assert.match(response.headers.get('WWW-Authenticate') ?? '', /^Basic realm="library"/)
    })
    test('POST /loans for the only copy of a book returns 409 while it is on loan', async () => {
      const lent = await sendRequest(call, 'POST /loans', json(asReader, { isbn: taocp }))
      assert.is(lent.status, 201)
      const { id } = (await lent.json()) as { id: number }
      assert.equal(await responseTo(call, 'POST /loans', json(asLibrarian, { isbn: taocp })), [
        409,
        `All copies of ${taocp} are on loan.`,
      ])
      assert.equal(await responseTo(call, 'GET /loans', { headers: asReader }), [
        200,
        [{ id, isbn: taocp, member: 'ann' }],
      ])
      assert.is(
        (await sendRequest(call, `DELETE /loans/${id}`, { headers: asLibrarian })).status,
        404,
      )
      assert.is((await sendRequest(call, `DELETE /loans/${id}`, { headers: asReader })).status, 204)
    })
    test('POST /loans for an unknown book returns 404', async () => {
      const isbn = '9780000000000'
      assert.equal(await responseTo(call, 'POST /loans', json(asReader, { isbn })), [
        404,
        { _tag: 'NoSuchBook', isbn },
      ])
    })
    test('POST /loans with three loans of the member returns 409', async () => {
      const [first, ...others] = ['9780521663502', '9780521663502', sicp, sicp]
      for (const isbn of others)
        assert.is((await sendRequest(call, 'POST /loans', json(asReader, { isbn }))).status, 201)
      assert.equal(await responseTo(call, 'POST /loans', json(asReader, { isbn: first })), [
        409,
        'A member may have at most 3 loans.',
      ])
    })
  },
  served,
)

valueContract(
  'showcase access control',
  library,
  (test, call) => {
    table<readonly [line: string, init: RequestInit, status: number]>(
      test,
      [
        [`DELETE /books/${taocp}`, {}, 401],
        [`DELETE /books/${taocp}`, { headers: asReader }, 403],
        [`DELETE /books/${taocp}`, { headers: { authorization: 'Basic bm9ib2R5OngK' } }, 401],
        ['GET /books', { headers: { authorization: 'Basic bm9ib2R5OngK' } }, 401],
        ['GET /reports/waiting', { headers: asReader }, 403],
        [
          `POST /books/${taocp}`,
          { headers: { ...asLibrarian, 'x-http-method-override': 'DELETE' } },
          204,
        ],
        ['POST /books', { headers: { ...asLibrarian, 'x-http-method-override': 'TRACE' } }, 400],
      ],
      async (line, init, status) => assert.is((await sendRequest(call, line, init)).status, status),
    )
    test('GET /reports/waiting as a librarian returns a report', async () => {
      const [status, report] = await responseTo(call, 'GET /reports/waiting?readers=1000&every=1', {
        headers: asLibrarian,
      })
      const { meanWaiting: days, ...plan } = report as { meanWaiting: number }
      assert.equal([status, plan], [200, { readers: 1000, every: 1 }])
      assert.ok(days > 0)
    })
  },
  served,
)

valueContract(
  'showcase filters',
  library,
  (test, call) => {
    for (const line of [
      'GET /books',
      'GET /nothing',
      'PUT /books',
      'GET /loans',
      'GET /health/ready',
    ])
      test(`${line} has a request id, Server-Timing and nosniff`, async () => {
        const { headers } = await sendRequest(call, line)
        assert.match(headers.get('X-Request-Id') ?? '', /^[\da-f-]{36}$/)
        assert.match(headers.get('Server-Timing') ?? '', /^total;dur=/)
        assert.is(headers.get('X-Content-Type-Options'), 'nosniff')
      })
    test('GET /health/ready returns 200', async () => {
      const [status, report] = await responseTo(call, 'GET /health/ready')
      assert.equal(
        [status, report],
        [200, { status: 'UP', checks: [{ name: 'bookStore', status: 'UP' }] }],
      )
    })
  },
  served,
)

describe('meanWaitingTime', (test) => {
  const one = [{ isbn: sicp, copies: 1 }]
  test('a reader who arrives after the return does not wait', () =>
    assert.is(meanWaitingTime(one, { readers: 100, every: 14 }), 0))
  test('the second of two readers waits for the return', () =>
    assert.is(meanWaitingTime(one, { readers: 2, every: 4 }), 5))
  test('without copies, the mean is 0', () =>
    assert.is(meanWaitingTime([{ isbn: sicp, copies: 0 }], { readers: 2, every: 1 }), 0))
})
