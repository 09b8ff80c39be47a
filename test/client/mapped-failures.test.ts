/** Failures of calls that the caller or a client filter converts. */
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
const respondWith =
  (status: number, body: unknown): Fetch =>
  async () =>
    Response.json(body, { status })

/** An error of the application. */
class Unavailable extends Error {}

describe('a failure of a call', (test) => {
  test('can be converted by the caller to an error of the application', async () => {
    const library = client(api, { baseUrl, fetch: respondWith(418, 'a teapot') })
    const find = pipe(
      library.find({ path: { isbn: '1' } }),
      TE.mapLeft((failure) =>
        '_tag' in failure ? new Unavailable(`${failure.operation}: ${failure._tag}`) : failure,
      ),
    )
    const result = await find()
    assert.ok(E.isLeft(result) && result.left instanceof Unavailable)
    assert.is(result.left.message, 'find: UndeclaredStatus')
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
      fetch: respondWith(429, 'slower'),
      policies: [translated],
    })
    const result = await library.find({ path: { isbn: '1' } })()
    assert.ok(E.isLeft(result) && 'status' in result.left && result.left.status === 503)
    assert.equal('body' in result.left && result.left.body, { until: 'noon' })
  })
})
