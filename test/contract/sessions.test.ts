/** A login by a form, and a session in a cookie, put together from what there is. */
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
  identified,
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
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

const minute = 60_000

/** The time, in milliseconds. */
const clock = { now: 0 }

interface Session {
  readonly user: string
  readonly begun: number
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
  const begin = (user: string): string => {
    const id = randomUUID()
    sessions.set(id, { user, begun: clock.now })
    return id
  }
  const session = authentication({ challenge: 'Session', silent: true }, ({ request }) => {
    const known = sessions.get(request.cookie('credential') ?? '')
    return known !== undefined && clock.now - known.begun < 30 * minute
      ? identified({ name: known.user, roles: [] })
      : undefined
  })
  const renew = responseFilter((answer, { request, security }) => {
    const old = request.cookie('credential') ?? ''
    const known = sessions.get(old)
    if (security.principal === undefined || known === undefined) return undefined
    if (clock.now - known.begun < minute) return undefined
    sessions.delete(old)
    return credential(begin(known.user))(answer)
  })
  return pipe(
    routes({
      login: pipe(
        path('/login'),
        get(),
        permitAll,
        produces(text),
        handle(() => 'who are you?'),
      ),
      check: pipe(
        path('/j_security_check'),
        post(),
        permitAll,
        form({ j_username: string, j_password: string }),
        responds(303),
        handle(({ form: { j_username: user, j_password: password } }) =>
          password === 'right'
            ? pipe(seeOther('/'), credential(begin(user)))
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

contract('a login by a form', tree, (test, call) => {
  const login = (password: string) =>
    ask(call, 'POST /j_security_check', {
      body: new URLSearchParams({ j_username: 'ann', j_password: password }),
    })
  const home = (cookie: string) => ask(call, 'GET /', { headers: { cookie } })

  test('whoever is not known is led to the page for that', async () => {
    for (const cookie of ['', 'credential=guessed']) {
      const response = await home(cookie)
      assert.equal([response.status, response.headers.get('location')], [303, '/login'])
    }
    assert.is(await (await ask(call, 'GET /login')).text(), 'who are you?')
  })
  test('a wrong password begins nothing', async () => {
    const response = await login('wrong')
    assert.equal([response.status, response.headers.get('location')], [303, '/login?failed'])
    assert.is(response.headers.get('set-cookie'), null)
  })
  test('the right one begins a session of 30 minutes', async () => {
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
  test('that is renewed with a minute gone, and over when it was not', async () => {
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
