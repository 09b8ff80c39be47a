/** Requests of calls: the location of each input, validation before sending, and policies. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { ClientRequest, Policy, TimedOut } from '../../src/client.ts'
import { CallFailed, promiseClient } from '../../src/client.ts'
import { inMemory } from '../../src/testing.ts'
import { clientContract, errorIn, right } from '../support/clients.ts'
import { describe } from '../support/describe.ts'
import { api, emma } from './response-kinds.ts'

/** Responds with an invalid body. */
const fetch = (): Promise<Response> => Promise.resolve(Response.json({ title: 1 }))

clientContract('requests of calls', api, (test, createClient) => {
  const queryOf = async (
    lists: 'repeat' | 'comma' | 'brackets',
    tag: ReadonlyArray<string>,
  ): Promise<unknown> =>
    ((await right(createClient({ lists }).list({ query: { tag, sort: [] } }))).body as unknown[])[0]
  test('lists repeat the parameter by default', async () => {
    assert.is(await queryOf('repeat', ['a', 'b&']), 'tag=a&tag=b%26')
    assert.is(await queryOf('repeat', []), '')
  })
  test('lists are separated by commas with `lists: comma`', async () =>
    assert.is(await queryOf('comma', ['a', 'b,']), 'tag=a,b%2C'))
  test('lists have brackets with `lists: brackets`, except for a single value', async () => {
    assert.is(await queryOf('brackets', ['a', 'b']), 'tag%5B%5D=a&tag%5B%5D=b')
    assert.is(await queryOf('brackets', ['a']), 'tag=a')
  })
  test('separated values are joined, missing ones omitted', async () => {
    const response = await right(
      createClient().list({ query: { tag: [], sort: ['-a', 'b'], page: undefined } }),
    )
    assert.equal(response.body, ['sort=-a%2Cb', [['sort', ['-a,b']]]])
  })
  test('empty collections and missing groups are omitted', async () => {
    const emptyQuery = ['', []]
    for (const input of [undefined, {}, { query: undefined }, { query: {} }])
      assert.equal((await right(createClient().list(input))).body, emptyQuery)
    const options = {
      signal: undefined,
      timeout: undefined,
      headers: undefined,
      baseUrl: undefined,
      as: undefined,
      reconnect: undefined,
      policies: undefined,
    }
    assert.equal((await right(createClient().list({}, options))).body, emptyQuery)
  })
  test('a null parameter is omitted', async () => {
    const input = { query: { tag: [], sort: [], page: null as never } }
    assert.equal((await right(createClient().list(input))).body, ['', []])
  })
  test('a query map is appended to the declared parameters', async () => {
    const map = new Map([
      ['é', ['1', '2']],
      ['none', []],
    ])
    assert.equal(
      (await right(createClient().list({ query: { tag: ['t'], sort: [] }, queryMap: map }))).body,
      [
        'tag=t&%C3%A9=1&%C3%A9=2',
        [
          ['tag', ['t']],
          ['é', ['1', '2']],
        ],
      ],
    )
  })
  test('header parameters and cookies are sent, cookies percent-encoded', async () => {
    const response = await right(
      createClient().fields({
        header: { xTrace: 'é;' },
        cookie: { size: 'a;b "é"', 'a-b': ['1', '2'] },
      }),
    )
    assert.equal(response.body, {
      xTrace: 'é;',
      accept: 'application/json, application/problem+json',
      size: 'a;b "é"',
      'a-b': ['1', '2'],
      cookies: 'size=a%3Bb%20%22%C3%A9%22; a-b=1; a-b=2',
      agent: 'espalier/0.1.0',
    })
  })
  test('headers of a call override those of parameters and of the client', async () => {
    const input = { cookie: { 'a-b': [] } }
    const sender = createClient({
      headers: { 'User-Agent': 'me', 'X-More': 'client', Accept: 'application/json' },
    })
    const headersOf = async (...args: Parameters<typeof sender.fields>): Promise<unknown> => {
      const { accept, agent, more } = (await right(sender.fields(...args))).body as Record<
        string,
        unknown
      >
      return [accept, agent, more]
    }
    assert.equal(await headersOf(input), ['application/json', 'me', 'client'])
    assert.equal(await headersOf({ ...input, header: { accept: 'application/*' } }), [
      'application/*',
      'me',
      'client',
    ])
    assert.equal(await headersOf(input, { headers: { 'x-more': 'call', 'USER-AGENT': 'you' } }), [
      'application/json',
      'you',
      'call',
    ])
  })
  test('user information of the base URL is sent as Authorization', async () => {
    const { url } = await right(createClient().pick())
    const { host } = new URL(url)
    const baseUrl = `http://us%40r:p%3Aw@${host}/`
    const response = await right(createClient({ baseUrl }).fields({ cookie: { 'a-b': [] } }))
    assert.is(
      (response.body as Record<string, unknown>)['authorization'],
      `Basic ${btoa('us@r:p:w')}`,
    )
  })
  test('invalid user information of a base URL is an EncodeError', async () => {
    for (const user of ['a%zz:b', 'a%0A:b', 'a%3Ab:c']) {
      const error = await errorIn(createClient().pick({}, { baseUrl: `http://${user}@a.test/x` }))
      assert.is(error._tag, 'EncodeError')
      assert.match(error.message, /invalid user information in "http:\/\/a\.test\/x"/)
    }
  })
  test('a call overrides the base URL', async () => {
    const { url } = await right(createClient().pick())
    const unreachable = createClient({ baseUrl: 'http://nowhere.invalid' })
    const baseUrl = url.split('/api')[0] ?? ''
    assert.is((await right(unreachable.redirect({}, { baseUrl }))).status, 303)
    assert.is((await errorIn(unreachable.redirect({}, { baseUrl: 'nowhere' })))._tag, 'EncodeError')
  })
  test('segments and matrix parameters are percent-encoded', async () =>
    assert.is(
      (
        await right(
          createClient().cars({ path: { rest: ['a/b', 'ç;'] }, matrix: { colour: ['r=', ';'] } }),
        )
      ).body,
      '/api/cars/a%2Fb/%C3%A7%3B;colour=r%3D;colour=%3B r=,;',
    ))
  for (const isbn of ['', '.', '..'])
    test(`the path parameter "${isbn}", which would change the path, is an EncodeError`, async () => {
      const error = await errorIn(createClient().find({ path: { isbn } }))
      assert.is(error._tag, 'EncodeError')
      assert.equal('errors' in error && error.errors.map((invalid) => [invalid.in, invalid.name]), [
        ['path', 'isbn'],
      ])
    })
  test('all invalid parameters are reported at once', async () => {
    const error = await errorIn(
      createClient().fields(
        { header: { xTrace: 'a\r\nb' }, cookie: { size: '\ud800', 'a-b': [1 as never] } },
        { headers: { 'X Y': '1' } },
      ),
    )
    assert.equal('errors' in error && error.errors.map(({ name }) => name), [
      'x-trace',
      'size',
      'a-b',
      'X Y',
    ])
  })
})

