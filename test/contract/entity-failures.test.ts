/** Writers that fail. */
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
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { Book, emma } from '../support/books.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

let kept: ((name: string, value: string) => void) | undefined
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
              kept = addHeader
              return write()
            },
          }),
        ),
      ),
  )
const wrong = pipe(
  routes({
    defect: failing('defect', () => {
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
    nothing: failing('nothing', () => Reflect.get({}, 'nothing')),
    sent: failing('sent', () => 'sent'),
  }),
  withMapper(mapError(RangeError, { fails: { 418: json(Book) } }, () => reply(418, emma))),
)

contract('writers that fail', wrong, (test, call) => {
  table<readonly [string, number]>(
    test,
    [
      ['defect', 500],
      ['rejected', 500],
      ['conflict', 409],
      ['reply', 409],
      ['mapped', 418],
      ['nothing', 500],
    ],
    async (name, status) => {
      const response = await ask(call, `GET /${name}`)
      assert.is(response.status, status)
      // what was said of a head that was never sent is not said of another one
      assert.is(response.headers.get('X-Failed'), null)
      assert.not.match(await response.text(), /secret/)
    },
  )
  test('nothing can be added to a head that has been sent', async () => {
    const response = await ask(call, 'GET /sent')
    assert.equal([response.status, await response.text()], [200, 'sent'])
    assert.throws(() => kept?.('X-Late', 'yes'), /response is already complete/)
  })
})
