/** What a server sends in streams the client reads, for arbitrary values of arbitrary codecs, and texts and octets the other way. */
import { readFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ReceivedEvent } from '../../src/index.ts'
import {
  body,
  byteStream,
  bytes,
  event,
  fileBody,
  form,
  formDataPart,
  get,
  handle,
  json,
  jsonStream,
  list,
  multipartOutput,
  multipartStream,
  ndjson,
  part,
  path,
  post,
  produces,
  query,
  routes,
  sse,
  string,
  text,
  textStream,
  upload,
  uploads,
} from '../../src/index.ts'
import { answered, ways } from '../support/client-ways.ts'
import { describe } from '../support/describe.ts'
import { sample } from '../support/sample.ts'

const all = async <A>(values: unknown): Promise<A[]> => {
  const read: A[] = []
  for await (const value of values as AsyncIterable<A>) read.push(value)
  return read
}

/** A value without members that are `undefined`, which JSON leaves out. */
const said = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(said)
  if (value instanceof Set) return [...value].map(said)
  if (!t.UnknownRecord.is(value)) return Object.is(value, -0) ? 0 : value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, said(one)]])),
  )
}

interface Case {
  readonly codec: t.Type<unknown>
  readonly values: ReadonlyArray<unknown>
}

/** A value as text, in which an element that is `undefined` shows. */
const shown = (value: unknown): string =>
  JSON.stringify(said(value), (_, one: unknown) => (one === undefined ? 'undefined' : one))

/** Whether JSON can say a value as one that is there: not `undefined`, nor one with an element that is. */
const isJson = (codec: t.Mixed, value: unknown): boolean => {
  const written = JSON.stringify(codec.encode(value)) as string | undefined
  if (written === undefined) return false
  const read = codec.decode(JSON.parse(written))
  return E.isRight(read) && shown(read.right) === shown(value)
}

const cases: fc.Arbitrary<Case> = sample.chain(({ codec, value }) =>
  fc
    .array(
      value.filter((one) => isJson(codec, one)),
      { maxLength: 8 },
    )
    .map((values) => ({
      codec: codec as t.Type<unknown>,
      values,
      [fc.toStringMethod]: () => `${codec.name}: ${fc.stringify(values)}`,
    })),
)

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

