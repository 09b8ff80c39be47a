/** Properties of forms: parts, files and records arrive unchanged. */
import { readFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  byteStream,
  bytes,
  fileBody,
  form,
  formDataPart,
  get,
  handle,
  json,
  list,
  multipartOutput,
  multipartStream,
  part,
  path,
  post,
  produces,
  query,
  routes,
  string,
  text,
  upload,
  uploads,
} from '../../src/index.ts'
import { answered, ways } from '../support/client-ways.ts'
import { describe } from '../support/describe.ts'
import { cases, said, shown } from '../support/json-cases.ts'
import { isNothing, parameter } from '../support/parameter-sample.ts'
import { difference } from '../support/same-value.ts'
import { instance } from '../support/sample.ts'

const all = async <A>(values: unknown): Promise<A[]> => {
  const read: A[] = []
  for await (const value of values as AsyncIterable<A>) read.push(value)
  return read
}

/** A name as it arrives: browsers write every line break in one way. */
const asRead = (one: string): string => one.replaceAll(/\r\n|\r|\n/g, '\r\n')

const bytesOf = (pieces: ReadonlyArray<Uint8Array>): ReadonlyArray<number> =>
  pieces.flatMap((piece) => [...piece])

describe('forms in both directions', (test) => {
  for (const [name, way, runs] of ways) {
    test(`parts in both directions, ${name}`, async () => {
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
    test(`files, in forms and as bodies, ${name}`, async () => {
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
              ([title, type, content]) => new File([content], title, { type }),
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
    test(`records of parts, ${name}`, () => {
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
    test(`arbitrary fields next to a file, ${name}`, async () => {
      const count = { sent: 0, all: 0 }
      await fc.assert(
        fc.asyncProperty(
          instance(parameter),
          fc.uint8Array(),
          async ({ codec, value }, content) => {
            const seen: unknown[] = []
            const api = routes({
              send: pipe(
                path('/send'),
                post(),
                form({ it: codec as typeof string, more: uploads }),
                produces(text),
                handle(async (input) => {
                  seen.push(input.form.it)
                  for (const one of input.form.more) seen.push([...(await readFile(one.path))])
                  return ''
                }),
              ),
            })
            await way(api, async (call) => {
              count.all++
              const more = [new File([content], 'a'), new File([], 'b')]
              const result = await call('send')({ form: { it: value, more } })()
              if (E.isLeft(result)) {
                assert.is('_tag' in result.left && result.left._tag, 'EncodeError', shown(result))
                assert.equal(seen, [])
                return
              }
              count.sent++
              const found = difference(
                seen,
                [isNothing(value, codec) ? undefined : value, [...content], []],
                'it',
              )
              if (found !== undefined) throw new Error(found)
            })
          },
        ),
        { numRuns: runs },
      )
      assert.ok(count.sent * 3 > count.all, `${count.sent} of ${count.all} were sent`)
    })
    test(`structured parts and text fields, ${name}`, () =>
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