clientContract('running calls', api, (test, createClient) => {
  test('each run of a task sends a request', async () => {
    const sent: ClientRequest[] = []
    const counting: Policy = {
      _tag: 'Policy',
      around: (next) => (request) => {
        sent.push(request)
        return next(request)
      },
    }
    const task = createClient({ policies: [counting] }).redirect()
    assert.is(sent.length, 0)
    await task()
    await task()
    assert.is(sent.length, 2)
    assert.equal(sent[0]?.operation, { name: 'redirect', template: '/api/redirect', method: 'GET' })
  })
  test('policies run in order, those of a call first', async () => {
    const order: string[] = []
    const named = (name: string): Policy => ({
      _tag: 'Policy',
      around: (next) => (request) => {
        order.push(name)
        return next(request)
      },
    })
    const sender = createClient({
      policies: [named('first'), named('second'), { ...named('early'), priority: 1 }],
    })
    await right(sender.redirect({}, { policies: [named('call')] }))
    assert.equal(order, ['call', 'early', 'first', 'second'])
  })
  test('a policy that throws results in a Defect', async () => {
    const broken: Policy = {
      _tag: 'Policy',
      around: () => () => {
        throw new Error('broken')
      },
    }
    const error = await errorIn(createClient({ policies: [broken] }).redirect())
    assert.equal(
      [error._tag, error.message],
      [
        'Defect',
        'redirect: a policy or another function provided by the application failed: broken',
      ],
    )
    const rejecting: Policy = {
      _tag: 'Policy',
      around: () => () => () => Promise.reject(new Error('late')),
    }
    assert.is((await errorIn(createClient({ policies: [rejecting] }).redirect()))._tag, 'Defect')
  })
  test('an error with which a policy ends a body is the failure of the call', async () => {
    const failure: TimedOut = {
      _tag: 'TimedOut',
      message: 'find: late',
      operation: 'find',
      cause: undefined,
    }
    const ending: Policy = {
      _tag: 'Policy',
      around: (next) => (request) =>
        pipe(
          next(request),
          TE.map((response) => ({
            ...response,
            body: new ReadableStream<Uint8Array>({
              pull: (controller) => controller.error(failure),
            }),
          })),
        ),
    }
    assert.is(
      await errorIn(createClient({ policies: [ending] }).find({ path: { isbn: '1' } })),
      failure,
    )
  })
  test('a body that fails without a reason results in NetworkError', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"title":"Emma"}')),
      pull: (controller) => controller.error(),
    })
    const response = new Response(body, { headers: { 'Content-Type': 'application/json' } })
    const failing = createClient({ fetch: async () => response })
    assert.is((await errorIn(failing.find({ path: { isbn: '1' } })))._tag, 'NetworkError')
  })
  test('an aborted call results in Aborted', async () => {
    const error = await errorIn(
      createClient().redirect({}, { signal: AbortSignal.abort('enough') }),
    )
    assert.is(error._tag, 'Aborted')
    assert.is(error.cause, 'enough')
  })
  test('an invalid response is reported with a pointer', async () => {
    const error = await errorIn(createClient({ fetch }).find({ path: { isbn: '1' } }))
    assert.is(error._tag, 'DecodeError')
    assert.equal('errors' in error && error.errors, [
      { in: 'body', pointer: '#/title', detail: 'must be a string' },
    ])
    assert.is(
      error.message,
      'find: invalid body in a response with status 200: body #/title must be a string',
    )
  })
})

describe('requests of promiseClient', (test) => {
  test('promises resolve with the success and reject with the failure', async () => {
    const promised = promiseClient(api, { baseUrl: 'http://service.test', fetch: inMemory(api) })
    assert.equal((await promised.find({ path: { isbn: '1' } })).body, emma)
    assert.is((await promised.deep.deeper.status()).status, 202)
    const rejected = async (isbn: string): Promise<CallFailed> => {
      try {
        await promised.find({ path: { isbn } })
      } catch (error) {
        if (error instanceof CallFailed) return error
        throw error
      }
      throw new Error('expected a CallFailed')
    }
    const failed = await rejected('none')
    assert.match(failed.message, /^find: failed with status 404 Not Found \(GET http:.*\/none\)$/)
    assert.is(failed.name, 'CallFailed')
    assert.equal('body' in failed.failure && failed.failure.body, { missing: 'none' })
    assert.is((await rejected('')).message.slice(0, 20), 'find: invalid input:')
  })
})
