/** The time in which a response has to begin, as settings say it, and what stands around handlers. */
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
} from '../../src/index.ts'
import { compile } from '../../src/interpreter/program.ts'
import { describeTree } from '../../src/compiler/explain/explain.ts'
import { ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { at, forget, gate, later, log, most, never, seen } from '../support/late-responses.ts'

const stuck = pipe(
  at('/stuck'),
  produces(text),
  handle(() => never<string>()),
)

const around = pipe(
  routes({
    filtered: pipe(
      routes({
        one: pipe(
          at('/filter'),
          produces(text),
          handle(() => {
            seen.ran++
            return 'run'
          }),
        ),
      }),
      withFilter(requestFilter(() => gate.passed)),
    ),
    mapped: pipe(
      routes({
        one: pipe(
          at('/mapper'),
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
        one: pipe(
          at('/reply'),
          produces(text),
          handle(() => 'sent'),
        ),
      }),
      withFilter(
        responseFilter((answer) => {
          seen.filtered.push(answer.status)
        }),
        responseFilter(async (answer) => {
          if (answer.status === 200) await gate.passed
        }),
      ),
    ),
    written: pipe(
      routes({
        one: pipe(
          at('/writer'),
          produces(json(int)),
          handle(() => 1),
        ),
      }),
      withInterceptor(
        writerInterceptor(async (writing, proceed) => {
          if (writing.status === 200) await gate.passed
          return proceed()
        }),
      ),
    ),
    own: pipe(
      routes({
        one: pipe(
          at('/own'),
          produces(text),
          handle(() => never<string>()),
        ),
      }),
      withMapper(mapError(ServiceUnavailable, () => reply(504, 'an upstream is slow'))),
    ),
  }),
  withFilter(
    responseFilter((answer) => {
      seen.filtered.push(answer.status)
    }),
  ),
)

contract(
  'the setting, and what stands around handlers',
  around,
  (test, call) => {
    table(
      test,
      [
        ['a filter', '/filter', 503, [503]],
        ['a mapper', '/mapper', 503, [503]],
        // one of the two that stand behind the one that waits has seen the reply, and sees no other
        ['a response filter', '/reply', 503, undefined],
        ['an interceptor', '/writer', 503, undefined],
        ['answered by a mapper of its own', '/own', 504, [504]],
      ] as const,
      async (_, target, status, filtered) => {
        forget()
        const response = await ask(call, `GET ${target}`)
        assert.is(response.status, status)
        await response.text()
        const before = [...seen.filtered]
        gate.open()
        await later(30)
        // each filter sees one reply, and what comes later is shown to none
        assert.equal(seen.filtered, before)
        if (filtered !== undefined) assert.equal(seen.filtered, [...filtered])
        assert.is(seen.ran, 0)
        assert.is(log.told('warn').length, 1)
        assert.is(log.told('error').length, 0)
      },
    )
  },
  { logger: log.logger, 'fw.http.handler-timeout': most },
)

describe('limits({ time })', (test) => {
  table<[number | string]>(test, [['soon'], ['10 years'], [-1], [1.5], [Number.NaN]], (time) =>
    assert.throws(() => limits({ time }), /^invalid time: expected a duration of at most 24 days/),
  )
  test('is explained', () =>
    assert.match(
      describeTree(compile(pipe(routes({ stuck }), limits({ time: '90s' })))),
      / limit time 90s/,
    ))
  test('is off unless it is said', async () => {
    const program = compile(routes({ stuck }))
    assert.is(program.settings['fw.http.handler-timeout'], 0)
  })
})