/** A name as it arrives: browsers write every line break in one way. */
const asRead = (one: string): string => one.replaceAll(/\r\n|\r|\n/g, '\r\n')

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
    test(`R-452, R-453: parts, both ways, ${name}`, async () => {
      const seen: Array<readonly [string, ReadonlyArray<number>]> = []
      const names = fc.string({
        unit: fc.constantFrom('a', 'é', ' ', '"', ';', '=', '\\', '\r', '\n'),
        minLength: 1,
      })
      const parts = fc.array(fc.tuple(names, fc.uint8Array({ maxLength: 100 })), { maxLength: 5 })
      const api = routes({
        receive: pipe(
          path('/receive'),
          post(),
          body(multipartStream),
          produces(text),
          handle(async ({ body: sent }) => {
            for await (const { name: one, content } of sent) {
              const pieces: Uint8Array[] = []
              for await (const piece of content) pieces.push(piece.slice())
              seen.push([one, bytesOf(pieces)])
            }
            return ''
          }),
        ),
        send: pipe(
          path('/send'),
          post(),
          body(bytes),
          query({ cut: string }),
          produces(multipartOutput),
          handle((input) => [
            formDataPart(input.query.cut, input.body, bytes),
            formDataPart('stream', [input.body, input.body], byteStream),
          ]),
        ),
      })
      await way(api, (call) =>
        fc.assert(
          fc.asyncProperty(parts, async (given) => {
            seen.length = 0
            const written = given.map(([one, octetsOf]) => formDataPart(one, octetsOf, bytes))
            await answered(call('receive')({ body: written }))
            assert.equal(
              seen,
              given.map(([one, octetsOf]) => [asRead(one), [...octetsOf]]),
            )
            for (const [one, octetsOf] of given) {
              const read = await answered(call('send')({ body: octetsOf, query: { cut: one } }))
              const back: Array<readonly [string, ReadonlyArray<number>]> = []
              for await (const { name: named, content } of read as AsyncIterable<{
                name: string
                content: AsyncIterable<Uint8Array>
              }>)
                back.push([named, bytesOf(await all<Uint8Array>(content))])
              assert.equal(back, [
                [asRead(one), [...octetsOf]],
                ['stream', [...octetsOf, ...octetsOf]],
              ])
            }
          }),
          { numRuns: runs },
        ),
      )
    })
    test(`R-452, R-454: files, in forms and as bodies, ${name}`, async () => {
      const seen: unknown[] = []
      const api = routes({
        form: pipe(
          path('/form'),
          post(),
          form({ one: upload, more: uploads }),
          produces(text),
          handle(async (input) => {
            for (const one of [input.form.one, ...input.form.more])
              seen.push([one.fileName, one.contentType, [...(await readFile(one.path))]])
            return ''
          }),
        ),
        body: pipe(
          path('/body'),
          post(),
          body(fileBody),
          produces(text),
          handle(async (input) => {
            seen.push([input.body.contentType, [...(await readFile(input.body.path))]])
            return ''
          }),
        ),
      })
      const files = fc
        .tuple(
          fc.string({
            unit: fc.constantFrom('a', '.', ' ', '"', ';', '%', 'é', '😀'),
            minLength: 1,
          }),
          fc.constantFrom('image/png', 'text/plain;charset=utf-8', 'application/x-a'),
          fc.uint8Array({ maxLength: 200 }),
        )
        .filter(([title]) => !/^\.{1,2}$|%(22|0[ad])/i.test(title))
      await way(api, (call) =>
        fc.assert(
          fc.asyncProperty(fc.array(files, { minLength: 1, maxLength: 4 }), async (given) => {
            seen.length = 0
            const [one, ...more] = given.map(
              ([title, type, content]) =>
                new File([content as Uint8Array<ArrayBuffer>], title, { type }),
            )
            await answered(call('form')({ form: { one, more } }))
            assert.equal(
              seen,
              given.map(([title, type, content]) => [title, type, [...content]]),
            )
            seen.length = 0
            for (const file of [one, ...more]) await answered(call('body')({ body: file }))
            assert.equal(
              seen,
              given.map(([, type, content]) => [type, [...content]]),
            )
          }),
          { numRuns: runs },
        ),
      )
    })
    test(`R-453: records of parts, ${name}`, () => {
      let given: { readonly title: string; readonly octets: Uint8Array; readonly tags: string[] }
      const api = routes({
        record: pipe(
          path('/'),
          get(),
          produces(multipartOutput({ title: string, octets: bytes, tags: list(string) })),
          handle(() => given),
        ),
      })
      const words = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '-', 'é', '😀') })
      return way(api, (call) =>
        fc.assert(
          fc.asyncProperty(
            fc.record({
              title: words,
              octets: fc.uint8Array({ maxLength: 100 }),
              tags: fc.array(words, { maxLength: 3 }),
            }),
            async (record) => {
              given = record
              const got = await answered(call('record')())
              assert.equal(
                shown({ ...(got as object), octets: '' }),
                shown({ ...record, octets: '' }),
              )
              assert.equal([...(got as typeof record).octets], [...record.octets])
            },
          ),
          { numRuns: runs },
        ),
      )
    })
    test(`R-452: structured parts and texts of forms, ${name}`, () =>
      fc.assert(
        fc.asyncProperty(
          cases.filter(({ values }) => values.length > 0),
          fc.string({ unit: fc.constantFrom('a', '\n', '\r', '-', 'é', '😀') }),
          async ({ codec, values: [value] }, title) => {
            const seen: unknown[] = []
            const api = routes({
              send: pipe(
                path('/send'),
                post(),
                form({ title: string, it: part(json(codec)) }),
                produces(text),
                handle((input) => {
                  seen.push(input.form)
                  return ''
                }),
              ),
            })
            await way(api, async (call) => {
              await answered(call('send')({ form: { title, it: value } }))
              assert.equal(said(seen), said([{ title, it: value }]))
            })
          },
        ),
        { numRuns: runs },
      ))
  }
})
