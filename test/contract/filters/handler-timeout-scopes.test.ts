/** `fw.http.handler-timeout` for filters, mappers and interceptors, and `limits({ timeout })`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  handle,
  int,
  json,
  limits,
  mapError,
  produces,
  reply,
  requestFilter,
  responseFilter,
  routes,
  ServiceUnavailable,
  text,
  withFilter,
  withInterceptor,
  withMapper,
  writerInterceptor,
} from '../../../src/index.ts'
import { compile } from '../../../src/interpreter/program.ts'
import { describeTree } from '../../../src/compiler/explain.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { getAt, reset, gate, log, timeout, never, calls } from './late-responses.ts'
import { turns } from '../../support/wait-until.ts'

const stuck = pipe(
  getAt('/stuck'),
  produces(text),
  handle(() => never<string>()),
)

const tree = pipe(
  routes({
    filtered: pipe(
      routes({
        operation: pipe(
          getAt('/filter'),
          produces(text),
          handle(() => {
            calls.ran++
            return 'run'
          }),
        ),
      }),
      withFilter(requestFilter(() => gate.passed)),
    ),
    mapped: pipe(
      routes({
        operation: pipe(
          getAt('/mapper'),
          produces(text),
          handle((): string => {
            throw new RangeError('mapped')
          }),
        ),
      }),
      withMapper(mapError(RangeError, () => never<ReturnType<typeof reply<409>>>())),
    ),
    replied: pipe(
      routes({
        operation: pipe(
          getAt('/reply'),
          produces(text),
          handle(() => 'sent'),
        ),
      }),
      withFilter(
        responseFilter((response) => {
          calls.filtered.push(response.status)
        }),
        responseFilter(async (response) => {
          if (response.status === 200) await gate.passed
        }),
      ),
    ),
    written: pipe(
      routes({
        operation: pipe(
          getAt('/writer'),
          produces(json(int)),
          handle(() => 1),
        ),
      }),
      withInterceptor(
        writerInterceptor(async (context, proceed) => {
          if (context.status === 200) await gate.passed
          return proceed()
        }),
      ),
    ),
    timeoutMapped: pipe(
      routes({
        operation: pipe(
          getAt('/timeout-mapper'),
          produces(text),
          handle(() => never<string>()),
        ),
      }),
      withMapper(mapError(ServiceUnavailable, () => reply(504, 'an upstream is slow'))),
    ),
  }),
  withFilter(
    responseFilter((response) => {
      calls.filtered.push(response.status)
    }),
  ),
)

contract(
  'fw.http.handler-timeout',
  tree,
  (test, call) => {
    table(
      test,
      [
        ['a request filter', '/filter', 503, [503]],
        ['a mapper', '/mapper', 503, [503]],
        // One of the two filters after the waiting one has already run, and does not run again.
        ['a response filter', '/reply', 503, undefined],
        ['an interceptor', '/writer', 503, undefined],
        ['a mapper of the timeout', '/timeout-mapper', 504, [504]],
      ] as const,
      async (_, target, status, filtered) => {
        reset()
        const response = await sendRequest(call, `GET ${target}`)
        assert.is(response.status, status)
        await response.text()
        const before = [...calls.filtered]
        gate.open()
        await turns()
        // Each filter runs once, and not for the late response.
        assert.equal(calls.filtered, before)
        if (filtered !== undefined) assert.equal(calls.filtered, [...filtered])
        assert.is(calls.ran, 0)
        assert.is(log.linesAt('warn').length, 1)
        assert.is(log.linesAt('error').length, 0)
      },
    )
  },
  { logger: log.logger, 'fw.http.handler-timeout': timeout },
)

describe('limits({ timeout })', (test) => {
  table<[number | string]>(test, [['soon'], ['10 years'], [-1], [1.5], [Number.NaN]], (duration) =>
    assert.throws(
      () => limits({ timeout: duration }),
      /^invalid timeout: expected a duration of at most 24 days/,
    ),
  )
  test('describeTree lists the timeout', () =>
    assert.match(
      describeTree(compile(pipe(routes({ stuck }), limits({ timeout: '90s' })))),
      / limit timeout 90s/,
    ))
  test('the default is no timeout', async () => {
    const program = compile(routes({ stuck }))
    assert.is(program.settings['fw.http.handler-timeout'], 0)
  })
})
