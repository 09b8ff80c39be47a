/** Operations that calls without filters select, and the contexts from which they are called. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { CommonContext, Endpoint } from '../../../src/index.ts'
import {
  call,
  get,
  handle,
  implementAll,
  mapError,
  path,
  prefix,
  produces,
  reply,
  requestFilter,
  responseFilter,
  routes,
  text,
  withFilter,
  withHeader,
  withMapper,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { valueContract } from '../../support/contract.ts'
import { describe } from '../../support/describe.ts'
import { responseTo } from '../../support/send-request.ts'

class Closed extends Error {}

const name = pipe(
  path('/name'),
  get(),
  produces(text),
  handle((_, { endpoint }) => endpoint.name),
)
const caller = (target: string, endpoint: Endpoint<typeof name._S>, selected?: string) =>
  pipe(
    path(target),
    get(),
    produces(text),
    handle(async (_, context) => {
      try {
        const result = await call(context, endpoint, {}, { name: selected })()
        return E.isRight(result) ? result.right.entity : 'Left'
      } catch (error) {
        return String(error)
      }
    }),
  )
const declared = pipe(path('/declared'), get(), produces(text))
const other = pipe(
  path('/other'),
  get(),
  produces(text),
  handle(() => ''),
)
const near = caller('/near', name)
const version = routes({ name, inner: routes({ near }) })

valueContract(
  'operations that call selects',
  () =>
    pipe(
      routes({
        v1: pipe(version, prefix('/v1')),
        v2: pipe(version, prefix('/v2')),
        far: caller('/far', name),
        named: caller('/named', name, 'v2.name'),
        indirect: caller('/indirect', near, 'v2.inner.near'),
        misnamed: caller('/misnamed', name, 'v3.name'),
        absent: caller('/absent', other),
        implemented: implementAll(routes({ contract: declared }), {
          contract: (_, { endpoint }) => endpoint.name,
        }),
        ofContract: caller('/of-contract', declared),
        changed: pipe(
          path('/changed'),
          get(),
          produces(text),
          handle((_, { endpoint }) => endpoint.name),
        ),
      }),
    ),
  (test, send) => {
    test('the nearest of several operations', async () => {
      assert.equal(await responseTo(send, 'GET /v1/near'), [200, 'v1.name'])
      assert.equal(await responseTo(send, 'GET /v2/near'), [200, 'v2.name'])
    })
    test('the nearest operation of a called handler', async () =>
      assert.equal(await responseTo(send, 'GET /indirect'), [200, 'v2.name']))
    test('several operations that are equally near', async () =>
      assert.equal(await responseTo(send, 'GET /far'), [
        200,
        'TypeError: GET /name occurs multiple times in the tree: select one with the name option (v1.name, v2.name)',
      ]))
    test('the operation with a name', async () =>
      assert.equal(await responseTo(send, 'GET /named'), [200, 'v2.name']))
    test('an unknown name', async () =>
      assert.equal(await responseTo(send, 'GET /misnamed'), [
        200,
        'TypeError: GET /name is not the operation v3.name of the tree',
      ]))
    test('an endpoint that is not in the tree', async () =>
      assert.equal(await responseTo(send, 'GET /absent'), [
        200,
        'TypeError: GET /other is not an operation of the tree',
      ]))
    test('an endpoint of a contract that is implemented elsewhere', async () =>
      assert.equal(await responseTo(send, 'GET /of-contract'), [200, 'implemented.contract']))
  },
)

describe('call in filters and mappers', (test) => {
  const named = async (context: CommonContext) => {
    const result = await call(context, name)()
    return E.isRight(result) ? result.right.entity : 'Left'
  }
  const failing = pipe(
    path('/failing'),
    get(),
    produces(text),
    handle((): string => {
      throw new Closed()
    }),
  )
  const send = inMemory(
    pipe(
      routes({ name, failing }),
      withFilter(
        requestFilter(async (context) => {
          context.response.addHeader('X-Request', await named(context))
        }),
        responseFilter(async (response, context) =>
          withHeader('X-Response', await named(context))(response),
        ),
      ),
      withMapper(mapError(Closed, async (_, context) => reply(503, await named(context)))),
    ),
  )
  test('runs the handler', async () => {
    const response = await send('http://localhost/failing')
    assert.equal(
      [response.status, await response.text(), response.headers.get('x-request')],
      [503, 'name', 'name'],
    )
    assert.is(response.headers.get('x-response'), 'name')
  })
  test('runs the handler for a request that matches no operation', async () => {
    const { status, headers } = await send('http://localhost/unknown')
    assert.equal([status, headers.get('x-response')], [404, 'name'])
  })
  test('rejects a result that is not declared', async () => {
    const untyped = pipe(
      path('/untyped'),
      get(),
      produces(text),
      handle(() => reply(299, 'x') as unknown as string),
    )
    const errors: unknown[] = []
    const calling = pipe(
      path('/'),
      get(),
      handle(async (_, context) => {
        await call(context, untyped)().catch((error: unknown) => errors.push(String(error)))
      }),
    )
    await inMemory(routes({ untyped, calling }))('http://localhost/')
    assert.equal(errors, [
      'TypeError: untyped returned undeclared status 299: declare it with responds(299) or fails(299)',
    ])
  })
})
