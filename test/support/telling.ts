/** Blocking operations that tell what they know, of themselves and of their worker. */
import { threadId } from 'node:worker_threads'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import {
  basic,
  blocking,
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
import { reach } from './gate.ts'
import { ann, who } from './principal-operation.ts'

/** Milliseconds that early filters take. */
export const early = 60

const ends: string[] = []

export const telling = pipe(
  routes({
    thread: pipe(
      path('/thread'),
      get(),
      produces(text),
      handle(() => String(threadId)),
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
            await wait(early)
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
        logger('own').debug({ category: 'of the line', x: 1 }, 'said on a worker')
        return 'said'
      }),
    ),
    /** Registers for the end of its request when that has been. */
    late: pipe(
      path('/late'),
      get(),
      produces(text),
      query({ gate: optional(string) }),
      handle(async ({ query: { gate } }, { request, onEnd }) => {
        reach(gate)
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
        onEnd(({ status }) => ends.push(`late ${status}`))
        return 'late'
      }),
    ),
    /** Registers for the end of its request when it has answered. */
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
    known: pipe(
      routes({ who: who('who') }),
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
