/** Interceptors that fail. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  Conflict,
  HttpError,
  mapError,
  readerInterceptor,
  reply,
  responseFilter,
  routes,
  withFilter,
  withInterceptor,
  withMapper,
  writerInterceptor,
} from '../../src/index.ts'
import { ask, faultsOf } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { changing } from '../support/intercepted-operation.ts'
import { contract } from '../support/contract.ts'

const oops = (): never => {
  throw new Error('secret')
}
const conflict = (): never => {
  throw new Conflict('conflict')
}
const replied = (): never => {
  throw new HttpError(reply(409, 'a reply of its own'))
}
const failures = pipe(
  routes({
    passes: changing(
      'passes',
      readerInterceptor((_, proceed) => proceed({ mediaType: 'application/json' })),
    ),
    read: changing('read', readerInterceptor(oops)),
    readLater: changing(
      'read-later',
      readerInterceptor(async () => oops()),
    ),
    readConflict: changing('read-conflict', readerInterceptor(conflict)),
    write: changing('write', writerInterceptor(oops)),
    writeLater: changing(
      'write-later',
      writerInterceptor(async () => oops()),
    ),
    writeConflict: changing('write-conflict', writerInterceptor(conflict)),
    writeReplied: changing('write-replied', writerInterceptor(replied)),
    writeMapped: changing(
      'write-mapped',
      writerInterceptor(({ entity: written }, proceed) => {
        if (written === 'Emma') throw new RangeError('mapped')
        return proceed({ entity: `${String(written)}, intercepted` })
      }),
    ),
    writeAlways: changing(
      'write-always',
      writerInterceptor(() => {
        throw new RangeError('mapped, and thrown again')
      }),
    ),
  }),
  withMapper(mapError(RangeError, () => reply(418, 'a teapot'))),
)

contract('interceptors that fail', failures, (test, call) => {
  const send = (target: string) =>
    ask(call, `POST ${target}`, { headers: { 'Content-Type': 'text/plain' }, body: 'Emma' })
  table<readonly [string, number, RegExp]>(
    test,
    [
      ['/read', 400, /cannot be read/],
      ['/read-later', 400, /cannot be read/],
      ['/read-conflict', 409, /409/],
      ['/write', 500, /500/],
      ['/write-later', 500, /500/],
      ['/write-conflict', 409, /409/],
      ['/write-replied', 409, /^a reply of its own$/],
      ['/write-mapped', 418, /^a teapot, intercepted$/],
      ['/write-always', 500, /500/],
    ],
    async (target, status, expected) => {
      const response = await send(target)
      const received = await response.text()
      assert.is(response.status, status, received)
      assert.match(received, expected)
      assert.not.match(received, /secret/)
    },
  )
  test('what is wrong with a content is told as without interceptors', async () => {
    const response = await send('/passes')
    assert.equal([response.status, (await faultsOf(response)).length], [400, 1])
  })
})

const stubborn = pipe(
  failures,
  withFilter(responseFilter((answer) => reply(answer.status, 'from a filter'))),
  withInterceptor(
    writerInterceptor(() => {
      throw new HttpError(reply(409, 'never written'))
    }),
  ),
)

contract('an interceptor that always fails', stubborn, (test, call) => {
  for (const target of ['/nothing', '/passes', '/write-replied'])
    test(`does not keep ${target} from being answered`, async () => {
      const response = await ask(call, `POST ${target}`, { body: 'Emma' })
      assert.is(await response.text(), 'never written')
    })
})
