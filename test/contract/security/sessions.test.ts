/** A form login with a session cookie, built from an authentication filter, a response filter and an error mapper. */
import { randomUUID } from 'node:crypto'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  Unauthorized,
  authenticated,
  authentication,
  form,
  get,
  handle,
  authenticateAs,
  mapError,
  path,
  permitAll,
  post,
  produces,
  responds,
  responseFilter,
  routes,
  seeOther,
  string,
  text,
  withCookie,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'

const minute = 60_000

/** The current time, in milliseconds. */
const clock = { now: 0 }

interface Session {
  readonly user: string
  readonly startedAt: number
}

const credential = (id: string) =>
  withCookie({
    name: 'credential',
    value: id,
    path: '/',
    maxAge: 1800,
    httpOnly: true,
    sameSite: 'strict',
  })

const tree = () => {
  const sessions = new Map<string, Session>()
  const startSession = (user: string): string => {
    const id = randomUUID()
    sessions.set(id, { user, startedAt: clock.now })
    return id
  }
  const session = authentication({ challenge: 'Session', silent: true }, ({ request }) => {
    const active = sessions.get(request.cookie('credential') ?? '')
    return active !== undefined && clock.now - active.startedAt < 30 * minute
      ? authenticateAs({ name: active.user, roles: [] })
      : undefined
  })
  const renew = responseFilter((response, { request, security }) => {
    const oldId = request.cookie('credential') ?? ''
    const active = sessions.get(oldId)
    if (security.principal === undefined || active === undefined) return undefined
    if (clock.now - active.startedAt < minute) return undefined
    sessions.delete(oldId)
    return credential(startSession(active.user))(response)
  })
  return pipe(
    routes({
      login: pipe(
        path('/login'),
        get(),
        permitAll,
        produces(text),
        handle(() => 'login page'),
      ),
      check: pipe(
        path('/j_security_check'),
        post(),
        permitAll,
        form({ j_username: string, j_password: string }),
        responds(303),
        handle(({ form: { j_username: user, j_password: password } }) =>
          password === 'right'
            ? pipe(seeOther('/'), credential(startSession(user)))
            : seeOther('/login?failed'),
        ),
      ),
      home: pipe(
        path('/'),
        get(),
        produces(text),
        handle((_, { security }) => `Hello, ${security.principal?.name}`),
      ),
    }),
    authenticated,
    withFilter(session, renew),
    withMapper(mapError(Unauthorized, () => seeOther('/login'))),
  )
}

const cookieOf = ({ headers }: Response): string =>
  /^credential=[^;]+/.exec(headers.get('set-cookie') ?? '')?.[0] ?? ''

contract('form login', tree, (test, call) => {
  const login = (password: string) =>
    sendRequest(call, 'POST /j_security_check', {
      body: new URLSearchParams({ j_username: 'ann', j_password: password }),
    })
  const home = (cookie: string) => sendRequest(call, 'GET /', { headers: { cookie } })

  test('an anonymous request redirects to the login page', async () => {
    for (const cookie of ['', 'credential=guessed']) {
      const response = await home(cookie)
      assert.equal([response.status, response.headers.get('location')], [303, '/login'])
    }
    assert.is(await (await sendRequest(call, 'GET /login')).text(), 'login page')
  })
  test('a wrong password starts no session', async () => {
    const response = await login('wrong')
    assert.equal([response.status, response.headers.get('location')], [303, '/login?failed'])
    assert.is(response.headers.get('set-cookie'), null)
  })
  test('the right password starts a session of 30 minutes', async () => {
    clock.now = 0
    const response = await login('right')
    assert.equal([response.status, response.headers.get('location')], [303, '/'])
    assert.match(
      response.headers.get('set-cookie') ?? '',
      /^credential=[\da-f-]{36}; Max-Age=1800; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    const cookie = cookieOf(response)
    clock.now = minute - 1
    const early = await home(cookie)
    assert.equal([early.status, await early.text()], [200, 'Hello, ann'])
    assert.is(early.headers.get('set-cookie'), null)
  })
  test('a session is renewed after a minute and expires after 30 minutes', async () => {
    clock.now = 0
    const first = cookieOf(await login('right'))
    clock.now = minute
    const second = cookieOf(await home(first))
    assert.is.not(second, first)
    assert.is((await home(first)).status, 303)
    clock.now = 31 * minute - 1
    const third = cookieOf(await home(second))
    assert.is((await home(third)).status, 200)
    clock.now += 30 * minute
    assert.is((await home(third)).status, 303)
  })
})
