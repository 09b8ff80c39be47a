/** A session in a signed cookie, from the login to the logout, and a filter that reads a signed cookie. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  authenticateAs,
  authenticated,
  authentication,
  csrf,
  form,
  get,
  handle,
  needs,
  path,
  post,
  produces,
  responds,
  routes,
  seeOther,
  signedCookie,
  slot,
  string,
  text,
  withCookie,
  withFilter,
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { sendRequest } from '../../support/send-request.ts'

const Session = t.type({ user: string, roles: t.array(string) })
const keys = [new TextEncoder().encode('k'.repeat(32))]
const session = signedCookie(Session, { name: '__Host-session', keys, maxAge: 3600 })
const foreign = signedCookie(Session, {
  name: '__Host-session',
  keys: [new TextEncoder().encode('f'.repeat(32))],
  maxAge: 3600,
})
const cart = signedCookie(t.array(string), { name: '__Host-cart', keys })
const Cart = slot<ReadonlyArray<string> | undefined>()('cart')

const challenge = 'Session realm="library"'
const members = authentication({ challenge }, async (context) => {
  const found = await session.read(context)
  return found === undefined ? undefined : authenticateAs({ name: found.user, roles: found.roles })
})
const login = pipe(
  path('/login'),
  post(),
  form({ user: string }),
  responds(303),
  handle(async ({ form: { user } }) =>
    pipe(seeOther('/me'), withCookie(await session.create({ user, roles: ['reader'] }))),
  ),
)
const logout = pipe(
  path('/logout'),
  post(),
  responds(303),
  handle(() => pipe(seeOther('/'), withCookie(session.removal))),
)
const home = pipe(
  path('/'),
  get(),
  needs({ cart: Cart }),
  produces(text),
  handle(
    ({ needs: { cart: books } }, { security }) =>
      `${security.principal?.name ?? 'anonymous'}: ${books?.join(' ') ?? 'no cart'}`,
  ),
)
const me = pipe(
  path('/me'),
  get(),
  authenticated,
  produces(text),
  handle((_, { security }) => `${security.principal?.name} ${security.hasRole('reader')}`),
)
const api = pipe(
  routes({ login, logout, home, me }),
  withFilter(csrf(), members, cart.filter(Cart)),
)

contract('a session in a signed cookie', api, (test, call) => {
  const logIn = async (): Promise<string> => {
    const response = await sendRequest(call, 'POST /login', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'user=ann',
    })
    assert.is(response.status, 303)
    const [set = ''] = response.headers.getSetCookie()
    assert.match(set, /^__Host-session=.*; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    return set.replace(/;.*$/, '')
  }
  const read = (target: string, Cookie: string): Promise<Response> =>
    sendRequest(call, `GET ${target}`, { headers: { Cookie } })

  test('the login sets a cookie that identifies the user', async () => {
    const response = await read('/me', await logIn())
    assert.equal([response.status, await response.text()], [200, 'ann true'])
  })
  test('the logout deletes the cookie', async () => {
    const response = await sendRequest(call, 'POST /logout')
    assert.equal(response.headers.getSetCookie(), [
      '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
  })
  test('a page of another site cannot log in', async () => {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'cross-site',
    }
    const response = await sendRequest(call, 'POST /login', { headers, body: 'user=eve' })
    assert.equal([response.status, response.headers.getSetCookie()], [403, []])
  })
  table<readonly [title: string, cookie: () => Promise<string>]>(
    test,
    [
      ['no cookie', async () => ''],
      ['a changed value', async () => (await logIn()).replace('=', '=a')],
      ['a truncated value', async () => (await logIn()).slice(0, -1)],
      [
        'a value that another key has signed',
        async () => `__Host-session=${(await foreign.create({ user: 'eve', roles: [] })).value}`,
      ],
      [
        'a value of another cookie',
        async () => `__Host-session=${(await cart.create(['Emma'])).value}`,
      ],
      ['malformed percent-encoding', async () => '__Host-session=%'],
    ],
    async (_, cookie) => {
      const sent = await cookie()
      const rejected = await read('/me', sent)
      assert.equal([rejected.status, rejected.headers.get('www-authenticate')], [401, challenge])
      assert.is(await (await read('/', sent)).text(), 'anonymous: no cart')
    },
  )
  test('a filter fills a slot with the value', async () => {
    const { value } = await cart.create(['Emma', 'Persuasion'])
    const response = await read('/', `__Host-cart=${value}; ${await logIn()}`)
    assert.is(await response.text(), 'ann: Emma Persuasion')
  })
})
