import * as T from 'fp-ts/lib/Task.js'
import * as assert from 'uvu/assert'
import { runInterceptors } from '../../src/body/interceptors.ts'
import { andThen } from '../../src/http/platform-value.ts'
import { describe, table } from '../support/describe.ts'

interface State {
  readonly word: string
  readonly index: number
}
type Proceed = (change?: { readonly word: string }) => string | Promise<string>
const bracketed = (result: unknown): string => `<${String(result)}>`
const intercept = (
  ...runs: ReadonlyArray<(state: State, proceed: Proceed) => unknown>
): string | Promise<string> =>
  runInterceptors<State, { readonly word: string }, string>(
    runs.map((run) => ({ run })),
    ({ word, index }) => `${word}${index}`,
    bracketed,
  )({ word: 'a', index: 1 })

describe('runInterceptors', (test) => {
  table<readonly [string, string | Promise<string>, string]>(
    test,
    [
      ['no interceptor', intercept(), '<a1>'],
      [
        'one interceptor',
        intercept((_, proceed) => andThen(proceed(), (word) => `${String(word)}!`)),
        '<<a1>!>',
      ],
      [
        'a change of one member of the state',
        intercept((_, proceed) => proceed({ word: 'b' })),
        '<<b1>>',
      ],
      [
        'the first interceptor outermost',
        intercept(
          ({ word }, proceed) => proceed({ word: `${word}x` }),
          ({ word }, proceed) => proceed({ word: `${word}y` }),
        ),
        '<<<axy1>>>',
      ],
      ['an interceptor that does not proceed', intercept(() => 'stop'), '<stop>'],
      [
        'an interceptor that proceeds twice',
        intercept((_, proceed) => JSON.stringify([proceed(), proceed()])),
        '<["<a1>","<a1>"]>',
      ],
    ],
    (_, result, expected) => assert.is(result, expected), // synchronous: no promise is created
  )
  test('returns a promise if one interceptor is asynchronous', async () => {
    const result = intercept(
      (_, proceed) => andThen(proceed(), (word) => `${String(word)}!`),
      async (_, proceed) => proceed(),
    )
    assert.instance(result, Promise)
    assert.is(await result, '<<<a1>>!>')
  })
  test('runs a Task', async () => assert.is(await intercept(() => T.of('task')), '<task>'))
})
