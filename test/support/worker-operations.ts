/** Blocking operations that return properties of their context and of their worker. */
import { threadId } from 'node:worker_threads'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import {
  basic,
  blocking,
  conditional,
  get,
  handle,
  nonBlocking,
  optional,
  path,
  produces,
  query,
  requestFilter,
  routes,
  string,
  text,
  withFilter,
} from '../../src/index.ts'
import { reachGate } from './gate.ts'
import { ann, principalOperation } from './principal-operation.ts'

/** Milliseconds that the request filter of `/elapsed` takes. */
export const earlyFilterDelay = 60

const ends: string[] = []

export const workerOperations = pipe(
  routes({
    thread: pipe(
      path('/thread'),
      get(),
      produces(text),
      handle(() => String(threadId)),
    ),
    conditional: pipe(
      path('/conditional'),
      get(),
      produces(text),
      conditional({ etag: async () => 'v1' }),
      handle(() => 'unconditional'),
    ),
    elapsed: pipe(
      routes({
        elapsed: pipe(
          path('/elapsed'),
          get(),
          produces(text),
          handle((_, { elapsed }) => String(elapsed())),
        ),
      }),
      withFilter(
        pipe(
          requestFilter(async ({ elapsed }) => {
            elapsed()
            await wait(earlyFilterDelay)
          }),
          nonBlocking,
        ),
      ),
    ),
    stopping: pipe(
      path('/stopping'),
      get(),
      produces(text),
      handle((_, { application }) => String(application.stopping.aborted)),
    ),
    line: pipe(
      path('/line'),
      get(),
      produces(text),
      handle((_, { logger }) => {
        logger('custom').debug({ category: 'of the line', x: 1 }, 'logged on a worker')
        return 'logged'
      }),
    ),
    /** Registers an end callback after the exchange has ended. */
    late: pipe(
      path('/late'),
      get(),
      produces(text),
      query({ gate: optional(string) }),
      handle(async ({ query: { gate } }, { request, onEnd }) => {
        reachGate(gate)
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
        onEnd(({ status }) => ends.push(`late ${status}`))
        return 'late'
      }),
    ),
    /** Registers an end callback after the handler has returned. */
    later: pipe(
      path('/later'),
      get(),
      produces(text),
      handle((_, { onEnd }) => {
        setTimeout(() => onEnd(({ status }) => ends.push(`later ${status}`)), 20)
        return 'later'
      }),
    ),
    ends: pipe(
      path('/ends'),
      get(),
      produces(text),
      handle(() => ends.join()),
    ),
    authenticated: pipe(
      routes({ who: principalOperation('who') }),
      withFilter(
        basic({
          realm: 'r',
          verify: ({ user, password }) =>
            password === 'none' ? undefined : { ...ann, name: user, claims: { since: password } },
        }),
      ),
    ),
  }),
  blocking,
)
