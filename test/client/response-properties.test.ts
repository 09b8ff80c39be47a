/** Properties of responses: values and headers of successes and declared failures arrive unchanged. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { headerOf } from '../../src/client.ts'
import type { AnyDecodedResponse } from '../../src/client.ts'
import {
  fails,
  get,
  handle,
  head,
  json,
  list,
  ok,
  path,
  produces,
  reply,
  responds,
  routes,
  status,
  text,
  withHeader,
} from '../../src/index.ts'
import { hal, halCollection } from '../../src/hal.ts'
import { successBody, environments } from './environments.ts'
import { describe } from '../support/describe.ts'
import { cases, withoutUndefined } from './json-cases.ts'

const responseOf = (result: E.Either<unknown, AnyDecodedResponse>): AnyDecodedResponse => {
  const response = E.isRight(result) ? result.right : result.left
  if (
    typeof response === 'object' &&
    response !== null &&
    'status' in response &&
    !('_tag' in response)
  )
    return response as AnyDecodedResponse
  throw new Error(JSON.stringify(response))
}

/** Successful statuses with a body. */
const successes = fc.integer({ min: 200, max: 299 }).filter((code) => code !== 204 && code !== 205)
/** Failure statuses without 407, which `fetch` reports as a network error (WHATWG Fetch, HTTP-network-or-cache fetch). */
const failures = fc.integer({ min: 400, max: 599 }).filter((code) => code !== 407)

describe('responses are decoded to the same values', (test) => {
  for (const [name, run, runs] of environments) {
    test(`declared successes and failures, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(
          cases.filter(({ values }) => values.length > 0),
          successes,
          failures,
          async ({ codec, values }, success, failure) => {
            const [value] = values
            const api = routes({
              produced: pipe(
                path('/produced'),
                get(),
                status(success),
                produces(json(codec)),
                handle(() => reply(success, value) as never),
              ),
              failing: pipe(
                path('/failing'),
                get(),
                fails(failure, json(codec)),
                handle(() => reply(failure, value) as never),
              ),
              responding: pipe(
                path('/responding'),
                get(),
                responds(failure, json(codec)),
                handle(() => reply(failure, value) as never),
              ),
            })
            await run(api, async (call) => {
              const produced = await call('produced')()()
              assert.ok(E.isRight(produced), JSON.stringify(produced))
              assert.is(produced.right.status, success)
              assert.equal(withoutUndefined(produced.right.body), withoutUndefined(value))
              for (const operation of ['failing', 'responding']) {
                const result = await call(operation)()()
                assert.is(E.isRight(result), operation === 'responding')
                const { status: code, body } = responseOf(result)
                assert.is(code, failure)
                assert.equal(withoutUndefined(body), withoutUndefined(value))
              }
            })
          },
        ),
        { numRuns: runs },
      ))
    test(`headers, ${name}`, async () => {
      let headerValues: ReadonlyArray<string> = []
      const api = routes({
        find: pipe(
          path('/'),
          get(),
          produces(text),
          fails(404, text),
          handle(() =>
            headerValues.reduce(
              (response, value) => withHeader('X-It', value)(response),
              ok('found'),
            ),
          ),
        ),
        probe: pipe(
          path('/probe'),
          head(),
          produces(text),
          handle(() =>
            headerValues.reduce(
              (response, value) => withHeader('X-It', value)(response),
              ok('found'),
            ),
          ),
        ),
      })
      const values = fc.array(
        fc
          .string({ unit: fc.constantFrom('a', '"', ';', '=', '%', '\\', ' ', '~', '/', '\t') })
          .map((middle) => `a${middle}b`),
        { minLength: 1, maxLength: 3 },
      )
      await run(api, (call) =>
        fc.assert(
          fc.asyncProperty(values, async (texts) => {
            headerValues = texts
            for (const operation of ['find', 'probe']) {
              const response = responseOf(await call(operation)()())
              assert.is(headerOf('x-it')(response), texts.join(', '))
              assert.is(response.body, operation === 'find' ? 'found' : undefined)
            }
          }),
          { numRuns: runs },
        ),
      )
    })
    test(`HAL resources of arbitrary codecs, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(cases, async ({ codec: member, values: members }) => {
          const codec = t.type({ name: t.string, it: member })
          const values = members.map((it, index) => ({ name: `n${index}`, it }))
          let current = values[0]
          const api = routes({
            one: pipe(
              path('/one'),
              get(),
              produces(hal(codec)),
              handle(() => current ?? { name: '', it: members[0] }),
            ),
            all: pipe(
              path('/all'),
              get(),
              produces(hal(list(codec))),
              handle(() => halCollection(values, 'entities')),
            ),
          })
          await run(api, async (call) => {
            for (const value of values) {
              current = value
              assert.equal(
                withoutUndefined(await successBody(call('one')())),
                withoutUndefined(value),
              )
            }
            assert.equal(
              withoutUndefined(await successBody(call('all')())),
              withoutUndefined(values),
            )
          })
        }),
        { numRuns: runs },
      ))
  }
})
