/** `context.onEnd`: callbacks after a response has been sent or a request has been aborted. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { CommonContext } from '../../../src/index.ts'
import {
  get,
  handle,
  mapError,
  path,
  preMatching,
  produces,
  reply,
  requestFilter,
  responseFilter,
  routes,
  text,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { inMemory } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'
import { stable } from '../../support/wait-until.ts'

const executed: string[] = []
const logged: unknown[] = []
const logger = { ...silentLogger, error: ({ err }: { readonly err?: unknown }) => logged.push(err) }

/** Waits until no more callbacks run, and returns and clears the list. */
const executedCallbacks = async (): Promise<ReadonlyArray<string>> => {
  await stable(() => executed.length, 30)
  return executed.splice(0)
}

const textOperation = (name: string, run: (context: CommonContext) => string) =>
  pipe(
    path(`/${name}`),
    get(),
    produces(text),
    handle((_, context) => run(context)),
  )

const registerCallback = (context: CommonContext, name: string): undefined => {
  context.onEnd(({ status, duration }) => {
    assert.type(duration, 'number')
    executed.push(`${name} ${String(status)}`)
  })
}

class MappedError extends Error {}

const everyPlace = pipe(
  routes({
    success: textOperation('success', (context) => {
      registerCallback(context, 'handler')
      return 'success'
    }),
    mapped: textOperation('mapped', (context) => {
      registerCallback(context, 'handler')
      throw new MappedError()
    }),
    failure: textOperation('failure', (context) => {
      registerCallback(context, 'handler')
      throw new Error('internal error')
    }),
  }),
  withMapper(
    mapError(MappedError, (_, context) => {
      registerCallback(context, 'mapper')
      return reply(409)
    }),
  ),
  withFilter(
    preMatching((context) => registerCallback(context, 'before')),
    requestFilter((context) => registerCallback(context, 'request')),
    responseFilter((_, context) => registerCallback(context, 'response')),
  ),
)

contract(
  'onEnd in filters, mappers and handlers',
  everyPlace,
  (test, call) => {
    table(
      test,
      [
        [
          'a successful GET',
          'GET /success',
          ['response 200', 'handler 200', 'request 200', 'before 200'],
        ],
        [
          'a successful HEAD',
          'HEAD /success',
          ['response 200', 'handler 200', 'request 200', 'before 200'],
        ],
        [
          'a mapped error',
          'GET /mapped',
          ['response 409', 'mapper 409', 'handler 409', 'request 409', 'before 409'],
        ],
        [
          'an internal error',
          'GET /failure',
          ['response 500', 'handler 500', 'request 500', 'before 500'],
        ],
        ['an unknown path', 'GET /nothing', ['response 404', 'before 404']],
        ['an unsupported method', 'DELETE /success', ['response 405', 'before 405']],
      ] as const,
      async (_, line, expected) => {
        await sendRequest(call, line)
        assert.equal(await executedCallbacks(), expected)
      },
    )
  },
  { logger },
)

const nested = routes({
  order: textOperation('order', ({ onEnd }) => {
    onEnd(() => executed.push('first'))
    onEnd(async () => {
      await wait(5)
      executed.push('second, later')
    })
    onEnd(() =>
      pipe(
        T.delay(5)(T.of('third, a task')),
        T.map((entry) => executed.push(entry)),
      ),
    )
    onEnd(() => {
      executed.push('fourth')
      onEnd(() => executed.push('registered by the fourth'))
    })
    return 'order'
  }),
  failing: textOperation('failing', ({ onEnd }) => {
    onEnd(() => executed.push('first'))
    onEnd(() => {
      throw new Error('thrown')
    })
    onEnd(() => Promise.reject(new Error('rejected')))
    onEnd(() => () => Promise.reject(new Error('a task')))
    onEnd(() => executed.push('last'))
    return 'failing'
  }),
})

contract(
  'order of onEnd callbacks',
  nested,
  (test, call) => {
    test('callbacks run sequentially, the last one first', async () => {
      await sendRequest(call, 'GET /order')
      assert.equal(await executedCallbacks(), [
        'fourth',
        'registered by the fourth',
        'third, a task',
        'second, later',
        'first',
      ])
    })
    test('errors of callbacks are logged, and the other callbacks run', async () => {
      logged.length = 0
      const response = await sendRequest(call, 'GET /failing')
      assert.equal([response.status, await response.text()], [200, 'failing'])
      assert.equal(await executedCallbacks(), ['last', 'first'])
      assert.equal(
        logged.map((error) => (error instanceof Error ? error.message : error)),
        ['a task', 'rejected', 'thrown'],
      )
    })
  },
  { logger },
)

describe('onEnd of a request aborted in memory', (test) => {
  const api = routes({
    slow: pipe(
      path('/slow'),
      get(),
      produces(text),
      handle(async (_, context) => {
        registerCallback(context, 'early')
        await wait(10)
        registerCallback(context, 'late')
        return 'slow'
      }),
    ),
  })
  test('callbacks run on abort, and immediately if registered later', async () => {
    const controller = new AbortController()
    const pending = inMemory(api)(new Request(`${base}/slow`, { signal: controller.signal }))
    controller.abort(new Error('aborted'))
    const reason = await pending.catch((error: unknown) => error)
    assert.is(reason instanceof Error && reason.message, 'aborted')
    assert.equal(executed.splice(0), ['early undefined'])
    assert.equal(await executedCallbacks(), ['late undefined'])
  })
  test('callbacks do not run for a request aborted before the call', async () => {
    const signal = AbortSignal.abort(new Error('aborted'))
    const pending = inMemory(api)(new Request(`${base}/slow`, { signal }))
    const reason = await pending.catch((error: unknown) => error)
    assert.is(reason instanceof Error && reason.message, 'aborted')
    assert.equal(await executedCallbacks(), [])
  })
})
