/** Blocking operations that return properties of their context and of their worker. */
import { threadId } from 'node:worker_threads'
import { setTimeout as wait } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { callWithFilters } from '../../src/client.ts'
import {
  basic,
  blocking,
  call,
  conditional,
  get,
  handle,
  needs,
  next,
  nonBlocking,
  optional,
  path,
  plainDate,
  prefix,
  produces,
  query,
  requestFilter,
  routes,
  slot,
  string,
  text,
  withFilter,
} from '../../src/index.ts'
import { reachGate } from './gate.ts'
import { ann, principalOperation } from './principal-operation.ts'

/** Milliseconds that the request filter of `/elapsed` takes. */
export const earlyFilterDelay = 60

const ends: string[] = []

const Day = slot(plainDate)('day')
const Length = slot<number>()('length')

/** An operation and a filter that need the variable of a prefix, whose values cannot be cloned. */
const dated = pipe(
  routes({
    length: pipe(
      path('/length'),
      get(),
      needs({ day: Day, length: Length }),
      produces(text),
      handle(({ needs: { day, length } }) => `${threadId > 0} ${day.month} ${length}`),
    ),
  }),
  withFilter(
    pipe(
      requestFilter({ needs: { day: Day }, gives: { length: Length } }, (_, { day }) =>
        next({ length: day.daysInMonth }),
      ),
      nonBlocking,
    ),
  ),
  prefix('/dated/{day}', { day: Day }),
)

const thread = pipe(
  path('/thread'),
  get(),
  produces(text),
  handle((_, { request }) => `${threadId} ${request.header('X-Call') ?? 'no'}`),
)

/** Calls an operation without and with filters. */
const calling = (target: string) =>
  pipe(
    path(target),
    get(),
    produces(text),
    handle(async (_, context) => {
      const headers = { 'X-Call': 'yes' }
      const direct = await call(context, thread)()
      const filtered = await callWithFilters(context, thread, {}, { headers })()
      return [
        threadId,
        E.isRight(direct) ? direct.right.entity : 'Left',
        E.isRight(filtered) ? filtered.right.body : filtered.left.message,
      ].join()
    }),
  )

const unreadable = (): never => {
  throw new Error('unreadable')
}

export const workerOperations = pipe(
  routes({
    conditional: pipe(
      path('/conditional'),
      get(),
      produces(text),
      conditional({ etag: async () => 'v1' }),
      handle(() => 'unconditional'),
    ),
    dated,
    thread,
    calls: calling('/calls'),
    callsFromLoop: pipe(calling('/calls-from-loop'), nonBlocking),
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
    /** Throws an error of a database, with a cause and other errors. */
    database: pipe(
      path('/database'),
      get(),
      produces(text),
      handle((): string => {
        const error = new AggregateError([new Error('replica one')], '', {
          cause: Object.assign(new TypeError('inner'), { code: 'ECONNREFUSED' }),
        })
        throw Object.assign(error, { code: '23505', detail: 'Key (id)=(1) exists.' })
      }),
    ),
    /** Logs a value that can be neither sent to another thread nor read. */
    unreadable: pipe(
      path('/unreadable'),
      get(),
      produces(text),
      handle((_, { logger }) => {
        const value = Object.defineProperty({}, 'a', { enumerable: true, get: unreadable })
        logger('custom').debug({ x: 2, value, bare: Object.create(null), unreadable }, 'unreadable')
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
