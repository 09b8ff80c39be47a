import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { client, clientFilter, clientResponse } from '../../src/client.ts'
import type { Fetch } from '../../src/client.ts'
import { fails, get, json, path, produces, routes, text } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

const Busy = t.type({ until: t.string })
const api = routes({
  find: pipe(path('/books/{isbn}'), get(), produces(text), fails(503, json(Busy))),
})
const baseUrl = 'http://books.test'
const answering =
  (status: number, body: unknown): Fetch =>
  async () =>
    Response.json(body, { status })

/** A failure of the caller's own. */
class Unavailable extends Error {}

describe('a failure response', (test) => {
  test('is returned to the caller and not thrown', async () => {
    const library = client(api, { baseUrl, fetch: answering(418, 'a teapot') })
    const found = pipe(
      library.find({ path: { isbn: '1' } }),
      TE.mapLeft((failure) =>
        '_tag' in failure ? new Unavailable(`${failure.operation}: ${failure._tag}`) : failure,
      ),
    )
    const outcome = await found()
    assert.ok(E.isLeft(outcome) && outcome.left instanceof Unavailable)
    assert.is(outcome.left.message, 'find: UndeclaredStatus')
  })
  test('can be converted by a client filter for all operations', async () => {
    const translated = clientFilter((request, next) =>
      pipe(
        next(request),
        TE.map((response) =>
          response.status === 429
            ? clientResponse(request, {
                status: 503,
                headers: { 'Content-Type': 'application/json' },
                content: JSON.stringify({ until: 'noon' }),
              })
            : response,
        ),
      ),
    )
    const library = client(api, {
      baseUrl,
      fetch: answering(429, 'slower'),
      policies: [translated],
    })
    const outcome = await library.find({ path: { isbn: '1' } })()
    assert.ok(E.isLeft(outcome) && 'status' in outcome.left && outcome.left.status === 503)
    assert.equal('body' in outcome.left && outcome.left.body, { until: 'noon' })
  })
})
