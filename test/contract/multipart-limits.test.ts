/** Each limit of multipart content, one below, at it, and one above. */
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
} from '../../src/index.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { field, formOf, send } from '../support/multipart.ts'

const directory = mkdtempSync(join(tmpdir(), 'espalier-'))
const left = (): ReadonlyArray<string> => readdirSync(directory)

const operations = routes({
  form: pipe(
    path('/form'),
    post(),
    form({ a: optional(string), raw: optionalPart(part(bytes)), file: uploads }),
    produces(text),
    handle(() => `files: ${left().length}`),
  ),
  all: pipe(
    path('/all'),
    post(),
    body(multipartInput),
    produces(text),
    handle(() => `files: ${left().length}`),
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

const file = (content: string): string => field('file', content, { fileName: 'f' })
const times = (count: number, one: string): string =>
  formOf(...Array.from({ length: count }, () => one))
const header = (octets: number): string => {
  const disposition = 'Content-Disposition: form-data; name="z"\r\n'
  return `${disposition}X: ${'x'.repeat(octets - disposition.length - 5)}\r\n\r\n`
}
const fields = (count: number): string =>
  `Content-Disposition: form-data; name="z"\r\n${'X: y\r\n'.repeat(count - 1)}\r\n`

type Row = [string, number, (size: number) => string, number, RegExp]

const rows: ReadonlyArray<Row> = [
  [
    'a field',
    20,
    (n) => formOf(field('a', 'x'.repeat(n))),
    413,
    /form field \\"a\\".*max-form-attribute-size/,
  ],
  [
    'a field that is not declared',
    20,
    (n) => formOf(field('u', 'x'.repeat(n))),
    413,
    /form field \\"u\\".*max-form-attribute-size/,
  ],
  [
    'a structured part',
    20,
    (n) => formOf(field('raw', 'x'.repeat(n))),
    413,
    /form field \\"raw\\".*max-form-attribute-size/,
  ],
  [
    'a file',
    3000,
    (n) => formOf(file('ok'), file('x'.repeat(n))),
    413,
    /file \\"file\\".*max-multipart-file-size/,
  ],
  [
    'a file that is not declared',
    3000,
    (n) => formOf(field('u', 'x'.repeat(n), { fileName: 'f' })),
    413,
    /file \\"u\\".*max-multipart-file-size/,
  ],
  ['files', 3, (n) => times(n, file('x')), 413, /max-multipart-files/],
  [
    'files that are not declared',
    3,
    (n) => times(n, field('u', 'x', { fileName: 'f' })),
    413,
    /max-multipart-files/,
  ],
  ['parts', 7, (n) => times(n, field('a', 'x')), 413, /more than 7 fields .*max-parameters/],
  ['undeclared parts', 7, (n) => times(n, field('u', 'x')), 413, /max-parameters/],
  ['parts without content', 7, (n) => times(n, field('a', '')), 413, /max-parameters/],
  [
    'files and fields together',
    7,
    (n) => formOf(file('x'), file('x'), ...Array.from({ length: n - 2 }, () => field('a', 'x'))),
    413,
    /max-parameters/,
  ],
  ['octets of a header', 300, (n) => formOf(header(n)), 413, /max-multipart-part-header-size/],
  ['fields of a header', 5, (n) => formOf(fields(n)), 413, /max-multipart-part-header-count/],
  [
    'the whole',
    8000,
    (n) => `${'x'.repeat(n - 7 - 7)}\r\n--XX--\r\n`.slice(-n).padStart(n, 'x'),
    413,
    /max-body-size/,
  ],
]

contract(
  'limits of multipart content',
  operations,
  (test, call) => {
    for (const to of ['/form', '/all', '/stream'])
      table(
        test,
        rows.map(([name, ...row]): Row => [`${name}, by ${to}`, ...row]),
        async (_, most, content, status, told) => {
          for (const n of [most - 1, most]) {
            const response = await call(send(to, content(n)))
            assert.is(response.status, 200, await response.text())
          }
          const response = await call(send(to, content(most + 1)))
          assert.is(response.status, status)
          assert.match(await response.text(), told)
        },
      )
    test('a header that never ends is not gathered', async () => {
      const endless = formOf(`Content-Disposition: form-data; name="${'x'.repeat(7000)}`)
      assert.is((await call(send('/form', endless))).status, 413)
    })
    test('a long name is shortened where it is told', async () => {
      const response = await call(send('/form', formOf(field('n'.repeat(200), 'x'.repeat(21)))))
      assert.match(await response.text(), /\\"n{99}…\\" has more/)
    })
    test('nothing is left of what was refused', async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      assert.equal(left(), [])
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
