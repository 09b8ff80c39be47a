/** Who may call an operation. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  authenticated,
  authentication,
  body,
  denyAll,
  Forbidden,
  get,
  handle,
  identified,
  json,
  mapError,
  onlyWhere,
  path,
  permitAll,
  post,
  produces,
  query,
  int,
  reply,
  requestFilter,
  responseFilter,
  rolesAllowed,
  routes,
  text,
  Unauthorized,
  withFilter,
  withHeader,
  withMapper,
} from '../../src/index.ts'
import { answerTo, ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const say = (word: string) =>
  pipe(
    path(`/${word}`),
    get(),
    produces(text),
    handle(() => word),
  )

/** Knows whoever says who it is, and which roles it has: `ann reader editor`. */
const trusting = (challenge: string) =>
  authentication({ challenge }, ({ request }) => {
    const said = request.header('X-User')
    if (said === undefined) return undefined
    const [name = '', ...roles] = said.split(' ')
    return identified({ name, roles })
  })
const by = (user: string) => ({ headers: { 'X-User': user } })

const tree = pipe(
  routes({
    open: say('open'),
    permitted: pipe(say('permitted'), permitAll),
    denied: pipe(say('denied'), denyAll),
    known: pipe(say('known'), authenticated),
    reader: pipe(say('reader'), rolesAllowed('reader')),
    either: pipe(say('either'), rolesAllowed('reader', 'editor')),
    // the nearest wins
    shelf: pipe(
      routes({
        list: say('shelf'),
        open: pipe(say('shelf/open'), permitAll),
        edit: pipe(say('shelf/edit'), rolesAllowed('editor')),
      }),
      rolesAllowed('reader'),
    ),
    resource: pipe(
      path('/resource'),
      rolesAllowed('editor'),
      get(),
      produces(text),
      handle(() => 'resource'),
    ),
    expression: pipe(say('expression'), rolesAllowed('${role.chief:chief}')),
    several: pipe(say('several'), rolesAllowed('${role.staff:reader, editor}')),
    setting: pipe(say('setting'), rolesAllowed('at-${fw.http.limits.max-parameters}')),
  }),
  withFilter(trusting('Test realm="a"'), responseFilter(withHeader('X-Seen', 'yes'))),
  withFilter(trusting('Other')),
)

const anybody = 'ann'
const rows: ReadonlyArray<
  [target: string, anonymous: number, known: number, reader: number, editor: number]
> = [
  ['open', 200, 200, 200, 200],
  ['permitted', 200, 200, 200, 200],
  ['denied', 401, 403, 403, 403],
  ['known', 401, 200, 200, 200],
  ['reader', 401, 403, 200, 403],
  ['either', 401, 403, 200, 200],
  ['shelf', 401, 403, 200, 403],
  ['shelf/open', 200, 200, 200, 200],
  ['shelf/edit', 401, 403, 403, 200],
  ['resource', 401, 403, 403, 200],
  ['expression', 401, 403, 403, 403],
  ['several', 401, 403, 200, 200],
]

contract('who may call', tree, (test, call) => {
  table(test, rows, async (target, ...statuses) => {
    const sent = [{}, by(anybody), by('ann reader'), by('ann editor')]
    for (const [index, init] of sent.entries()) {
      const response = await ask(call, `GET /${target}`, init)
      assert.is(response.status, statuses[index], `${index}`)
      assert.is(response.headers.get('X-Seen'), 'yes')
    }
  })
  test('a role has to be the same to the letter', async () => {
    assert.is((await ask(call, 'GET /reader', by('ann Reader read readers'))).status, 403)
  })
  test('expressions are resolved: by their defaults, and by what was set', async () => {
    assert.is((await ask(call, 'GET /expression', by('ann chief'))).status, 200)
    assert.is((await ask(call, 'GET /setting', by('ann at-1000'))).status, 200)
  })
  test('401 has the challenges of all filters around and is not stored', async () => {
    const { headers } = await ask(call, 'GET /known')
    assert.is(headers.get('WWW-Authenticate'), 'Other, Test realm="a"')
    assert.is(headers.get('Cache-Control'), 'no-store')
    assert.is(headers.get('Content-Type'), 'application/problem+json')
  })
  test('403 has no challenge and is not stored', async () => {
    const response = await ask(call, 'GET /reader', by('ann'))
    assert.is(response.headers.get('WWW-Authenticate'), null)
    assert.is(response.headers.get('Cache-Control'), 'no-store')
    assert.not.match(await response.text(), /ann|reader/)
  })
  test('HEAD is guarded like the GET that answers it', async () => {
    assert.is((await ask(call, 'HEAD /known')).status, 401)
    assert.is((await ask(call, 'HEAD /known', by('ann'))).status, 200)
  })
})

