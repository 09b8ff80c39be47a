/** Requests that `callWithFilters` sends: rejections, timeouts, signals and the end of the current request. */
import { setTimeout as wait } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { callWithFilters, ConfigurationError } from '../../../src/client.ts'
import type { Children, CommonContext } from '../../../src/index.ts'
import {
  critical,
  get,
  handle,
  limits,
  method,
  noContent,
  path,
  produces,
  routes,
  text,
  textStream,
} from '../../../src/index.ts'
import { inMemory, testContext } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'
import { calling, getBook, nothing } from './called-books.ts'

/** Returns a promise and the function that fulfils it. */
const event = (): readonly [Promise<void>, () => void] => {
  const functions: Array<() => void> = []
  const promise = new Promise<void>((resolve) => functions.push(resolve))
  return [promise, () => functions.forEach((fulfil) => fulfil())]
}

const rejectionOf = async (call: () => Promise<unknown>): Promise<unknown> => {
  try {
    await call()
  } catch (error) {
    return error
  }
  return 'no error'
}
/** Calls an operation from the handler of another one. */
const rejectionIn = async (
  tree: Children,
  send: (context: CommonContext) => () => Promise<unknown>,
): Promise<unknown> => {
  let error: unknown
  const run = pipe(
    path('/'),
    get(),
    handle(async (_, context) => {
      error = await rejectionOf(send(context))
    }),
  )
  await inMemory(routes({ ...tree, run }) as Parameters<typeof inMemory>[0])('http://localhost/')
  return error
}

describe('callWithFilters', (test) => {
  test('rejects an endpoint that is not in the tree', async () =>
    assert.is(
      String(await rejectionIn({}, (context) => callWithFilters(context, nothing))),
      'TypeError: GET /nothing is not an operation of the tree',
    ))
  test('rejects a context without a tree', async () =>
    assert.is(
      String(await rejectionOf(callWithFilters(testContext(), nothing))),
      'TypeError: a test context has no route tree: use inMemory(api)',
    ))
  test('rejects a context that the framework did not create', async () =>
    assert.is(
      String(await rejectionOf(callWithFilters({} as CommonContext, nothing))),
      'TypeError: the context has no route tree: pass the context of a handler or filter',
    ))
  test('rejects an operation that clients cannot call', async () => {
    const trace = pipe(
      path('/trace'),
      method('TRACE')(),
      handle(() => noContent),
    )
    const error = await rejectionIn({ trace }, (context) => callWithFilters(context, trace))
    assert.ok(error instanceof ConfigurationError)
    assert.match(String(error), 'fetch cannot send TRACE requests')
  })
  test('hosts are not checked again for a call of a critical operation', async () => {
    const probe = calling('/probe', (context) =>
      callWithFilters(context, getBook, { path: { id: 7 } }),
    )
    const send = inMemory(routes({ getBook, probe: pipe(probe, critical) }), {
      'fw.http.allowed-hosts': ['library.example'],
    })
    assert.is((await send('http://10.0.0.1/books/7')).status, 421)
    assert.match(await (await send('http://10.0.0.1/probe')).text(), 'Right 200')
  })
  test('a timeout of the called operation applies', async () => {
    const slow = pipe(
      path('/slow'),
      get(),
      limits({ timeout: '20ms' }),
      produces(text),
      handle(async (_, { request: { signal } }) => {
        await wait(10_000, undefined, { signal }).catch(() => undefined)
        return 'late'
      }),
    )
    const send = inMemory(
      routes({ slow, call: calling('/', (context) => callWithFilters(context, slow)) }),
    )
    assert.is(
      await (await send('http://localhost/')).text(),
      'Left UndeclaredStatus slow: undeclared status 503 Service Unavailable: The operation timed out.',
    )
  })
  test('the called operation is aborted when the client disconnects', async () => {
    const [hasStarted, started] = event()
    const [hasAborted, aborted] = event()
    const endless = pipe(
      path('/endless'),
      get(),
      handle(async (_, { request: { signal } }) => {
        signal.addEventListener('abort', aborted)
        started()
        await hasAborted
      }),
    )
    const send = inMemory(
      routes({ endless, call: calling('/', (context) => callWithFilters(context, endless)) }),
    )
    const controller = new AbortController()
    const response = send('http://localhost/', { signal: controller.signal })
    await hasStarted
    controller.abort(new Error('gone'))
    await hasAborted
    try {
      await response
      assert.unreachable('no error')
    } catch (error) {
      assert.match(String(error), 'gone')
    }
  })
  test('the signal of the call aborts the called operation', async () => {
    const endless = pipe(
      path('/endless'),
      get(),
      handle(
        (_, { request: { signal } }) =>
          new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
      ),
    )
    const send = inMemory(
      routes({
        endless,
        call: calling('/', (context) => {
          const controller = new AbortController()
          setImmediate(() => controller.abort())
          return callWithFilters(context, endless, {}, { signal: controller.signal })
        }),
      }),
    )
    assert.match(await (await send('http://localhost/')).text(), /^Left Aborted endless/)
  })
  test('a stream that is not read is closed at the end of the current request', async () => {
    const [isClosed, closed] = event()
    const endless = pipe(
      path('/endless'),
      get(),
      produces(textStream),
      handle(async function* () {
        try {
          for (;;) yield 'x'
        } finally {
          closed()
        }
      }),
    )
    const send = inMemory(
      routes({
        endless,
        call: pipe(
          path('/'),
          get(),
          handle(async (_, context) => {
            await callWithFilters(context, endless)()
          }),
        ),
      }),
    )
    assert.is((await send('http://localhost/')).status, 204)
    await isClosed
  })
  test('a call that outlasts the current request is completed', async () => {
    const [hasEnded, ended] = event()
    const slow = pipe(
      path('/slow'),
      get(),
      produces(text),
      handle(async () => {
        await hasEnded
        return 'late'
      }),
    )
    const results: Array<Promise<string>> = []
    const bodyOf = async (context: CommonContext): Promise<string> => {
      const result = await callWithFilters(context, slow)()
      return E.isRight(result) ? result.right.body : result.left.message
    }
    const send = inMemory(
      routes({
        slow,
        call: pipe(
          path('/'),
          get(),
          handle((_, context) => {
            results.push(bodyOf(context))
            context.onEnd(() => {
              results.push(bodyOf(context))
              ended()
            })
          }),
        ),
      }),
    )
    assert.is((await send('http://localhost/')).status, 204)
    await hasEnded
    assert.equal(await Promise.all(results), ['late', 'late'])
  })
})
