import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { form, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { describe } from '../../support/describe.ts'

const send = inMemory(
  routes({
    fields: pipe(
      path('/'),
      post(),
      form({ a: t.array(t.string) }),
      produces(text),
      handle(({ form: { a } }) => String(a.length)),
    ),
  }),
)

const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'

const sendParts = async (parts: number): Promise<readonly [status: number, millis: number]> => {
  const body = `${part.repeat(parts)}--b--`
  const before = cpuTime()
  const { status } = await send('http://localhost/', { method: 'POST', headers, body })
  return [status, cpuTime() - before]
}

describe('a multipart form in one chunk', (test) => {
  test('is not parsed beyond the maximum number of parts', async () => {
    assert.is((await sendParts(10))[0], 200)
    const [status, millis] = await sendParts(80_000)
    assert.is.not(status, 200)
    assert.ok(millis < 250, `${millis} ms`)
  })
})
