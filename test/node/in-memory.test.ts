/** Aborts of requests that are sent with `inMemory`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { describe } from '../support/describe.ts'

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
      await sleep(10)
      collectGarbage()
    }
    abort('had enough')
    assert.is(await Promise.race([response, sleep(1000, 'timeout')]), 'had enough')
    assert.is(abortReason, 'had enough')
  })
})

const abortable = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: (reason: string) => controller.abort(reason) }
}
