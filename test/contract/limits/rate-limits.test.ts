/** Rate limits: the scopes that share them, their order relative to authentication, and the responses. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  authenticated,
  basic,
  body,
  critical,
  get,
  handle,
  int,
  json,
  mapError,
  path,
  post,
  produces,
  rateLimit,
  reply,
  routes,
  text,
  TooManyRequests,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import type { InMemoryCall } from '../../../src/testing.ts'
import { base, contract } from '../../support/contract.ts'

const hour = 3_600_000

const ping = (template: string) =>
  pipe(
    path(template),
    get(),
    produces(text),
    handle(() => 'pong'),
  )

const library = basic({
  realm: 'library',
  verify: ({ user, password }) => (password === 'secret' ? { name: user, roles: [] } : undefined),
})

const authorization = (user: string, password = 'secret') => ({
  Authorization: `Basic ${btoa(`${user}:${password}`)}`,
})

/** Sends requests in sequence and returns the statuses. */
const statusesOf = async (
  call: InMemoryCall,
  ...requests: ReadonlyArray<string | readonly [path: string, init: RequestInit]>
): Promise<ReadonlyArray<number>> => {
  const statuses: number[] = []
  for (const request of requests) {
    const [target, init] = typeof request === 'string' ? [request, {}] : request
    const response = await call(new Request(base + target, init))
    await response.text()
    statuses.push(response.status)
  }
  return statuses
}

/** A request with an invalid body. */
const textAsInteger = (): Request =>
  new Request(`${base}/create`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '"one"',
  })

const limited = (limit: number, name?: string) =>
  rateLimit({ limit, window: hour, burst: limit, ...(name === undefined ? {} : { name }) })

contract(
  'scopes of rate limits',
  () => {
    const shared = pipe(path('/shared'), limited(2))
    const once = limited(1)
    return routes({
      operation: pipe(ping('/operation'), limited(2)),
      readShared: pipe(
        shared,
        get(),
        produces(text),
        handle(() => 'pong'),
      ),
      writeShared: pipe(
        shared,
        post(),
        produces(text),
        handle(() => 'pong'),
      ),
      // the same combinator for two operations
      first: pipe(ping('/first'), once),
      second: pipe(ping('/second'), once),
      tree: pipe(
        routes({
          one: ping('/tree/one'),
          two: ping('/tree/two'),
          strict: pipe(ping('/tree/strict'), limited(1)),
          health: pipe(ping('/tree/health'), critical),
        }),
        limited(4),
      ),
      twice: pipe(ping('/twice'), limited(3, 'many'), limited(2, 'few')),
    })
  },
  (test, call) => {
    test('a limit of an operation applies to it', async () =>
      assert.equal(
        await statusesOf(call, '/operation', '/operation', '/operation'),
        [200, 200, 429],
      ))
    test('the operations of a resource share its limit', async () =>
      assert.equal(
        await statusesOf(call, '/shared', ['/shared', { method: 'POST' }], '/shared'),
        [200, 200, 429],
      ))
    test('each operation to which a combinator is applied has a limit of its own', async () =>
      assert.equal(
        await statusesOf(call, '/first', '/second', '/first', '/second'),
        [200, 200, 429, 429],
      ))
    test('a request that the inner limit rejects does not count for the outer one', async () =>
      assert.equal(
        await statusesOf(
          call,
          '/tree/strict',
          '/tree/strict',
          '/tree/strict',
          '/tree/one',
          '/tree/two',
          '/tree/one',
          '/tree/two',
          '/tree/health',
        ),
        [200, 429, 429, 200, 200, 200, 429, 200],
      ))
    test('all limits of an operation apply', async () => {
      assert.equal(await statusesOf(call, '/twice', '/twice'), [200, 200])
      const rejected = await call(new Request(`${base}/twice`))
      assert.is(rejected.status, 429)
      const problem = (await rejected.json()) as { readonly 'violated-policies': unknown }
      assert.equal(problem['violated-policies'], ['few'])
    })
  },
)

