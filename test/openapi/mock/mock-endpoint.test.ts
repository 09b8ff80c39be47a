import * as t from 'io-ts'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  authenticated,
  basic,
  get,
  handle,
  int,
  json,
  mapError,
  onlyWhere,
  path,
  produces,
  reply,
  requestFilter,
  rolesAllowed,
  routes,
  secureField,
  string,
  text,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import type { MockServerOptions } from '../../../src/openapi.ts'
import { mockServer } from '../../../src/openapi.ts'
import { inMemory } from '../../../src/testing.ts'
import { updateDefinition } from '../../../src/endpoint/endpoint.ts'
import type { Routes } from '../../../src/endpoint/routes.ts'
import { describe } from '../../support/describe.ts'

const Reason = t.type({ reason: string }, 'Reason')
const open = routes({ open: pipe(path('/open'), get(), produces(text)) })

const origin = 'http://localhost'

const sender = <T, R, E>(tree: Routes<T, R, E>, options?: MockServerOptions) => {
  const send = inMemory(mockServer(tree, options))
  return (target: string, init?: RequestInit) => send(`${origin}${target}`, init)
}

const jsonOf = async (response: Promise<Response>): Promise<unknown> => (await response).json()

const memberOf = (value: unknown, name: string): unknown =>
  t.UnknownRecord.is(value) ? value[name] : undefined

const statuses = async (send: (target: string) => Promise<Response>) => [
  (await send('/own')).status,
  (await send('/all')).status,
]

/** An operation whose response shows that its handler is not replaced. */
const real = (target: string) =>
  pipe(
    path(target),
    get(),
    produces(text),
    handle(() => 'real'),
  )

describe('filters and access rules of mock servers', (test) => {
  const Member = t.type({ name: string, salary: secureField('boss')(int) }, 'Member')
  const tree = routes({
    own: pipe(path('/own'), get(), authenticated, produces(json(Member))),
    all: pipe(path('/all'), get(), rolesAllowed('boss'), produces(json(Member))),
  })
  const ann = { name: 'ann', roles: [] }
  test('rules without an authentication filter are not enforced', async () => {
    const send = sender(tree)
    assert.equal(await statuses(send), [200, 200])
    assert.type(memberOf(await jsonOf(send('/own')), 'salary'), 'number')
  })
  test('authentication filters of the tree are kept', async () => {
    const filter = basic({ realm: 'a', verify: () => undefined })
    assert.equal(await statuses(sender(pipe(tree, withFilter(filter)))), [401, 401])
  })
  test('a principal authenticates all requests, and the rules are enforced', async () => {
    const filter = basic({ realm: 'a', verify: () => undefined })
    for (const api of [tree, pipe(tree, withFilter(filter))]) {
      const asAnn = sender(api, { principal: ann })
      assert.equal(await statuses(asAnn), [200, 403])
      assert.is(memberOf(await jsonOf(asAnn('/own')), 'salary'), undefined)
      const asBoss = sender(api, { principal: { name: 'ben', roles: ['boss'] } })
      assert.equal(await statuses(asBoss), [200, 200])
      assert.type(memberOf(await jsonOf(asBoss('/own')), 'salary'), 'number')
    }
  })
  test('rules are not enforced for operations that an authentication filter does not cover', async () => {
    const filter = pipe(
      basic({ realm: 'a', verify: () => undefined }),
      onlyWhere(({ name }) => name === 'own'),
    )
    assert.equal(await statuses(sender(pipe(tree, withFilter(filter)))), [401, 200])
  })
  test('failures of mappers and filters are sent on request', async () => {
    class Gone extends Error {}
    const mapper = mapError(Gone, { fails: { 410: json(Reason) } }, () =>
      reply(410, { reason: 'sold' }),
    )
    const filter = requestFilter({ fails: { 402: json(Reason) } }, () => undefined)
    const send = sender(pipe(open, withMapper(mapper), withFilter(filter)))
    for (const code of [402, 410]) {
      const response = await send('/open', { headers: { Prefer: `code=${code}` } })
      assert.is(response.status, code)
      assert.ok(Reason.is(await response.json()))
    }
    assert.is((await send('/open')).status, 200)
  })
  test('routes that depend on the compiled tree are kept, and the other routes of their tree', async () => {
    const document = updateDefinition(real('/document'), () => ({
      treeHandler: () => ({ handler: () => 'real', prepare: () => {} }),
    }))
    const send = sender(
      routes({ api: real('/api'), docs: routes({ document, page: real('/page') }) }),
    )
    const bodies = ['/document', '/page', '/api'].map(async (target) => (await send(target)).text())
    const [ofDocument, ofPage, ofApi] = await Promise.all(bodies)
    assert.equal([ofDocument, ofPage], ['real', 'real'])
    assert.is.not(ofApi, 'real')
  })
  test('other filters run', async () => {
    const seen: string[] = []
    const filter = requestFilter({}, ({ request }) => void seen.push(request.path))
    await sender(pipe(open, withFilter(filter)))('/open')
    assert.equal(seen, ['/open'])
  })
})
