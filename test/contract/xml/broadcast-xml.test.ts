/** Broadcast events with restricted members as XML. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  broadcaster,
  get,
  handle,
  path,
  produces,
  routes,
  secureField,
  sse,
  withFilter,
} from '../../../src/index.ts'
import { xml, xmlAttribute } from '../../../src/xml.ts'
import { sendRequest } from '../../support/send-request.ts'
import { valueContract } from '../../support/contract.ts'
import { canary, plain, headerAuthentication } from '../../support/secrets.ts'

const secured = secureField('chief')
const bare = { declaration: false }
const User = t.type(
  { name: t.string, at: xmlAttribute()(secured(t.string)), secret: secured(t.string) },
  'User',
)
const user = { name: plain, at: canary, secret: canary }

const users = broadcaster(User, { replay: 10 })
await users.publish(user)

/** An id that is not kept, so that all kept events are sent. */
const replayed = { 'Last-Event-ID': '0' }

const tree = pipe(
  routes({
    event: pipe(
      path('/event'),
      get(),
      produces(sse(xml(User, bare))),
      handle(async function* (_, context) {
        for await (const update of users.subscribe(context)) {
          yield update
          return
        }
      }),
    ),
  }),
  withFilter(headerAuthentication),
)

valueContract('broadcast XML events', tree, (test, call) => {
  const allMembers = `<user at="${canary}"><name>${plain}</name><secret>${canary}</secret></user>`
  const openMembers = `<user><name>${plain}</name></user>`
  test('restricted members are sent only to callers with the role', async () => {
    for (const [caller, expected] of [
      ['ann', openMembers],
      ['ann chief', allMembers],
      ['', openMembers],
      ['ann chief', allMembers],
      ['ann reader', openMembers],
    ] as const) {
      const identity: Record<string, string> = caller === '' ? {} : { 'X-User': caller }
      const response = await sendRequest(call, 'GET /event', {
        headers: { ...identity, ...replayed },
      })
      const [, document] = /(<user.*<\/user>)/.exec(await response.text()) ?? []
      assert.is(document, expected, caller)
    }
  })
})
