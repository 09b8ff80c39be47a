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
} from '../../src/index.ts'
import { xml, xmlAttribute } from '../../src/xml.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { canary, plain, trusting } from '../support/secrets.ts'

const secured = secureField('chief')
const bare = { declaration: false }
const User = t.type(
  { name: t.string, at: xmlAttribute()(secured(t.string)), secret: secured(t.string) },
  'User',
)
const user = { name: plain, at: canary, secret: canary }

const users = broadcaster(User, { replay: 10 })
await users.publish(user)

/** What was meant for nobody and was asked for again is sent from the beginning. */
const replayed = { 'Last-Event-ID': '0' }

const tree = pipe(
  routes({
    event: pipe(
      path('/event'),
      get(),
      produces(sse(xml(User, bare))),
      handle(async function* (_, context) {
        for await (const one of users.subscribe(context)) {
          yield one
          return
        }
      }),
    ),
  }),
  withFilter(trusting),
)

contract('XML that goes to many', tree, (test, call) => {
  const whole = `<user at="${canary}"><name>${plain}</name><secret>${canary}</secret></user>`
  const rest = `<user><name>${plain}</name></user>`
  table(test, [['/event']] as const, async (target) => {
    for (const [who, expected] of [
      ['ann', rest],
      ['ann chief', whole],
      ['', rest],
      ['ann chief', whole],
      ['ann reader', rest],
    ] as const) {
      const identity: Record<string, string> = who === '' ? {} : { 'X-User': who }
      const response = await ask(call, `GET ${target}`, { headers: { ...identity, ...replayed } })
      const [, found] = /(<user.*<\/user>)/.exec(await response.text()) ?? []
      assert.is(found, expected, who)
    }
  })
})
