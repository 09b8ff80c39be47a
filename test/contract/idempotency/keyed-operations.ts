/** Idempotent operations that record their runs, and functions that send keyed requests. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { InMemoryCall } from '../../../src/testing.ts'
import {
  authenticateAs,
  authentication,
  body,
  del,
  fails,
  requestFilter,
  get,
  handle,
  HttpError,
  idempotent,
  int,
  json,
  limits,
  noContent,
  path,
  post,
  prefix,
  produces,
  put,
  query,
  reply,
  responds,
  routes,
  slot,
  text,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'

const Order = t.type({ book: t.string, copies: int })

/** What handlers have done. A handler waits until `passed` resolves. */
export const runs: {
  count: number
  passed: Promise<void>
  isAborted: () => boolean
} = { count: 0, passed: Promise.resolve(), isAborted: () => false }

/** Lets the handlers wait. Returns a function that lets them continue. */
export const holdRuns = (): (() => void) => {
  const gate = { open: (): void => undefined }
  runs.passed = new Promise((resolve) => (gate.open = resolve))
  return () => gate.open()
}

const run = async (): Promise<number> => {
  runs.count++
  const { count } = runs
  await runs.passed
  return count
}

const caller = authentication({ challenge: 'Test' }, ({ request }) => {
  const name = request.header('X-User')
  return name === undefined ? undefined : authenticateAs({ name, roles: [] })
})

let requests = 0

/** Adds a header that differs between requests. */
const numbered = requestFilter(({ response }) => {
  response.addHeader('X-Number', String(++requests))
})

const Tenant = slot(int)('tenant')

export const keyedOperations = pipe(
  routes({
    order: pipe(
      path('/orders'),
      post(),
      body(json(Order)),
      responds(201, json(int)),
      handle(async ({ body: { copies } }, { response }) => {
        response.addHeader('X-Run', String(copies))
        const id = await run()
        return pipe(reply(201, id), withHeader('Location', `/orders/${id}`))
      }),
    ),
    other: pipe(path('/others'), post(), body(json(Order)), produces(json(int)), handle(run)),
    variable: pipe(
      path('/orders/{n}/copies', { n: int }),
      post(),
      produces(json(int)),
      handle(run),
    ),
    search: pipe(path('/search'), post(), query({ page: int }), produces(json(int)), handle(run)),
    negotiated: pipe(
      path('/negotiated'),
      post(),
      produces(json(t.string), text),
      handle(async () => String(await run())),
    ),
    empty: pipe(
      path('/empty'),
      post(),
      responds(204),
      handle(async () => {
        await run()
        return noContent
      }),
    ),
    large: pipe(
      path('/large'),
      post(),
      produces(text),
      idempotent({ maxResponseSize: 500 }),
      handle(async () => 'x'.repeat(500 + (await run()))),
    ),
    failing: pipe(
      path('/failing/{status}', { status: int }),
      post(),
      handle(async ({ path: { status } }) => {
        throw new HttpError(status, `run ${await run()}`)
      }),
    ),
    declared: pipe(
      path('/declared'),
      post(),
      fails(409, text),
      handle(async () => {
        throw new HttpError(409, `run ${await run()}`)
      }),
    ),
    crash: pipe(
      path('/crash'),
      post(),
      handle(async () => {
        await run()
        throw new Error('crash')
      }),
    ),
    aborted: pipe(
      path('/aborted'),
      post(),
      produces(json(int)),
      handle(async (_, { request: { signal } }) => {
        runs.isAborted = () => signal.aborted
        const result = await run()
        signal.throwIfAborted()
        return result
      }),
    ),
    slow: pipe(path('/slow'), post(), produces(json(int)), limits({ timeout: 50 }), handle(run)),
    strict: pipe(
      path('/strict'),
      post(),
      produces(json(int)),
      idempotent({ strict: true }),
      handle(run),
    ),
    optional: pipe(
      path('/optional'),
      post(),
      produces(json(int)),
      idempotent({ required: false }),
      handle(run),
    ),
    excluded: pipe(path('/excluded'), post(), produces(json(int)), idempotent(false), handle(run)),
    read: pipe(path('/orders'), get(), produces(json(int)), handle(run)),
    store: pipe(path('/orders/{n}', { n: int }), put(), produces(json(int)), handle(run)),
    remove: pipe(path('/orders/{n}', { n: int }), del(), produces(json(int)), handle(run)),
    tenants: pipe(
      routes({ add: pipe(path('/members'), post(), produces(json(int)), handle(run)) }),
      prefix('/tenants/{tenant}', { tenant: Tenant }),
    ),
  }),
  idempotent(),
  withFilter(numbered),
  withFilter(caller),
)

/** A request: its line, its key, its body as JSON text and other headers. */
export interface Keyed {
  readonly line: string
  readonly key?: string
  readonly json?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export const sendKeyed = (
  call: InMemoryCall,
  { line, key, json: document, headers = {}, signal }: Keyed,
): Promise<Response> =>
  sendRequest(call, line, {
    headers: {
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      ...(document === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(document === undefined ? {} : { body: document }),
    ...(signal === undefined ? {} : { signal }),
  })

/** A key that no other request has. */
export const newKey = (): string => crypto.randomUUID()
