/** What is done at the end of a request. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Surroundings } from '../../src/index.ts'
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
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { inMemory } from '../../src/testing.ts'
import { ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'

const done: string[] = []
const logged: unknown[] = []
const logger = { ...silentLogger, error: ({ err }: { readonly err?: unknown }) => logged.push(err) }

/** Resolves when nothing is done any more. */
const quiet = async (): Promise<ReadonlyArray<string>> => {
  for (let before = -1; before !== done.length; await wait(30)) before = done.length
  return done.splice(0)
}

const say = (name: string, run: (context: Surroundings) => string) =>
  pipe(
    path(`/${name}`),
    get(),
    produces(text),
    handle((_, context) => run(context)),
  )

const leaves = (context: Surroundings, name: string): undefined => {
  context.onEnd(({ status, duration }) => {
    assert.type(duration, 'number')
    done.push(`${name} ${String(status)}`)
  })
}

class Broken extends Error {}

const places = pipe(
  routes({
    fine: say('fine', (context) => {
      leaves(context, 'handler')
      return 'fine'
    }),
    broken: say('broken', (context) => {
      leaves(context, 'handler')
      throw new Broken()
    }),
    defect: say('defect', (context) => {
      leaves(context, 'handler')
      throw new Error('a defect')
    }),
  }),
  withMapper(
    mapError(Broken, (_, context) => {
      leaves(context, 'mapper')
      return reply(409)
    }),
  ),
  withFilter(
    preMatching((context) => leaves(context, 'before')),
    requestFilter((context) => leaves(context, 'request')),
    responseFilter((_, context) => leaves(context, 'response')),
  ),
)

contract(
  'the end of a request, registered in every place',
  places,
  (test, call) => {
    table(
      test,
      [
        ['GET /fine', ['response 200', 'handler 200', 'request 200', 'before 200']],
        ['HEAD /fine', ['response 200', 'handler 200', 'request 200', 'before 200']],
        ['GET /broken', ['response 409', 'mapper 409', 'handler 409', 'request 409', 'before 409']],
        ['GET /defect', ['response 500', 'handler 500', 'request 500', 'before 500']],
        ['GET /nothing', ['response 404', 'before 404']],
        ['DELETE /fine', ['response 405', 'before 405']],
      ] as const,
      async (line, expected) => {
        await ask(call, line)
        assert.equal(await quiet(), expected)
      },
    )
  },
  { logger },
)

const nested = routes({
  order: say('order', ({ onEnd }) => {
    onEnd(() => done.push('first'))
    onEnd(async () => {
      await wait(5)
      done.push('second, later')
    })
    onEnd(() =>
      pipe(
        T.delay(5)(T.of('third, a task')),
        T.map((one) => done.push(one)),
      ),
    )
    onEnd(() => {
      done.push('fourth')
      onEnd(() => done.push('registered by the fourth'))
    })
    return 'order'
  }),
  failing: say('failing', ({ onEnd }) => {
    onEnd(() => done.push('first'))
    onEnd(() => {
      throw new Error('thrown')
    })
    onEnd(() => Promise.reject(new Error('rejected')))
    onEnd(() => () => Promise.reject(new Error('a task')))
    onEnd(() => done.push('last'))
    return 'failing'
  }),
})

contract(
  'the order of what is done at the end',
  nested,
  (test, call) => {
    test('the last first, and the next when that is done', async () => {
      await ask(call, 'GET /order')
      assert.equal(await quiet(), [
        'fourth',
        'registered by the fourth',
        'third, a task',
        'second, later',
        'first',
      ])
    })
    test('what fails is logged, and the rest is done', async () => {
      logged.length = 0
      const response = await ask(call, 'GET /failing')
      assert.equal([response.status, await response.text()], [200, 'failing'])
      assert.equal(await quiet(), ['last', 'first'])
      assert.equal(
        logged.map((error) => (error instanceof Error ? error.message : error)),
        ['a task', 'rejected', 'thrown'],
      )
    })
  },
  { logger },
)

describe('the end of a request that is aborted in memory', (test) => {
  const api = routes({
    slow: pipe(
      path('/slow'),
      get(),
      produces(text),
      handle(async (_, context) => {
        leaves(context, 'early')
        await wait(10)
        leaves(context, 'late')
        return 'slow'
      }),
    ),
  })
  test('comes with it, and at once for who comes late', async () => {
    const controller = new AbortController()
    const asked = inMemory(api)(new Request(`${base}/slow`, { signal: controller.signal }))
    controller.abort(new Error('gone'))
    const reason = await asked.catch((error: unknown) => error)
    assert.is(reason instanceof Error && reason.message, 'gone')
    assert.equal(done.splice(0), ['early undefined'])
    assert.equal(await quiet(), ['late undefined'])
  })
  test('does not come for one that was aborted before', async () => {
    const signal = AbortSignal.abort(new Error('gone'))
    const asked = inMemory(api)(new Request(`${base}/slow`, { signal }))
    const reason = await asked.catch((error: unknown) => error)
    assert.is(reason instanceof Error && reason.message, 'gone')
    assert.equal(await quiet(), [])
  })
})