contract(
  'responses of limited operations',
  () =>
    routes({
      default: pipe(ping('/default'), rateLimit({ limit: 2, window: '1h' })),
      silent: pipe(
        ping('/silent'),
        rateLimit({ limit: 1, window: hour, headers: false, name: 'silent' }),
      ),
      several: pipe(
        ping('/several'),
        rateLimit({ limit: 100, window: '1m', name: 'burst' }),
        rateLimit({ limit: 1000, window: '1d', name: 'daily' }),
      ),
      short: pipe(ping('/short'), rateLimit({ limit: 10, window: '1500ms' })),
      create: pipe(
        path('/create'),
        post(),
        body(json(int)),
        handle(() => {}),
        rateLimit({ limit: 2, window: hour }),
      ),
      mapped: pipe(
        routes({ mapped: pipe(ping('/mapped'), rateLimit({ limit: 1, window: hour })) }),
        withMapper(mapError(TooManyRequests, () => reply(420, 'calm down'))),
      ),
    }),
  (test, call) => {
    test('a response has the policy and the remaining requests', async () => {
      const { headers } = await call(new Request(`${base}/default`))
      assert.is(headers.get('RateLimit-Policy'), '"default";q=2;w=3600')
      assert.is(headers.get('RateLimit'), '"default";r=0;t=1800')
      assert.is(headers.get('Retry-After'), null)
    })
    test('a request above the limit results in a problem document', async () => {
      const response = await call(new Request(`${base}/default`))
      assert.is(response.status, 429)
      assert.is(response.headers.get('Content-Type'), 'application/problem+json')
      assert.is(response.headers.get('Cache-Control'), 'no-store')
      assert.is(response.headers.get('RateLimit-Policy'), '"default";q=2;w=3600')
      const retryAfter = Number(response.headers.get('Retry-After'))
      assert.ok(retryAfter > 1700 && retryAfter <= 1800, String(retryAfter))
      assert.is(response.headers.get('RateLimit'), `"default";r=0;t=${retryAfter}`)
      const { instance: _, ...problem } = (await response.json()) as Record<string, unknown>
      assert.equal(problem, {
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        title: 'Too Many Requests',
        status: 429,
        detail: `Rate limit "default" exceeded. Try again in ${retryAfter} s.`,
        'violated-policies': ['default'],
      })
    })
    test('headers: false omits the headers, but not Retry-After', async () => {
      for (const status of [200, 429]) {
        const response = await call(new Request(`${base}/silent`))
        const { headers } = response
        assert.is(response.status, status)
        assert.equal([headers.get('RateLimit-Policy'), headers.get('RateLimit')], [null, null])
        assert.is(headers.has('Retry-After'), status === 429)
      }
    })
    test('each of several limits has a policy', async () => {
      const { headers } = await call(new Request(`${base}/several`))
      assert.is(headers.get('RateLimit-Policy'), '"daily";q=1000;w=86400, "burst";q=100;w=60')
      assert.is(headers.get('RateLimit'), '"daily";r=499;t=173, "burst";r=49;t=2')
    })
    test('a window is rounded up to seconds', async () =>
      assert.is(
        (await call(new Request(`${base}/short`))).headers.get('RateLimit-Policy'),
        '"default";q=10;w=2',
      ))
    test('invalid requests count, and have the headers', async () => {
      const invalid = await call(textAsInteger())
      assert.is(invalid.status, 400)
      assert.is(invalid.headers.get('RateLimit-Policy'), '"default";q=2;w=3600')
      assert.is((await call(textAsInteger())).status, 429)
    })
    test('a large body of a request above the limit is not read, and the next request succeeds', async () => {
      const create = new Request(`${base}/create`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: `"${'a'.repeat(200_000)}"`,
      })
      assert.is((await call(create)).status, 429)
      assert.is((await call(new Request(`${base}/short`))).status, 200)
    })
    test('an error mapper for TooManyRequests determines the response, which has Retry-After', async () => {
      await call(new Request(`${base}/mapped`))
      const response = await call(new Request(`${base}/mapped`))
      assert.equal([response.status, await response.text()], [420, 'calm down'])
      assert.ok(response.headers.has('Retry-After'))
    })
  },
)

contract(
  'rate limits and authentication',
  () =>
    pipe(
      routes({
        byAddress: pipe(ping('/address'), authenticated, limited(2)),
        byPrincipal: pipe(
          ping('/principal'),
          authenticated,
          rateLimit({ limit: 1, window: hour, by: 'principal' }),
        ),
        byFunction: pipe(
          ping('/function'),
          rateLimit({
            limit: 1,
            window: hour,
            by: ({ request, security }) =>
              request.header('x-api-key') ?? security.principal?.name.slice(0, 1),
          }),
        ),
      }),
      withFilter(library),
    ),
  (test, call) => {
    test('a limit by address is checked before authentication', async () =>
      assert.equal(
        await statusesOf(
          call,
          ['/address', { headers: authorization('ann', 'guess 1') }],
          ['/address', { headers: authorization('ann', 'guess 2') }],
          ['/address', { headers: authorization('ann', 'guess 3') }],
          ['/address', { headers: authorization('ann') }],
        ),
        [401, 401, 429, 429],
      ))
    test('a limit by principal is checked after authentication', async () =>
      assert.equal(
        await statusesOf(
          call,
          ['/principal', { headers: authorization('ann') }],
          ['/principal', { headers: authorization('ann', 'guess') }],
          ['/principal', { headers: authorization('ann') }],
          ['/principal', { headers: authorization('bob') }],
          ['/principal', { headers: authorization('bob') }],
        ),
        [200, 401, 429, 200, 429],
      ))
    test('requests without a principal are counted by address, before the access rule', async () =>
      assert.equal(await statusesOf(call, '/principal', '/principal'), [401, 429]))
    test('a function selects the key, and undefined the address', async () =>
      assert.equal(
        await statusesOf(
          call,
          ['/function', { headers: { 'X-Api-Key': 'a' } }],
          ['/function', { headers: { 'X-Api-Key': 'b' } }],
          ['/function', { headers: { 'X-Api-Key': 'a' } }],
          ['/function', { headers: authorization('carl') }],
          ['/function', { headers: authorization('claire') }],
          '/function',
          '/function',
        ),
        [200, 200, 429, 200, 429, 200, 429],
      ))
  },
)
