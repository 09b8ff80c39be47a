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
import { single } from './parameter-sample.ts'
import { withHttpServer } from '../support/while-listening.ts'

/** Functions that return the values of the parameter `it` from a query, by list format. */
const parsers: Readonly<Record<Lists, (search: string) => ReadonlyArray<string>>> = {
  repeat: (search) => new URLSearchParams(search).getAll('it'),
  comma: (search) =>
    search === ''
      ? []
      : search
          .replace('?it=', '')
          .split(',')
          .map((part) => decodeURIComponent(part.replaceAll('+', ' '))),
  brackets: (search) => {
    const pairs = new URLSearchParams(search)
    const [plain, bracketed] = [pairs.getAll('it'), pairs.getAll('it[]')]
    assert.ok(plain.length === 0 || (plain.length === 1 && bracketed.length === 0), search)
    return [...plain, ...bracketed]
  },
}

/** Runs a plain service that records the queries of its requests. */
type Service = (
  use: (
    queries: string[],
    options: { readonly baseUrl: string; readonly fetch?: Fetch },
  ) => Promise<void>,
) => Promise<void>

const inMemoryService: Service = (use) => {
  const queries: string[] = []
  const fetch: Fetch = async (url) => {
    queries.push(new URL(url).search)
    return new Response('')
  }
  return use(queries, { baseUrl: 'http://service.test', fetch })
}

const socketService: Service = async (use) => {
  const queries: string[] = []
  const listener: RequestListener = (request, response) => {
    queries.push((request.url ?? '').slice(1))
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end()
  }
  await withHttpServer(listener, ({ url }) => use(queries, { baseUrl: url }))
}

/** Codecs of lists and sets, each with values. */
const lists = single.chain(({ codec, value }) =>
  fc
    .tuple(
      fc.boolean(),
      fc.array(fc.array(value, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
    )
    .map(([isSet, arrays]) => ({
      codec: (isSet ? set(codec) : list(codec)) as t.Type<unknown, ReadonlyArray<string>>,
      values: arrays.map((array) => (isSet ? new Set(array) : array)),
      [fc.toStringMethod]: () =>
        `${isSet ? 'set' : 'list'} of ${codec.name}: ${fc.stringify(arrays)}`,
    })),
)

describe('query lists of arbitrary codecs have the same values in each format', (test) => {
  for (const style of ['comma', 'brackets'] as const)
    for (const [name, runService, runs] of [
      ['in process', inMemoryService, 100],
      ['through a socket', socketService, 40],
    ] as const)
      test(`${style}, ${name}`, () =>
        runService(async (queries, options) => {
          const count = { sent: 0, all: 0 }
          await fc.assert(
            fc.asyncProperty(lists, async ({ codec, values }) => {
              const api = routes({
                find: pipe(path('/'), get(), query({ it: codec }), produces(text)),
              })
              const sentValues = async (
                listFormat: Lists,
                value: unknown,
              ): Promise<ReadonlyArray<string> | undefined> => {
                queries.length = 0
                const { find } = client(api, { ...options, lists: listFormat })
                const result = await find({ query: { it: value } })()
                if (E.isRight(result)) return queries.flatMap(parsers[listFormat])
                assert.is('_tag' in result.left && result.left._tag, 'EncodeError')
                assert.equal(queries, [])
                return undefined
              }
              for (const value of values) {
                const sent = await sentValues(style, value)
                // the properties of parameters hold for this format
                const repeated = await sentValues('repeat', value)
                count.all++
                if (sent === undefined) {
                  // an unencoded comma would split a value
                  const isEncodable =
                    repeated?.some((encodedText) => encodedText.includes(',')) !== true
                  assert.ok(repeated === undefined || (style === 'comma' && !isEncodable))
                } else {
                  count.sent++
                  assert.equal(sent, repeated)
                }
              }
            }),
            { numRuns: runs },
          )
          assert.ok(
            count.sent * 2 > count.all || count.all < 100,
            `${count.sent} of ${count.all} were sent`,
          )
        }))
  test('an encoded text with a comma is rejected in a comma-separated list', () =>
    inMemoryService(async (queries, options) => {
      const api = routes({
        find: pipe(path('/'), get(), query({ it: list(encoded(string)) }), produces(text)),
      })
      const send = (style: Lists, ...it: ReadonlyArray<string>) =>
        client(api, { ...options, lists: style }).find({ query: { it } })()
      assert.ok(E.isRight(await send('comma', 'a%2Cb', 'c')))
      assert.ok(E.isRight(await send('repeat', 'a,b')))
      assert.equal(queries, ['?it=a%2Cb,c', '?it=a,b'])
      const result = await send('comma', 'a,b')
      assert.ok(E.isLeft(result) && '_tag' in result.left && result.left._tag === 'EncodeError')
      assert.is(queries.length, 2)
    }))
})
