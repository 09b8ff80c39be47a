/** Property tests: streams of arbitrary values and codecs arrive unchanged, in both directions. */
import * as fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ReceivedEvent } from '../../../src/index.ts'
import {
  body,
  byteStream,
  event,
  get,
  handle,
  header,
  json,
  jsonStream,
  lastEventId,
  ndjson,
  noContent,
  ok,
  path,
  post,
  produces,
  responds,
  routes,
  sse,
  string,
  textStream,
} from '../../../src/index.ts'
import { successBody, environments } from '../environments.ts'
import { describe } from '../../support/describe.ts'
import { cases, withoutUndefined } from '../json-cases.ts'

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
const bytes = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 })

const idOf = (at: number): string => `é ${at}`

const bytesOf = (chunks: ReadonlyArray<Uint8Array>): ReadonlyArray<number> =>
  chunks.flatMap((chunk) => [...chunk])

describe('streams of arbitrary values', (test) => {
  for (const [name, use, runs] of environments) {
    test(`JSON arrays and lines, ${name}`, () =>
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
          await use(api, async (call) => {
            assert.equal(
              withoutUndefined(await all(await successBody(call('array')()))),
              withoutUndefined(values),
            )
            assert.equal(
              withoutUndefined(await all(await successBody(call('lines')()))),
              withoutUndefined(values),
            )
          })
        }),
        { numRuns: runs },
      ))
    test(`event data, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(cases, async ({ codec, values }) => {
          const events = values.map((value, index) =>
            index % 2 === 0 ? value : event('named', value, { id: String(index) }),
          )
          const api = routes({
            feed: pipe(
              path('/feed'),
              get(),
              produces(sse(json(codec))),
              handle(() => events),
            ),
          })
          await use(api, async (call) => {
            const read = await all<ReceivedEvent<unknown>>(await successBody(call('feed')()))
            assert.equal(
              withoutUndefined(read.map((received) => received.data)),
              withoutUndefined(values),
            )
            assert.equal(
              read.map((received) => received.name),
              values.map((_, index) => (index % 2 === 0 ? 'message' : 'named')),
            )
          })
        }),
        { numRuns: runs },
      ))
    test(`event names, ids and comments, ${name}`, async () => {
      type EventFields = { readonly name: string; readonly id: string; readonly comment: string }
      let sentValues: ReadonlyArray<EventFields> = []
      const api = routes({
        feed: pipe(
          path('/feed'),
          get(),
          produces(sse(json(t.number))),
          handle(() =>
            sentValues.map(({ name: eventName, id, comment }, at) =>
              event(eventName, at, { id, comment }),
            ),
          ),
        ),
      })
      const line = fc.string({ unit: fc.constantFrom('a', ':', ' ', '"', 'é', '😀', '\ufeff') })
      const events = fc.array(
        fc.record({
          name: line.map((text) => `${text}a`),
          id: line.map((text) => `${text}1`),
          comment: fc
            .array(line, { minLength: 1, maxLength: 3 })
            .map((several) => several.join('\n')),
        }),
        { maxLength: 5 },
      )
      await use(api, (call) =>
        fc.assert(
          fc.asyncProperty(events, async (sent) => {
            sentValues = sent
            const read = await all<ReceivedEvent<number>>(await successBody(call('feed')()))
            assert.equal(
              read,
              sent.map(({ name: eventName, id, comment }, data) => ({
                data,
                name: eventName,
                id,
                comment,
              })),
            )
          }),
          { numRuns: runs },
        ),
      )
    })
    test(`reconnecting continues after the last event, ${name}`, async () => {
      let sentValues: ReadonlyArray<string> = []
      let batchSize = 1
      let opened = 0
      const positionOf = (last: string | undefined): number =>
        last === undefined ? 0 : sentValues.findIndex((_, at) => idOf(at) === last) + 1
      const api = routes({
        feed: pipe(
          path('/feed'),
          get(),
          header({ lastEventId }),
          produces(sse(json(string))),
          responds(204),
          handle((input) => {
            opened++
            const from = positionOf(input.header.lastEventId)
            return from === sentValues.length
              ? noContent
              : ok(
                  sentValues
                    .slice(from, from + batchSize)
                    .map((value, at) => event(undefined, value, { id: idOf(from + at) })),
                )
          }),
        ),
      })
      await use(api, (call) =>
        fc.assert(
          fc.asyncProperty(
            fc.array(fc.string(), { minLength: 1, maxLength: 6 }),
            fc.integer({ min: 1, max: 6 }),
            async (values, chunks) => {
              sentValues = values
              batchSize = chunks
              opened = 0
              const feed = await successBody(call('feed')({}, { reconnect: { delay: '1ms' } }))
              const read = await all<ReceivedEvent<string>>(feed)
              assert.equal(
                read.map(({ data, id }) => [data, id]),
                values.map((value, at) => [value, idOf(at)]),
              )
              assert.is(opened, Math.ceil(values.length / chunks) + 1)
            },
          ),
          { numRuns: runs },
        ),
      )
    })
    test(`bytes and text in both directions, ${name}`, async () => {
      const api = routes({
        bytes: pipe(
          path('/bytes'),
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
      await use(api, (call) =>
        fc.assert(
          fc.asyncProperty(bytes, texts, async (chunks, chunksOfText) => {
            const read = await all<Uint8Array>(await successBody(call('bytes')({ body: chunks })))
            assert.equal(bytesOf(read), bytesOf(chunks))
            const back = await all<string>(await successBody(call('texts')({ body: chunksOfText })))
            // a leading byte order mark is removed
            assert.is(
              back.join(''),
              chunksOfText
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
