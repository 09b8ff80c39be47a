import { getEventListeners } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import { clientFilter } from '../../../src/client/policy/client-filter.ts'
import { clientResponse } from '../../../src/client/policy/client-filter.ts'
import { applyPolicies, createPolicy } from '../../../src/client/policy/policy.ts'
import {
  contentOf,
  failureOf,
  held,
  requestTo,
  responded,
  responseOf,
  scripted,
  send,
  textOf,
  word,
} from '../../support/client-passage.ts'
import { describe } from '../../support/describe.ts'
import { settled } from '../../support/stepped-clock.ts'

describe('clientFilter', (test) => {
  test('R-458: sees and changes the request, and sees the response', async () => {
    const seen: unknown[] = []
    const filter = clientFilter(async (request, proceed) => {
      seen.push(request.operation.name)
      const outcome = await proceed({ ...request, headers: [...request.headers, 'X-A', 'b'] })()
      seen.push(word(outcome))
      return outcome
    })
    const network = scripted(() => responded(404))
    assert.is(word(await send(filter, network)), 404)
    assert.equal(network.sent[0]?.headers, ['X-A', 'b'])
    assert.equal(seen, ['books.get', 404])
  })
  test('R-458: changes the response', async () => {
    const filter = clientFilter((request, proceed) =>
      pipe(
        proceed(request),
        TE.map((response) => ({ ...response, status: 299 })),
      ),
    )
    assert.is(
      word(
        await send(
          filter,
          scripted(() => responded(200)),
        ),
      ),
      299,
    )
  })
  test('R-458: answers without sending: now, later, and with an error', async () => {
    const network = scripted(() => responded(200))
    const made = clientResponse(requestTo(), { status: 203, content: 'made' })
    assert.is(
      await textOf(
        responseOf(
          await send(
            clientFilter(() => made),
            network,
          ),
        ).body,
      ),
      'made',
    )
    const error = failureOf(
      await send(
        clientFilter(() => Promise.reject(1)),
        network,
      ),
    )
    for (const [answer, expected] of [
      [made, 203],
      [Promise.resolve(made), 203],
      [() => Promise.resolve(made), 203],
      [E.left(error), 'Defect'],
      [TE.left(error), 'Defect'],
    ] as const)
      assert.is(
        word(
          await send(
            clientFilter(() => answer),
            network,
          ),
        ),
        expected,
      )
    assert.is(network.sent.length, 0)
  })
  test('R-458: smaller numbers see the request earlier and the response later, equal ones in their order', async () => {
    const seen: string[] = []
    const named = (name: string, priority?: number) =>
      clientFilter(
        async (request, proceed) => {
          seen.push(`${name}>`)
          const outcome = await proceed(request)()
          seen.push(`<${name}`)
          return outcome
        },
        priority === undefined ? {} : { priority },
      )
    const policies = [named('c'), named('e', 9000), named('d'), named('a', 10), named('b', 4999)]
    const { passage } = scripted(() => responded(200))
    await applyPolicies(policies, passage)(requestTo())()
    assert.is(seen.join(' '), 'a> b> c> d> e> <e <d <c <b <a')
    assert.throws(() => named('f', NaN), RangeError)
  })
  test('what it throws is a Defect, and what it was given is let go', async () => {
    const content = contentOf('…')
    const oops = new Error('oops')
    const filter = clientFilter(async (request, proceed) => {
      await proceed(request)()
      throw oops
    })
    const failure = failureOf(
      await send(
        filter,
        scripted(() => responded(200, [], content.body)),
      ),
    )
    assert.equal(
      [failure._tag, failure.cause, failure.message],
      ['Defect', oops, 'books.get: a policy, or another function of the program, failed: oops'],
    )
    assert.ok(content.isCancelled())
  })
})

describe('clientFilter: what it does not give back', (test) => {
  test('R-458: is let go; what it gives back, reads or gives on in another response is not', async () => {
    const contents = [
      contentOf('first', '…'),
      contentOf('second'),
      contentOf('third'),
      contentOf('fourth'),
    ]
    const network = scripted((_, n) => responded(200, [], contents[n]?.body ?? null))
    const renewing = clientFilter(async (request, pass) => {
      await pass(request)()
      return pass(request)()
    })
    assert.is(await textOf(responseOf(await send(renewing, network)).body), 'second')
    const renaming = clientFilter(async (request, pass) => ({
      ...responseOf(await pass(request)()),
      status: 203,
    }))
    const renamed = responseOf(await send(renaming, network))
    assert.equal([renamed.status, await textOf(renamed.body)], [203, 'third'])
    const reading = clientFilter(async (request, pass) => {
      const content = await textOf(responseOf(await pass(request)()).body)
      return clientResponse(request, { content: `${content}!` })
    })
    assert.is(await textOf(responseOf(await send(reading, network)).body), 'fourth!')
    assert.equal(
      contents.map((one) => one.isCancelled()),
      [true, false, false, false],
    )
  })
  test('R-457: a caller who goes does not wait for it', async () => {
    const caller = new AbortController()
    const content = contentOf('…')
    const stuck = clientFilter(async (request, pass) => {
      await pass(request)()
      return new Promise(() => undefined)
    })
    const sent = send(
      stuck,
      scripted(() => responded(200, [], content.body)),
      requestTo(undefined, { signal: caller.signal }),
    )
    await settled()
    caller.abort()
    assert.is(word(await sent), 'Aborted')
    assert.ok(content.isCancelled())
    assert.is(getEventListeners(caller.signal, 'abort').length, 0)
  })
  test('R-457: what comes to it when its caller is gone is let go when it is done with it', async () => {
    const wishes = ['given back', 'something else', 'an error']
    const contents = wishes.map((wish) => contentOf(wish))
    for (const [at, content] of contents.entries()) {
      const caller = new AbortController()
      const { passage, answer } = held()
      const going = clientFilter(async (_, pass) => {
        // under no signal that the network could hear
        const outcome = await pass(requestTo())()
        if (at === 0) return outcome
        if (at === 1) return clientResponse(requestTo())
        throw new Error('oops')
      })
      const sent = going.around(passage)(requestTo(undefined, { signal: caller.signal }))()
      caller.abort()
      assert.is(word(await sent), 'Aborted')
      answer(0, responded(200, [], content.body))
      await settled()
      assert.ok(content.isCancelled(), wishes[at])
    }
  })
})

describe('policy', (test) => {
  test('none breaks the promise of a passage', async () => {
    const network = scripted(() => responded(200))
    const throwing = createPolicy(() => () => {
      throw new Error('oops')
    })
    const rejecting = createPolicy(() => () => () => Promise.reject(new Error('oops')))
    for (const one of [throwing, rejecting]) assert.is(word(await send(one, network)), 'Defect')
  })
  test('is called once for each client', () => {
    let count = 0
    const counted = createPolicy((next) => {
      count++
      return next
    })
    const passage = applyPolicies([counted], scripted(() => responded(200)).passage)
    passage(requestTo())
    passage(requestTo())
    assert.is(count, 1)
  })
})
