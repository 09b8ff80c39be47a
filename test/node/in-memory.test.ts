/** Requests that are sent with `inMemory`: aborts and limits. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { describe, table } from '../support/describe.ts'
import { turns } from '../support/wait-until.ts'

describe('the signal of a request in memory', (test) => {
  test('aborts the request after a garbage collection', async () => {
    let abortReason = ''
    const slow = pipe(
      path('/slow'),
      get(),
      produces(text),
      handle((_, { request }) => {
        request.signal.addEventListener(
          'abort',
          () => (abortReason = String(request.signal.reason)),
        )
        return new Promise<string>(() => undefined)
      }),
    )
    const { signal, abort } = abortable()
    const response = inMemory(routes({ slow }))('http://localhost/slow', { signal }).then(
      () => 'responded',
      String,
    )
    for (let times = 0; times < 3; times++) {
      await turns()
      collectGarbage()
    }
    abort('had enough')
    assert.is(await response, 'had enough')
    assert.is(abortReason, 'had enough')
  })
})

describe('requests in memory', (test) => {
  let calls = 0
  const count = pipe(
    path('/'),
    get(),
    produces(text),
    handle(() => String(++calls)),
  )
  test('a request that has already been aborted is not handled', async () => {
    const send = inMemory(routes({ count }))
    const result = await send('http://localhost/', { signal: AbortSignal.abort('gone') }).catch(
      String,
    )
    assert.equal([result, calls], ['gone', 0])
  })
  table(
    test,
    [
      ['too many headers', { a: '1', b: '2' }, 431],
      ['too large headers', { a: 'a'.repeat(20) }, 431],
      ['headers within the limits', { a: '1' }, 200],
    ] as const,
    async (_, headers, status) => {
      const send = inMemory(routes({ count }), {
        'fw.http.limits.max-header-fields': 1,
        'fw.http.limits.max-header-size': 20,
      })
      assert.is((await send('http://localhost/', { headers })).status, status)
    },
  )
})

const abortable = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: (reason: string) => controller.abort(reason) }
}
