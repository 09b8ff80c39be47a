/** Interceptors around something, with and without waiting. */
import * as T from 'fp-ts/lib/Task.js'
import * as assert from 'uvu/assert'
import { andThen } from '../../../src/interpreter/maybe-async.ts'
import { attempt, runInterceptors } from '../../../src/interpreter/filters/interceptor-chain.ts'
import { describe, table } from '../../support/describe.ts'

interface State {
  readonly word: string
  readonly kept: number
}
type Proceed = (change?: { readonly word: string }) => string | Promise<string>
const shown = (result: unknown): string => `<${String(result)}>`
const through = (
  ...runs: ReadonlyArray<(state: State, proceed: Proceed) => unknown>
): string | Promise<string> =>
  runInterceptors<State, { readonly word: string }, string>(
    runs.map((run) => ({ run })),
    ({ word, kept }) => `${word}${kept}`,
    shown,
  )({ word: 'a', kept: 1 })

describe('intercepted', (test) => {
  table<readonly [string, string | Promise<string>, string]>(
    test,
    [
      ['nobody', through(), '<a1>'],
      ['one', through((_, proceed) => andThen(proceed(), (word) => `${String(word)}!`)), '<<a1>!>'],
      [
        'a change, of which the rest stays',
        through((_, proceed) => proceed({ word: 'b' })),
        '<<b1>>',
      ],
      [
        'the first outermost',
        through(
          ({ word }, proceed) => proceed({ word: `${word}x` }),
          ({ word }, proceed) => proceed({ word: `${word}y` }),
        ),
        '<<<axy1>>>',
      ],
      ['one that stops', through(() => 'stop'), '<stop>'],
      [
        'twice',
        through((_, proceed) => JSON.stringify([proceed(), proceed()])),
        '<["<a1>","<a1>"]>',
      ],
    ],
    (_, result, expected) => assert.is(result, expected), // there at once: nothing was promised
  )
  test('one that waits makes the others wait', async () => {
    const result = through(
      (_, proceed) => andThen(proceed(), (word) => `${String(word)}!`),
      async (_, proceed) => proceed(),
    )
    assert.instance(result, Promise)
    assert.is(await result, '<<<a1>>!>')
  })
  test('a task is run', async () => assert.is(await through(() => T.of('task')), '<task>'))
})

const outcome = (act: () => unknown): Promise<unknown> =>
  new Promise((resolve) =>
    attempt(
      act,
      (value) => resolve(['then', value]),
      (error) => resolve(['failed', error]),
    ),
  )

describe('attempted', (test) => {
  const boom = new Error('boom')
  test('a value', async () => assert.equal(await outcome(() => 1), ['then', 1]))
  test('a promise', async () => assert.equal(await outcome(async () => 1), ['then', 1]))
  test('what is thrown', async () =>
    assert.equal(
      await outcome(() => {
        throw boom
      }),
      ['failed', boom],
    ))
  test('what is rejected', async () =>
    assert.equal(await outcome(() => Promise.reject(boom)), ['failed', boom]))
  test('what goes wrong behind it now is not its failure', () => {
    const failed: unknown[] = []
    assert.throws(
      () =>
        attempt(
          () => 1,
          () => {
            throw boom
          },
          (error) => failed.push(error),
        ),
      'boom',
    )
    assert.equal(failed, [])
  })
})
