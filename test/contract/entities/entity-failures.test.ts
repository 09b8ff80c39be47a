/** Errors thrown by entity writers. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  Conflict,
  as,
  entity,
  get,
  handle,
  json,
  mapError,
  path,
  produces,
  reply,
  routes,
  withMapper,
  withWriter,
  writer,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { Book, emma } from './books.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

let lastAddHeader: ((name: string, value: string) => void) | undefined
const failing = (name: string, write: () => string | Promise<string>) =>
  pipe(
    path(`/${name}`),
    get(),
    produces(as(`text/x-${name}`)(entity(Book))),
    handle(() => emma),
    (endpoint) =>
      pipe(
        routes({ get: endpoint }),
        withWriter(
          writer({
            mediaType: `text/x-${name}`,
            write: (_, { addHeader }) => {
              addHeader('X-Failed', 'yes')
              lastAddHeader = addHeader
              return write()
            },
          }),
        ),
      ),
  )
const tree = pipe(
  routes({
    throws: failing('throws', () => {
      throw new Error('secret')
    }),
    rejected: failing('rejected', () => Promise.reject(new Error('secret'))),
    conflict: failing('conflict', () => {
      throw new Conflict('conflict')
    }),
    reply: failing('reply', async () => {
      throw new Conflict('replied', { headers: { 'X-Conflict': 'yes' } })
    }),
    mapped: failing('mapped', () => {
      throw new RangeError('mapped')
    }),
    undefined: failing('undefined', () => Reflect.get({}, 'undefined')),
    sent: failing('sent', () => 'sent'),
  }),
  withMapper(mapError(RangeError, { fails: { 418: json(Book) } }, () => reply(418, emma))),
)

valueContract('entity writers that fail', tree, (test, call) => {
  table<readonly [name: string, status: number]>(
    test,
    [
      ['throws', 500],
      ['rejected', 500],
      ['conflict', 409],
      ['reply', 409],
      ['mapped', 418],
      ['undefined', 500],
    ],
    async (name, status) => {
      const response = await sendRequest(call, `GET /${name}`)
      assert.is(response.status, status)
      // Headers added by a failed writer do not appear in the error response.
      assert.is(response.headers.get('X-Failed'), null)
      assert.not.match(await response.text(), /secret/)
    },
  )
  test('addHeader after the response was sent throws', async () => {
    const response = await sendRequest(call, 'GET /sent')
    assert.equal([response.status, await response.text()], [200, 'sent'])
    assert.throws(() => lastAddHeader?.('X-Late', 'yes'), /response is already complete/)
  })
})
