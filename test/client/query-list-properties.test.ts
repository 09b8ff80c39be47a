/** Properties of query lists: a plain service reads the same values in each list format. */
import type { RequestListener } from 'node:http'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Fetch, Lists } from '../../src/client.ts'
import { client } from '../../src/client.ts'
import {
  encoded,
  get,
  list,
  path,
  produces,
  query,
  routes,
  set,
  string,
  text,
} from '../../src/index.ts'
import { describe } from '../support/describe.ts'
import { single } from '../support/parameter-sample.ts'
import { whileAnswering } from '../support/while-listening.ts'

/** What a service reads of a query: the texts of `it`, however they travel. */
const readings: Readonly<Record<Lists, (search: string) => ReadonlyArray<string>>> = {
  repeat: (search) => new URLSearchParams(search).getAll('it'),
  comma: (search) =>
    search === '' ? [] : search.replace('?it=', '').split(',').map(decodeURIComponent),
  brackets: (search) => {
    const pairs = new URLSearchParams(search)
    const [alone, all] = [pairs.getAll('it'), pairs.getAll('it[]')]
    assert.ok(alone.length === 0 || (alone.length === 1 && all.length === 0), search)
    return [...alone, ...all]
  },
}

/** Uses a service that remembers what it was asked for. */
type Asking = (
  use: (
    asked: string[],
    reached: { readonly baseUrl: string; readonly fetch?: Fetch },
  ) => Promise<void>,
) => Promise<void>

const inProcess: Asking = (use) => {
  const asked: string[] = []
  const fetch: Fetch = async (url) => {
    asked.push(new URL(url).search)
    return new Response('')
  }
  return use(asked, { baseUrl: 'http://service.test', fetch })
}

const throughSocket: Asking = async (use) => {
  const asked: string[] = []
  const listener: RequestListener = (request, response) => {
    asked.push((request.url ?? '').slice(1))
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end()
  }
  await whileAnswering(listener, ({ url }) => use(asked, { baseUrl: url }))
}

/** A codec of several, and values of it. */
const lists = single.chain(({ codec, value }) =>
  fc
    .tuple(
      fc.boolean(),
      fc.array(fc.array(value, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
    )
    .map(([isSet, all]) => ({
      codec: (isSet ? set(codec) : list(codec)) as t.Type<unknown, ReadonlyArray<string>>,
      values: all.map((one) => (isSet ? new Set(one) : one)),
      [fc.toStringMethod]: () => `${isSet ? 'set' : 'list'} of ${codec.name}: ${fc.stringify(all)}`,
    })),
)

describe('query lists of arbitrary codecs, read by a plain service', (test) => {
  for (const style of ['comma', 'brackets'] as const)
    for (const [name, asking, runs] of [
      ['in process', inProcess, 100],
      ['through a socket', throughSocket, 40],
    ] as const)
      test(`${style}, ${name}`, () =>
        asking(async (asked, reached) => {
          const count = { sent: 0, all: 0 }
          await fc.assert(
            fc.asyncProperty(lists, async ({ codec, values }) => {
              const api = routes({
                find: pipe(path('/'), get(), query({ it: codec }), produces(text)),
              })
              const textsOf = async (
                how: Lists,
                value: unknown,
              ): Promise<ReadonlyArray<string> | undefined> => {
                asked.length = 0
                const { find } = client(api, { ...reached, lists: how })
                const result = await find({ query: { it: value } })()
                if (E.isRight(result)) return asked.flatMap(readings[how])
                assert.is('_tag' in result.left && result.left._tag, 'EncodeError')
                assert.equal(asked, [])
                return undefined
              }
              for (const value of values) {
                const texts = await textsOf(style, value)
                // which a service of espalier reads back, by another law
                const repeated = await textsOf('repeat', value)
                count.all++
                if (texts === undefined) {
                  // a comma that has to stand as it is parts a list
                  const isSayable = repeated?.some((one) => one.includes(',')) !== true
                  assert.ok(repeated === undefined || (style === 'comma' && !isSayable))
                } else {
                  count.sent++
                  assert.equal(texts, repeated)
                }
              }
            }),
            { numRuns: runs },
          )
          assert.ok(count.sent * 2 > count.all, `${count.sent} of ${count.all} were sent`)
        }))
  test('an encoded text with a comma is rejected in a comma-separated list', () =>
    inProcess(async (asked, reached) => {
      const api = routes({
        find: pipe(path('/'), get(), query({ it: list(encoded(string)) }), produces(text)),
      })
      const of = (style: Lists, ...it: ReadonlyArray<string>) =>
        client(api, { ...reached, lists: style }).find({ query: { it } })()
      assert.ok(E.isRight(await of('comma', 'a%2Cb', 'c')))
      assert.ok(E.isRight(await of('repeat', 'a,b')))
      assert.equal(asked, ['?it=a%2Cb,c', '?it=a,b'])
      const result = await of('comma', 'a,b')
      assert.ok(E.isLeft(result) && '_tag' in result.left && result.left._tag === 'EncodeError')
      assert.is(asked.length, 2)
    }))
})
