/** Properties of responses: values and headers of successes and declared failures arrive unchanged. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { headerOf } from '../../src/client.ts'
import type { AnyAnswer } from '../../src/client.ts'
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
import { answered, ways } from '../support/client-ways.ts'
import { describe } from '../support/describe.ts'
import { cases, said } from '../support/json-cases.ts'

const replyOf = (result: E.Either<unknown, AnyAnswer>): AnyAnswer => {
  const one = E.isRight(result) ? result.right : result.left
  if (typeof one === 'object' && one !== null && 'status' in one && !('_tag' in one))
    return one as AnyAnswer
  throw new Error(JSON.stringify(one))
}

/** Statuses that have a content. */
const successes = fc.integer({ min: 200, max: 299 }).filter((one) => one !== 204 && one !== 205)
/** `fetch` keeps a 407 to itself (WHATWG Fetch, HTTP-network-or-cache fetch). */
const failures = fc.integer({ min: 400, max: 599 }).filter((one) => one !== 407)

describe('responses with arbitrary values', (test) => {
  for (const [name, way, runs] of ways) {
    test(`declared successes and failures, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(
          cases.filter(({ values }) => values.length > 0),
          successes,
          failures,
          async ({ codec, values }, good, bad) => {
            const [value] = values
            const api = routes({
              produced: pipe(
                path('/produced'),
                get(),
                status(good),
                produces(json(codec)),
                handle(() => reply(good, value) as never),
              ),
              failing: pipe(
                path('/failing'),
                get(),
                fails(bad, json(codec)),
                handle(() => reply(bad, value) as never),
              ),
              responding: pipe(
                path('/responding'),
                get(),
                responds(bad, json(codec)),
                handle(() => reply(bad, value) as never),
              ),
            })
            await way(api, async (call) => {
              const produced = await call('produced')()()
              assert.ok(E.isRight(produced), JSON.stringify(produced))
              assert.is(produced.right.status, good)
              assert.equal(said(produced.right.body), said(value))
              for (const operation of ['failing', 'responding']) {
                const result = await call(operation)()()
                assert.is(E.isRight(result), operation === 'responding')
                const { status: code, body } = replyOf(result)
                assert.is(code, bad)
                assert.equal(said(body), said(value))
              }
            })
          },
        ),
        { numRuns: runs },
      ))
    test(`headers, ${name}`, async () => {
      let given: ReadonlyArray<string> = []
      const api = routes({
        find: pipe(
          path('/'),
          get(),
          produces(text),
          fails(404, text),
          handle(() => given.reduce((one, value) => withHeader('X-It', value)(one), ok('there'))),
        ),
        ask: pipe(
          path('/head'),
          head(),
          produces(text),
          handle(() => given.reduce((one, value) => withHeader('X-It', value)(one), ok('there'))),
        ),
      })
      const values = fc.array(
        fc
          .string({ unit: fc.constantFrom('a', '"', ';', '=', '%', '\\', ' ', '~', '/', '\t') })
          .map((one) => `a${one}b`),
        { minLength: 1, maxLength: 3 },
      )
      await way(api, (call) =>
        fc.assert(
          fc.asyncProperty(values, async (all) => {
            given = all
            for (const operation of ['find', 'ask']) {
              const answer = replyOf(await call(operation)()())
              assert.is(headerOf('x-it')(answer), all.join(', '))
              assert.is(answer.body, operation === 'find' ? 'there' : undefined)
            }
          }),
          { numRuns: runs },
        ),
      )
    })
    test(`HAL of arbitrary entities, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(cases, async ({ codec: member, values: members }) => {
          const codec = t.type({ name: t.string, it: member })
          const values = members.map((it, index) => ({ name: `n${index}`, it }))
          let given = values[0]
          const api = routes({
            one: pipe(
              path('/one'),
              get(),
              produces(hal(codec)),
              handle(() => given ?? { name: '', it: members[0] }),
            ),
            all: pipe(
              path('/all'),
              get(),
              produces(hal(list(codec))),
              handle(() => halCollection(values, 'entities')),
            ),
          })
          await way(api, async (call) => {
            for (const value of values) {
              given = value
              assert.equal(said(await answered(call('one')())), said(value))
            }
            assert.equal(said(await answered(call('all')())), said(values))
          })
        }),
        { numRuns: runs },
      ))
  }
})