const met: string[] = []
const guarded = pipe(
  routes({
    create: pipe(
      path('/items/{id}', { id: int }),
      post(),
      rolesAllowed('editor'),
      query({ page: int }),
      body(json(t.type({ name: t.string }))),
      produces(text),
      handle(() => 'created'),
    ),
  }),
  withFilter(
    requestFilter(() => {
      met.push('filter')
    }),
    trusting('Test'),
  ),
)

contract('when access is checked', guarded, (test, call) => {
  const send = async (target: string, type: string, init: Record<string, string> = {}) => {
    met.length = 0
    const { status } = await ask(call, `POST ${target}`, {
      headers: { 'Content-Type': type, ...init },
      body: '{',
    })
    return [status, ...met]
  }
  test('behind routing', async () => {
    assert.equal(await send('/nothing', 'application/json'), [404])
    assert.equal(await send('/items/1', 'text/plain'), [415])
  })
  test('before other filters, parameters and content', async () => {
    assert.equal(await send('/items/a?page=x', 'application/json'), [401])
    assert.equal(await send('/items/a?page=x', 'application/json', by('ann').headers), [403])
  })
  test('and those are seen by whoever may call', async () => {
    const editor = by('ann editor').headers
    assert.equal(await send('/items/a', 'application/json', editor), [404, 'filter'])
    assert.equal(await send('/items/1?page=1', 'application/json', editor), [400, 'filter'])
  })
})

contract(
  'refusals are errors for mappers, whom access does not keep from running',
  pipe(
    routes({
      reader: pipe(say('reader'), rolesAllowed('reader')),
      denied: pipe(say('denied'), denyAll, (it) => routes({ it })),
    }),
    withFilter(trusting('Test')),
    withMapper(
      mapError(Unauthorized, ({ headers }) => reply(401, `who? ${headers.join(' ')}`)),
      mapError(Forbidden, (_, { security }) => reply(404, `not for ${security.principal?.name}`)),
    ),
  ),
  (test, call) => {
    test('401', async () => {
      assert.equal(await answerTo(call, 'GET /reader'), [401, 'who? WWW-Authenticate Test'])
    })
    test('403', async () => {
      assert.equal(await answerTo(call, 'GET /reader', by('ann')), [404, 'not for ann'])
      assert.equal(await answerTo(call, 'GET /denied', by('bob')), [404, 'not for bob'])
    })
  },
)

contract(
  'denyAll without authentication',
  routes({ denied: pipe(say('denied'), denyAll) }),
  (test, call) => {
    test('403, since nobody can become known', async () => {
      assert.is((await ask(call, 'GET /denied')).status, 403)
    })
  },
)

contract(
  'authentication filters for some operations',
  pipe(
    routes({ a: pipe(say('a'), authenticated), b: pipe(say('b'), authenticated) }),
    withFilter(
      trusting('Everywhere'),
      pipe(
        trusting('Here'),
        onlyWhere(({ name }) => name === 'a'),
      ),
    ),
  ),
  (test, call) => {
    test('only those that an operation meets challenge', async () => {
      const [a, b] = await Promise.all(['a', 'b'].map((it) => ask(call, `GET /${it}`)))
      assert.is(a?.headers.get('WWW-Authenticate'), 'Everywhere, Here')
      assert.is(b?.headers.get('WWW-Authenticate'), 'Everywhere')
    })
  },
)
