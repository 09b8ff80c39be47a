/** What a server sends in streams the client reads, for arbitrary values of arbitrary codecs, and texts and octets the other way. */
import * as fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ReceivedEvent } from '../../src/index.ts'
import {
  body,
  byteStream,
  event,
  get,
  handle,
  json,
  jsonStream,
  ndjson,
  path,
  post,
  produces,
  routes,
  sse,
  textStream,
} from '../../src/index.ts'
import { answered, ways } from '../support/client-ways.ts'
import { describe } from '../support/describe.ts'
import { cases, said } from '../support/json-cases.ts'

const all = async <A>(values: unknown): Promise<A[]> => {
  const read: A[] = []
  for await (const value of values as AsyncIterable<A>) read.push(value)
  return read
}

const texts = fc.array(
  fc.string({
    unit: fc.oneof(
      fc.constantFrom('\n', '\r', '-', '"', '\ufeff'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  }),
  { maxLength: 6 },
)
const octets = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 })

const bytesOf = (pieces: ReadonlyArray<Uint8Array>): ReadonlyArray<number> =>
  pieces.flatMap((piece) => [...piece])

describe('R-456: what a server streams the client reads', (test) => {
  for (const [name, way, runs] of ways) {
    test(`elements of arrays and lines, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(cases, async ({ codec, values }) => {
          const api = routes({
            array: pipe(
              path('/array'),
              get(),
              produces(jsonStream(codec)),
              handle(() => [...values]),
            ),
            lines: pipe(
              path('/lines'),
              get(),
              produces(ndjson(codec)),
              handle(() => [...values]),
            ),
          })
          await way(api, async (call) => {
            assert.equal(said(await all(await answered(call('array')()))), said(values))
            assert.equal(said(await all(await answered(call('lines')()))), said(values))
          })
        }),
        { numRuns: runs },
      ))
    test(`R-455: data of events, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(cases, async ({ codec, values }) => {
          const events = values.map((one, index) =>
            index % 2 === 0 ? one : event('odd', one, { id: String(index) }),
          )
          const api = routes({
            feed: pipe(
              path('/feed'),
              get(),
              produces(sse(json(codec))),
              handle(() => events),
            ),
          })
          await way(api, async (call) => {
            const read = await all<ReceivedEvent<unknown>>(await answered(call('feed')()))
            assert.equal(said(read.map((one) => one.data)), said(values))
            assert.equal(
              read.map((one) => one.name),
              values.map((_, index) => (index % 2 === 0 ? 'message' : 'odd')),
            )
          })
        }),
        { numRuns: runs },
      ))
    test(`R-455: names, ids and comments of events, ${name}`, async () => {
      type One = { readonly name: string; readonly id: string; readonly comment: string }
      let given: ReadonlyArray<One> = []
      const api = routes({
        feed: pipe(
          path('/feed'),
          get(),
          produces(sse(json(t.number))),
          handle(() =>
            given.map(({ name: one, id, comment }, at) => event(one, at, { id, comment })),
          ),
        ),
      })
      const line = fc.string({ unit: fc.constantFrom('a', ':', ' ', '"', 'é', '😀', '\ufeff') })
      const events = fc.array(
        fc.record({
          name: line.map((one) => `${one}a`),
          id: line.map((one) => `${one}1`),
          comment: fc.array(line, { minLength: 1, maxLength: 3 }).map((all) => all.join('\n')),
        }),
        { maxLength: 5 },
      )
      await way(api, (call) =>
        fc.assert(
          fc.asyncProperty(events, async (sent) => {
            given = sent
            const read = await all<ReceivedEvent<number>>(await answered(call('feed')()))
            assert.equal(
              read,
              sent.map(({ name: one, id, comment }, data) => ({ data, name: one, id, comment })),
            )
          }),
          { numRuns: runs },
        ),
      )
    })
    test(`R-434, R-454: octets and texts, both ways, ${name}`, async () => {
      const api = routes({
        octets: pipe(
          path('/octets'),
          post(),
          body(byteStream),
          produces(byteStream),
          handle((input) => input.body),
        ),
        texts: pipe(
          path('/texts'),
          post(),
          body(textStream),
          produces(textStream),
          handle((input) => input.body),
        ),
      })
      await way(api, (call) =>
        fc.assert(
          fc.asyncProperty(octets, texts, async (pieces, words) => {
            const read = await all<Uint8Array>(await answered(call('octets')({ body: pieces })))
            assert.equal(bytesOf(read), bytesOf(pieces))
            const back = await all<string>(await answered(call('texts')({ body: words })))
            // a mark in front of all is none of the text
            assert.is(
              back.join(''),
              words
                .join('')
                .replace(/^\ufeff/, '')
                .replace(/^\ufeff/, ''),
            )
          }),
          { numRuns: runs },
        ),
      )
    })
  }
})
