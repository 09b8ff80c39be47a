/** `inMemory` as a replacement for `fetch`: aborts are observed until the response ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'

/** Makes the engine collect garbage, which it does when it likes otherwise. */
const collect = (): void => {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc !== 'function') throw new TypeError('there is no gc')
  gc()
}

describe('the signal of a request in memory', (test) => {
  test('aborts the request after a garbage collection', async () => {
    let left = ''
    const slow = pipe(
      path('/slow'),
      get(),
      produces(text),
      handle((_, { request }) => {
        request.signal.addEventListener('abort', () => (left = String(request.signal.reason)))
        return new Promise<string>(() => undefined)
      }),
    )
    const { signal, abort } = abortable()
    const answer = inMemory(routes({ slow }))('http://localhost/slow', { signal }).then(
      () => 'answered',
      String,
    )
    for (let times = 0; times < 3; times++) {
      await sleep(10)
      collect()
    }
    abort('had enough')
    assert.is(await Promise.race([answer, sleep(1000, 'hung')]), 'had enough')
    assert.is(left, 'had enough')
  })
})

const abortable = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: (reason: string) => controller.abort(reason) }
}
