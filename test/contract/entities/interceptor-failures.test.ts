/** Errors thrown by reader and writer interceptors. */
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
} from '../../../src/index.ts'
import { sendRequest, validationErrorsOf } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { interceptedEcho } from './intercepted-operation.ts'
import { valueContract } from '../../support/contract.ts'

const throwError = (): never => {
  throw new Error('secret')
}
const throwConflict = (): never => {
  throw new Conflict('conflict')
}
const throwReply = (): never => {
  throw new HttpError(reply(409, 'a custom reply'))
}
const failures = pipe(
  routes({
    passes: interceptedEcho(
      'passes',
      readerInterceptor((_, proceed) => proceed({ mediaType: 'application/json' })),
    ),
    read: interceptedEcho('read', readerInterceptor(throwError)),
    readAsync: interceptedEcho(
      'read-async',
      readerInterceptor(async () => throwError()),
    ),
    readConflict: interceptedEcho('read-conflict', readerInterceptor(throwConflict)),
    write: interceptedEcho('write', writerInterceptor(throwError)),
    writeAsync: interceptedEcho(
      'write-async',
      writerInterceptor(async () => throwError()),
    ),
    writeConflict: interceptedEcho('write-conflict', writerInterceptor(throwConflict)),
    writeReplied: interceptedEcho('write-replied', writerInterceptor(throwReply)),
    writeMapped: interceptedEcho(
      'write-mapped',
      writerInterceptor(({ entity: written }, proceed) => {
        if (written === 'Emma') throw new RangeError('mapped')
        return proceed({ entity: `${String(written)}, intercepted` })
      }),
    ),
    writeAlways: interceptedEcho(
      'write-always',
      writerInterceptor(() => {
        throw new RangeError('mapped, and thrown again')
      }),
    ),
  }),
  withMapper(mapError(RangeError, () => reply(418, 'a teapot'))),
)

valueContract('interceptors that throw', failures, (test, call) => {
  const send = (target: string) =>
    sendRequest(call, `POST ${target}`, { headers: { 'Content-Type': 'text/plain' }, body: 'Emma' })
  table<readonly [target: string, status: number, body: RegExp]>(
    test,
    [
      ['/read', 400, /cannot be read/],
      ['/read-async', 400, /cannot be read/],
      ['/read-conflict', 409, /409/],
      ['/write', 500, /500/],
      ['/write-async', 500, /500/],
      ['/write-conflict', 409, /409/],
      ['/write-replied', 409, /^a custom reply$/],
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
  test('a validation error of an intercepted body is reported in the problem document', async () => {
    const response = await send('/passes')
    assert.equal([response.status, (await validationErrorsOf(response)).length], [400, 1])
  })
})

const alwaysFailing = pipe(
  failures,
  withFilter(responseFilter((response) => reply(response.status, 'from a filter'))),
  withInterceptor(
    writerInterceptor(() => {
      throw new HttpError(reply(409, 'not intercepted'))
    }),
  ),
)

valueContract('a writer interceptor that fails for every response', alwaysFailing, (test, call) => {
  for (const target of ['/nothing', '/passes', '/write-replied'])
    test(`the thrown reply is sent unchanged: ${target}`, async () => {
      const response = await sendRequest(call, `POST ${target}`, { body: 'Emma' })
      assert.is(await response.text(), 'not intercepted')
    })
})
