/** Options of a call: an invalid option is an `EncodeError`, like invalid input. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { CallOptions, ClientOptions } from '../../src/client.ts'
import { client, promiseClient, retry } from '../../src/client.ts'
import {
  body,
  fails,
  get,
  handle,
  optional,
  path,
  post,
  produces,
  query,
  routes,
  string,
  text,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { errorIn, right } from '../support/clients.ts'
import { describe, table } from '../support/describe.ts'

const api = routes({
  hello: pipe(
    path('/hello'),
    get(),
    query({ name: optional(string) }),
    produces(text),
    fails(404),
    handle(({ query: { name = 'you' } }) => E.right(`Hello, ${name}`)),
  ),
  echo: pipe(
    path('/echo/{word}'),
    post(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
})
let sent = 0
const respond = inMemory(api)
const clientOptions: ClientOptions = {
  baseUrl: 'http://localhost',
  fetch: (url, init) => {
    sent++
    return respond(url, init)
  },
}
const calls = client(api, clientOptions)

const errorsOf = async (options: unknown): Promise<unknown> => {
  const before = sent
  const error = await errorIn(calls.hello({}, options as CallOptions))
  assert.is(error._tag, 'EncodeError')
  assert.is(sent, before, 'no request is sent')
  return 'errors' in error && error.errors
}

const duration = 'a duration of at most 24 days (such as 10s, 500ms or PT30M)'

describe('an invalid call option', (test) => {
  table<readonly [options: object, name: string, detail: string]>(
    test,
    [
      [{ timeout: '5 parsecs' }, 'timeout', `must be ${duration}, got "5 parsecs"`],
      [{ timeout: -1 }, 'timeout', `must be ${duration}, got -1`],
      [{ timeout: 0 }, 'timeout', 'must be greater than 0 ms'],
      [{ timeout: true }, 'timeout', `must be ${duration}, got true`],
      [{ reconnect: { delay: -1 } }, 'reconnect', `reconnect.delay must be ${duration}, got -1`],
      [{ reconnect: { times: -1 } }, 'reconnect', 'reconnect.times must be at least 0, got -1'],
      [{ reconnect: { times: 'a' } }, 'reconnect', 'reconnect.times must be at least 0, got a'],
      [{ reconnect: true }, 'reconnect', 'must be an object'],
      [{ as: 'nonsense' }, 'as', 'must be a media type'],
      [{ as: 5 }, 'as', 'must be a media type'],
      [{ signal: {} }, 'signal', 'must be an AbortSignal'],
      [{ signal: new AbortController() }, 'signal', 'must be an AbortSignal'],
      [{ headers: 'a: b' }, 'headers', 'must be a plain object of header names and values'],
      [
        { headers: new Headers({ a: 'b' }) },
        'headers',
        'must be a plain object of header names and values',
      ],
      [{ headers: [['a', 'b']] }, 'headers', 'must be a plain object of header names and values'],
      [{ policies: retry({ times: 1 }) }, 'policies', 'must be an array of policies'],
      [{ policies: [retry] }, 'policies', 'must be an array of policies'],
      [{ policies: [null] }, 'policies', 'must be an array of policies'],
      [
        { baseUrl: 'nowhere' },
        'baseUrl',
        'must be an absolute URL such as https://library.example/v1, got "nowhere"',
      ],
      [{ baseUrl: 5 }, 'baseUrl', 'must be a string'],
    ],
    async (options, name, detail) =>
      assert.equal(await errorsOf(options), [{ in: 'option', name, detail }]),
  )
  test('options that are not an object result in an EncodeError', async () =>
    assert.equal(await errorsOf('5s'), [
      { in: 'option', name: 'options', detail: 'must be an object' },
    ]))
  test('is listed in the message with all other errors of the input', async () => {
    const error = await errorIn(
      calls.echo(
        { path: { word: '..' }, body: 5 as never },
        { timeout: 'soon', headers: { 'a b': 'c' }, baseUrl: 'nowhere' },
      ),
    )
    assert.equal(
      'errors' in error && error.errors.map((invalid) => `${invalid.in} ${invalid.name ?? ''}`),
      ['option timeout', 'option baseUrl', 'path word', 'header a b', 'body '],
    )
    assert.ok(
      error.message.startsWith(
        `echo: invalid input: option timeout: must be ${duration}, got "soon"; option baseUrl: must be an absolute URL such as https://library.example/v1, got "nowhere"; path word `,
      ),
      error.message,
    )
  })
})

describe('null as the input or as an option', (test) => {
  const missing = null as never
  test('counts as a missing input and as missing options', async () => {
    assert.is((await right(calls.hello(missing))).body, 'Hello, you')
    assert.is((await right(calls.hello(missing, missing))).body, 'Hello, you')
    assert.is((await promiseClient(api, clientOptions).hello(missing, missing)).body, 'Hello, you')
  })
  test('counts as missing for each option', async () => {
    const options = {
      signal: missing,
      timeout: missing,
      headers: missing,
      baseUrl: missing,
      as: missing,
      reconnect: missing,
      policies: missing,
    }
    assert.is((await right(calls.hello({ query: { name: 'Ann' } }, options))).body, 'Hello, Ann')
  })
  test('is an EncodeError for a required input', async () => {
    const error = await errorIn(calls.echo(missing))
    assert.is(error._tag, 'EncodeError')
  })
})

describe('an input with a getter that throws', (test) => {
  test('resolves to a Defect', async () => {
    const input = {
      get query(): never {
        throw new Error('closed')
      },
    }
    const error = await errorIn(calls.hello(input))
    assert.equal(
      [error._tag, error.message],
      ['Defect', 'hello: a policy or another function provided by the application failed: closed'],
    )
  })
})
