import { getEventListeners } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import { clientFilter, clientResponse } from '../../../src/client/policy/client-filter.ts'
import { applyPolicies } from '../../../src/client/policy/policy.ts'
import {
  fakeBody,
  expectError,
  manualTransport,
  requestTo,
  responseOf,
  expectResponse,
  fakeTransport,
  send,
  readText,
  statusOrTag,
} from '../fake-transport.ts'
import { describe } from '../../support/describe.ts'
import { flushPromises } from '../fake-clock.ts'

describe('clientFilter', (test) => {
  test('inspects and changes the request, and inspects the response', async () => {
    const seen: unknown[] = []
    const filter = clientFilter(async (request, proceed) => {
      seen.push(request.operation.name)
      const result = await proceed({ ...request, headers: [...request.headers, 'X-A', 'b'] })()
      seen.push(statusOrTag(result))
      return result
    })
    const network = fakeTransport(() => responseOf(404))
    assert.is(statusOrTag(await send(filter, network)), 404)
    assert.equal(network.sent[0]?.headers, ['X-A', 'b'])
    assert.equal(seen, ['books.get', 404])
  })
  test('changes the response', async () => {
    const filter = clientFilter((request, proceed) =>
      pipe(
        proceed(request),
        TE.map((response) => ({ ...response, status: 299 })),
      ),
    )
    assert.is(
      statusOrTag(
        await send(
          filter,
          fakeTransport(() => responseOf(200)),
        ),
      ),
      299,
    )
  })
  test('returns a response or an error without sending the request', async () => {
    const network = fakeTransport(() => responseOf(200))
    const created = clientResponse(requestTo(), { status: 203, content: 'made' })
    assert.is(
      await readText(
        expectResponse(
          await send(
            clientFilter(() => created),
            network,
          ),
        ).body,
      ),
      'made',
    )
    const error = expectError(
      await send(
        clientFilter(() => Promise.reject(1)),
        network,
      ),
    )
    for (const [response, expected] of [
      [created, 203],
      [Promise.resolve(created), 203],
      [() => Promise.resolve(created), 203],
      [E.left(error), 'Defect'],
      [TE.left(error), 'Defect'],
    ] as const)
      assert.is(
        statusOrTag(
          await send(
            clientFilter(() => response),
            network,
          ),
        ),
        expected,
      )
    assert.is(network.sent.length, 0)
  })
  test('filters with lower priority values are outermost, those with equal values keep their order', async () => {
    const seen: string[] = []
    const named = (name: string, priority?: number) =>
      clientFilter(
        async (request, proceed) => {
          seen.push(`${name}>`)
          const result = await proceed(request)()
          seen.push(`<${name}`)
          return result
        },
        priority === undefined ? {} : { priority },
      )
    const policies = [named('c'), named('e', 9000), named('d'), named('a', 10), named('b', 4999)]
    const { passage } = fakeTransport(() => responseOf(200))
    await applyPolicies(policies, passage)(requestTo())()
    assert.is(seen.join(' '), 'a> b> c> d> e> <e <d <c <b <a')
    assert.throws(() => named('f', NaN), RangeError)
  })
  test('an exception becomes a Defect, and the response is discarded', async () => {
    const content = fakeBody('…')
    const oops = new Error('oops')
    const filter = clientFilter(async (request, proceed) => {
      await proceed(request)()
      throw oops
    })
    const failure = expectError(
      await send(
        filter,
        fakeTransport(() => responseOf(200, [], content.body)),
      ),
    )
    assert.equal(
      [failure._tag, failure.cause, failure.message],
      [
        'Defect',
        oops,
        'books.get: a policy or another function provided by the application failed: oops',
      ],
    )
    assert.ok(content.isCancelled())
  })
})

describe('clientFilter: unused responses', (test) => {
  test('an unused response is discarded; a response that is returned, read or copied is not', async () => {
    const contents = [
      fakeBody('first', '…'),
      fakeBody('second'),
      fakeBody('third'),
      fakeBody('fourth'),
    ]
    const network = fakeTransport((_, n) => responseOf(200, [], contents[n]?.body ?? null))
    const renewing = clientFilter(async (request, pass) => {
      await pass(request)()
      return pass(request)()
    })
    assert.is(await readText(expectResponse(await send(renewing, network)).body), 'second')
    const renaming = clientFilter(async (request, pass) => ({
      ...expectResponse(await pass(request)()),
      status: 203,
    }))
    const renamed = expectResponse(await send(renaming, network))
    assert.equal([renamed.status, await readText(renamed.body)], [203, 'third'])
    const reading = clientFilter(async (request, pass) => {
      const content = await readText(expectResponse(await pass(request)()).body)
      return clientResponse(request, { content: `${content}!` })
    })
    assert.is(await readText(expectResponse(await send(reading, network)).body), 'fourth!')
    assert.equal(
      contents.map((content) => content.isCancelled()),
      [true, false, false, false],
    )
  })
  test('an abort settles the call although the filter is pending', async () => {
    const caller = new AbortController()
    const content = fakeBody('…')
    const stuck = clientFilter(async (request, pass) => {
      await pass(request)()
      return new Promise(() => undefined)
    })
    const sent = send(
      stuck,
      fakeTransport(() => responseOf(200, [], content.body)),
      requestTo(undefined, { signal: caller.signal }),
    )
    await flushPromises()
    caller.abort()
    assert.is(statusOrTag(await sent), 'Aborted')
    assert.ok(content.isCancelled())
    assert.is(getEventListeners(caller.signal, 'abort').length, 0)
  })
  test('after an abort, responses are discarded when the filter completes', async () => {
    const wishes = ['given back', 'something else', 'an error']
    const contents = wishes.map((wish) => fakeBody(wish))
    for (const [at, content] of contents.entries()) {
      const caller = new AbortController()
      const { passage, respond } = manualTransport()
      const going = clientFilter(async (_, pass) => {
        // without the signal of the caller
        const result = await pass(requestTo())()
        if (at === 0) return result
        if (at === 1) return clientResponse(requestTo())
        throw new Error('oops')
      })
      const sent = going.around(passage)(requestTo(undefined, { signal: caller.signal }))()
      caller.abort()
      assert.is(statusOrTag(await sent), 'Aborted')
      respond(0, responseOf(200, [], content.body))
      await flushPromises()
      assert.ok(content.isCancelled(), wishes[at])
    }
  })
})
