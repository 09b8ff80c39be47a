/** The cost of forms that exceed a limit, and of forms without fields. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  form,
  formMap,
  handle,
  path,
  post,
  produces,
  routes,
  text,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { describe } from '../../support/describe.ts'

const optional = t.union([t.string, t.undefined])

const send = inMemory(
  routes({
    fields: pipe(
      path('/fields'),
      post(),
      form({ a: optional, b: optional }),
      produces(text),
      handle(() => 'ok'),
    ),
    map: pipe(
      path('/map'),
      post(),
      body(formMap),
      produces(text),
      handle(() => 'ok'),
    ),
  }),
  { 'fw.http.limits.max-parsed-body-size': '10M' },
)

const size = 4_000_000
const fill = (unit: string): string => unit.repeat(size / unit.length)

/** Sends a form. Returns the CPU time in milliseconds and the allocated heap in megabytes. */
const measure = async (
  target: string,
  encodedForm: string,
): Promise<{ readonly status: number; readonly millis: number; readonly megabytes: number }> => {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new TextEncoder().encode(encodedForm),
  }
  const heap = process.memoryUsage().heapUsed
  const before = cpuTime()
  const { status } = await send(`http://localhost${target}`, init)
  return {
    status,
    millis: cpuTime() - before,
    megabytes: (process.memoryUsage().heapUsed - heap) / 1e6,
  }
}

describe('a URL-encoded form of 4 MB', (test) => {
  for (const target of ['/fields', '/map']) {
    for (const unit of ['a&', 'a=&', '=&', 'a=1&&&&'])
      test(`POST ${target} with ${unit}… returns 413 before fields are allocated`, async () => {
        await measure(target, 'a=1') // compiles the reader
        const { status, millis, megabytes } = await measure(target, fill(unit))
        assert.is(status, 413)
        assert.ok(millis < 200, `${millis} ms`)
        assert.ok(megabytes < 40, `${megabytes} MB`)
      })

    test(`POST ${target} with &&&… takes linear time`, async () => {
      await measure(target, 'a=1')
      const { status, millis } = await measure(target, fill('&'))
      assert.is(status, 200)
      assert.ok(millis < 400, `${millis} ms`)
    })
  }
})
