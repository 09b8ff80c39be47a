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
import { successBody, environments } from './environments.ts'
import { describe } from '../support/describe.ts'
import { cases, withoutUndefined, toText } from './json-cases.ts'
import { isDecodedAsMissing, parameter } from './parameter-sample.ts'
import { difference } from '../support/same-value.ts'
import { instance } from '../support/sample.ts'

const collect = async <A>(values: unknown): Promise<A[]> => {
  const collected: A[] = []
  for await (const value of values as AsyncIterable<A>) collected.push(value)
  return collected
}

/** Returns a name with the line breaks that browsers and this client send. */
const normalizeLineBreaks = (name: string): string => name.replaceAll(/\r\n|\r|\n/g, '\r\n')

const bytesOf = (chunks: ReadonlyArray<Uint8Array>): ReadonlyArray<number> =>
  chunks.flatMap((chunk) => [...chunk])

describe('forms and files are decoded to the same values', (test) => {
  for (const [name, run, runs] of environments) {
    test(`parts, ${name}`, async () => {
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
            for await (const { name: partName, content } of sent) {
              const chunks: Uint8Array[] = []
              for await (const chunk of content) chunks.push(chunk.slice())
              seen.push([partName, bytesOf(chunks)])
            }
            return ''
          }),
        ),
        send: pipe(
          path('/send'),
          post(),
          body(bytes),
          query({ partName: string }),
          produces(multipartOutput),
          handle((input) => [
            formDataPart(input.query.partName, input.body, bytes),
            formDataPart('stream', [input.body, input.body], byteStream),
          ]),
        ),
      })
      await run(api, (call) =>
        fc.assert(
          fc.asyncProperty(parts, async (sent) => {
            seen.length = 0
            const written = sent.map(([partName, data]) => formDataPart(partName, data, bytes))
            await successBody(call('receive')({ body: written }))
            assert.equal(
              seen,
              sent.map(([partName, data]) => [normalizeLineBreaks(partName), [...data]]),
            )
            for (const [partName, data] of sent) {
              const received = await successBody(call('send')({ body: data, query: { partName } }))
              const receivedParts: Array<readonly [string, ReadonlyArray<number>]> = []
              for await (const { name: receivedName, content } of received as AsyncIterable<{
                name: string
                content: AsyncIterable<Uint8Array>
              }>)
                receivedParts.push([receivedName, bytesOf(await collect<Uint8Array>(content))])
              assert.equal(receivedParts, [
                [normalizeLineBreaks(partName), [...data]],
                ['stream', [...data, ...data]],
              ])
            }
          }),
          { numRuns: runs },
        ),
      )
    })
    test(`files in forms and as bodies, ${name}`, async () => {
      const seen: unknown[] = []
      const api = routes({
        form: pipe(
          path('/form'),
          post(),
          form({ first: upload, more: uploads }),
          produces(text),
          handle(async (input) => {
            for (const uploaded of [input.form.first, ...input.form.more])
              seen.push([
                uploaded.fileName,
                uploaded.contentType,
                [...(await readFile(uploaded.path))],
              ])
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
      await run(api, (call) =>
        fc.assert(
          fc.asyncProperty(fc.array(files, { minLength: 1, maxLength: 4 }), async (sent) => {
            seen.length = 0
            const [first, ...more] = sent.map(
              ([title, type, content]) => new File([content], title, { type }),
            )
            await successBody(call('form')({ form: { first, more } }))
            assert.equal(
              seen,
              sent.map(([title, type, content]) => [title, type, [...content]]),
            )
            seen.length = 0
            for (const file of [first, ...more]) await successBody(call('body')({ body: file }))
            assert.equal(
              seen,
              sent.map(([, type, content]) => [type, [...content]]),
            )
          }),
          { numRuns: runs },
        ),
      )
    })
    test(`records of parts, ${name}`, () => {
      let current: { readonly title: string; readonly data: Uint8Array; readonly tags: string[] }
      const api = routes({
        record: pipe(
          path('/'),
          get(),
          produces(multipartOutput({ title: string, data: bytes, tags: list(string) })),
          handle(() => current),
        ),
      })
      const words = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '-', 'é', '😀') })
      return run(api, (call) =>
        fc.assert(
          fc.asyncProperty(
            fc.record({
              title: words,
              data: fc.uint8Array({ maxLength: 100 }),
              tags: fc.array(words, { maxLength: 3 }),
            }),
            async (record) => {
              current = record
              const received = await successBody(call('record')())
              assert.equal(
                toText({ ...(received as object), data: '' }),
                toText({ ...record, data: '' }),
              )
              assert.equal([...(received as typeof record).data], [...record.data])
            },
          ),
          { numRuns: runs },
        ),
      )
    })
    test(`arbitrary fields and files, ${name}`, async () => {
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
                  for (const file of input.form.more) seen.push([...(await readFile(file.path))])
                  return ''
                }),
              ),
            })
            await run(api, async (call) => {
              count.all++
              const more = [new File([content], 'a'), new File([], 'b')]
              const result = await call('send')({ form: { it: value, more } })()
              if (E.isLeft(result)) {
                assert.is('_tag' in result.left && result.left._tag, 'EncodeError', toText(result))
                assert.equal(seen, [])
                return
              }
              count.sent++
              const message = difference(
                seen,
                [isDecodedAsMissing(value, codec) ? undefined : value, [...content], []],
                'it',
              )
              if (message !== undefined) throw new Error(message)
            })
          },
        ),
        { numRuns: runs },
      )
      assert.ok(
        count.sent * 3 > count.all || count.all < 100,
        `${count.sent} of ${count.all} were sent`,
      )
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
            await run(api, async (call) => {
              await successBody(call('send')({ form: { title, it: value } }))
              assert.equal(withoutUndefined(seen), withoutUndefined([{ title, it: value }]))
            })
          },
        ),
        { numRuns: runs },
      ))
  }
})
