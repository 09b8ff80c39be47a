/** Limits of multipart bodies, each tested one below, at, and one above the limit. */
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  bytes,
  form,
  handle,
  multipartInput,
  multipartStream,
  optional,
  optionalPart,
  part,
  path,
  post,
  produces,
  routes,
  string,
  text,
  uploads,
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartRequest } from '../../support/multipart.ts'
import { waitUntil } from '../../support/wait-until.ts'

const directory = mkdtempSync(join(tmpdir(), 'espalier-'))
const storedFiles = (): ReadonlyArray<string> => readdirSync(directory)

const operations = routes({
  form: pipe(
    path('/form'),
    post(),
    form({ a: optional(string), raw: optionalPart(part(bytes)), file: uploads }),
    produces(text),
    handle(() => `files: ${storedFiles().length}`),
  ),
  all: pipe(
    path('/all'),
    post(),
    body(multipartInput),
    produces(text),
    handle(() => `files: ${storedFiles().length}`),
  ),
  stream: pipe(
    path('/stream'),
    post(),
    body(multipartStream),
    produces(text),
    handle(async (input) => {
      for await (const { content } of input.body) for await (const _ of content);
      return 'files: 0'
    }),
  ),
})

const file = (content: string): string => encodePart('file', content, { fileName: 'f' })
const repeatPart = (count: number, encoded: string): string =>
  encodeMultipart(...Array.from({ length: count }, () => encoded))
const headerOfSize = (size: number): string => {
  const disposition = 'Content-Disposition: form-data; name="z"\r\n'
  return `${disposition}X: ${'x'.repeat(size - disposition.length - 5)}\r\n\r\n`
}
const headersOf = (count: number): string =>
  `Content-Disposition: form-data; name="z"\r\n${'X: y\r\n'.repeat(count - 1)}\r\n`

type Row = [
  name: string,
  limit: number,
  body: (size: number) => string,
  status: number,
  message: RegExp,
]

const rows: ReadonlyArray<Row> = [
  [
    'size of a field',
    20,
    (n) => encodeMultipart(encodePart('a', 'x'.repeat(n))),
    413,
    /form field \\"a\\".*max-form-attribute-size/,
  ],
  [
    'size of an undeclared field',
    20,
    (n) => encodeMultipart(encodePart('u', 'x'.repeat(n))),
    413,
    /form field \\"u\\".*max-form-attribute-size/,
  ],
  [
    'size of a structured part',
    20,
    (n) => encodeMultipart(encodePart('raw', 'x'.repeat(n))),
    413,
    /form field \\"raw\\".*max-form-attribute-size/,
  ],
  [
    'size of a file',
    3000,
    (n) => encodeMultipart(file('ok'), file('x'.repeat(n))),
    413,
    /file \\"file\\".*max-multipart-file-size/,
  ],
  [
    'size of an undeclared file',
    3000,
    (n) => encodeMultipart(encodePart('u', 'x'.repeat(n), { fileName: 'f' })),
    413,
    /file \\"u\\".*max-multipart-file-size/,
  ],
  ['number of files', 3, (n) => repeatPart(n, file('x')), 413, /max-multipart-files/],
  [
    'number of undeclared files',
    3,
    (n) => repeatPart(n, encodePart('u', 'x', { fileName: 'f' })),
    413,
    /max-multipart-files/,
  ],
  [
    'number of parts',
    7,
    (n) => repeatPart(n, encodePart('a', 'x')),
    413,
    /more than 7 parts .*max-parameters/,
  ],
  [
    'number of undeclared parts',
    7,
    (n) => repeatPart(n, encodePart('u', 'x')),
    413,
    /max-parameters/,
  ],
  ['number of empty parts', 7, (n) => repeatPart(n, encodePart('a', '')), 413, /max-parameters/],
  [
    'number of files and fields',
    7,
    (n) =>
      encodeMultipart(
        file('x'),
        file('x'),
        ...Array.from({ length: n - 2 }, () => encodePart('a', 'x')),
      ),
    413,
    /max-parameters/,
  ],
  [
    'size of the headers of a part',
    300,
    (n) => encodeMultipart(headerOfSize(n)),
    413,
    /max-multipart-part-header-size/,
  ],
  [
    'number of headers of a part',
    5,
    (n) => encodeMultipart(headersOf(n)),
    413,
    /max-multipart-part-header-count/,
  ],
  [
    'size of the body',
    8000,
    (n) => `${'x'.repeat(n - 7 - 7)}\r\n--XX--\r\n`.slice(-n).padStart(n, 'x'),
    413,
    /max-body-size/,
  ],
]

contract(
  'limits of multipart bodies',
  operations,
  (test, call) => {
    for (const target of ['/form', '/all', '/stream'])
      table(
        test,
        rows.map(([name, ...row]): Row => [`${name}: ${target}`, ...row]),
        async (_, limit, content, status, message) => {
          for (const n of [limit - 1, limit]) {
            const response = await call(multipartRequest(target, content(n)))
            assert.is(response.status, 200, await response.text())
          }
          const response = await call(multipartRequest(target, content(limit + 1)))
          assert.is(response.status, status)
          assert.match(await response.text(), message)
        },
      )
    test('an unterminated header returns 413', async () => {
      const endless = encodeMultipart(`Content-Disposition: form-data; name="${'x'.repeat(7000)}`)
      assert.is((await call(multipartRequest('/form', endless))).status, 413)
    })
    test('a long part name is truncated in the problem document', async () => {
      const response = await call(
        multipartRequest('/form', encodeMultipart(encodePart('n'.repeat(200), 'x'.repeat(21)))),
      )
      assert.match(await response.text(), /\\"n{99}…\\" is larger/)
    })
    test('a rejected multipart request leaves no files in the uploads directory', async () => {
      await waitUntil(() => storedFiles().length === 0)
    })
  },
  {
    'fw.http.body.uploads-directory': directory,
    'fw.http.limits.max-form-attribute-size': 20,
    'fw.http.limits.max-multipart-file-size': 3000,
    'fw.http.limits.max-multipart-files': 3,
    'fw.http.limits.max-parameters': 7,
    'fw.http.limits.max-multipart-part-header-size': 300,
    'fw.http.limits.max-multipart-part-header-count': 5,
    'fw.http.limits.max-body-size': 8000,
  },
)
