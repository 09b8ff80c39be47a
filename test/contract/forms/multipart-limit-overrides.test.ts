/** `limits({ files, parts, partHeaders, partHeaderSize })`, and `fw.http.limits.max-multipart-parts`. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  form,
  handle,
  limits,
  list,
  multipartInput,
  multipartStream,
  path,
  post,
  prefix,
  routes,
  string,
  uploads,
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartRequest } from '../../support/multipart.ts'

const directory = mkdtempSync(join(tmpdir(), 'espalier-'))

/** An operation for each way to read a form. */
const operations = routes({
  form: pipe(
    path('/form'),
    post(),
    form({ a: list(string), file: uploads }),
    handle(() => {}),
  ),
  all: pipe(
    path('/all'),
    post(),
    body(multipartInput),
    handle(() => {}),
  ),
  stream: pipe(
    path('/stream'),
    post(),
    body(multipartStream),
    handle(async (input) => {
      for await (const { content } of input.body) for await (const _ of content);
    }),
  ),
})

const api = routes({
  ofSettings: pipe(operations, prefix('/settings')),
  ofTree: pipe(
    routes({
      inherited: pipe(operations, prefix('/inherited')),
      own: pipe(
        operations,
        prefix('/own'),
        limits({ files: 3, parts: 4, partHeaders: 5, partHeaderSize: 400 }),
      ),
      parameters: pipe(operations, prefix('/parameters'), limits({ parameters: 9 })),
    }),
    limits({ files: 2, parts: 3, partHeaders: 4, partHeaderSize: 300 }),
  ),
  onlyParameters: pipe(operations, prefix('/only-parameters'), limits({ parameters: 2 })),
})

const file = encodePart('file', 'x', { fileName: 'f' })

const repeatPart =
  (encoded: string) =>
  (count: number): string =>
    encodeMultipart(...Array.from({ length: count }, () => encoded))

const headerOfSize = (size: number): string => {
  const disposition = 'Content-Disposition: form-data; name="a"\r\n'
  return encodeMultipart(`${disposition}X: ${'x'.repeat(size - disposition.length - 5)}\r\n\r\n`)
}

const headersOf = (count: number): string =>
  encodeMultipart(`Content-Disposition: form-data; name="a"\r\n${'X: y\r\n'.repeat(count - 1)}\r\n`)

interface Limits {
  readonly files: number
  readonly parts: number
  readonly partHeaders: number
  readonly partHeaderSize: number
}

const kinds: ReadonlyArray<
  readonly [kind: keyof Limits, encode: (count: number) => string, message: string, setting: string]
> = [
  ['files', repeatPart(file), 'number of files in the form exceeds', 'max-multipart-files'],
  ['parts', repeatPart(encodePart('a', 'x')), 'The form has more than', 'max-multipart-parts'],
  ['partHeaders', headersOf, 'A part has more than', 'max-multipart-part-header-count'],
  [
    'partHeaderSize',
    headerOfSize,
    'The header section of a part is larger than',
    'max-multipart-part-header-size',
  ],
]

const settings: Limits = { files: 5, parts: 6, partHeaders: 7, partHeaderSize: 200 }
const ofTree: Limits = { files: 2, parts: 3, partHeaders: 4, partHeaderSize: 300 }
const own: Limits = { files: 3, parts: 4, partHeaders: 5, partHeaderSize: 400 }

contract(
  'limits of multipart bodies of operations',
  api,
  (test, call) => {
    for (const target of ['form', 'all', 'stream'])
      for (const [kind, encode, message, setting] of kinds)
        table<readonly [name: string, scope: string, expected: Limits]>(
          test,
          [
            [`${kind} of the settings: ${target}`, 'settings', settings],
            [`${kind} of a tree: ${target}`, 'inherited', ofTree],
            [`${kind} of an inner tree: ${target}`, 'own', own],
            [`${kind} with other inner limits: ${target}`, 'parameters', ofTree],
          ],
          async (_, scope, expected) => {
            const limit = expected[kind]
            const accepted = await call(multipartRequest(`/${scope}/${target}`, encode(limit)))
            assert.is(accepted.status, 204, await accepted.text())
            const rejected = await call(multipartRequest(`/${scope}/${target}`, encode(limit + 1)))
            assert.is(rejected.status, 413)
            const detail = await rejected.text()
            const name = scope === 'settings' ? `fw.http.limits.${setting}` : `limits({ ${kind} })`
            assert.match(detail, `${message} ${limit}`)
            assert.match(detail, `(${name})`)
          },
        )
  },
  {
    'fw.http.body.uploads-directory': directory,
    'fw.http.limits.max-multipart-files': 5,
    'fw.http.limits.max-multipart-parts': 6,
    'fw.http.limits.max-multipart-part-header-count': 7,
    'fw.http.limits.max-multipart-part-header-size': 200,
  },
)

contract(
  'the number of parts without its own limit',
  api,
  (test, call) => {
    const send = (target: string, parts: number) =>
      call(multipartRequest(target, repeatPart(encodePart('a', 'x'))(parts)))
    for (const target of ['form', 'all', 'stream'])
      test(`is limited by parameters: ${target}`, async () => {
        assert.is((await send(`/only-parameters/${target}`, 2)).status, 204)
        const rejected = await send(`/only-parameters/${target}`, 3)
        assert.is(rejected.status, 413)
        assert.match(await rejected.text(), 'more than 2 parts (limits({ parameters }))')
      })
  },
  { 'fw.http.body.uploads-directory': directory },
)
