/** Default limits of request bodies, each tested one below, at, and one above the limit. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  byteStream,
  bytes,
  fileBody,
  form,
  handle,
  multipartInput,
  optional,
  path,
  post,
  produces,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartRequest } from '../../support/multipart.ts'

const api = routes({
  whole: pipe(
    path('/whole'),
    post(),
    body(bytes),
    produces(text),
    handle((input) => `${input.body.length}`),
  ),
  chunks: pipe(
    path('/chunks'),
    post(),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      let size = 0
      for await (const chunk of input.body) size += chunk.length
      return `${size}`
    }),
  ),
  file: pipe(
    path('/file'),
    post(),
    body(fileBody),
    produces(text),
    handle((input) => `${input.body.size}`),
  ),
  form: pipe(
    path('/form'),
    post(),
    form({ a: optional(string) }),
    produces(text),
    handle(() => 'read'),
  ),
  parts: pipe(
    path('/parts'),
    post(),
    body(multipartInput),
    produces(text),
    handle(() => 'read'),
  ),
})

const defaultBodySize = 10_240 * 1024
const disposition = 'Content-Disposition: form-data; name="a"\r\n'

type Row = readonly [
  title: string,
  limit: number,
  content: (size: number) => string | Uint8Array,
  type: string | undefined,
  targets: ReadonlyArray<string>,
  status: number,
]

const rows: ReadonlyArray<Row> = [
  [
    '10 MiB for a body',
    defaultBodySize,
    (n) => new Uint8Array(n),
    'application/octet-stream',
    ['/chunks', '/file'],
    413,
  ],
  [
    '512 KiB for a parsed body',
    512 * 1024,
    (n) => new Uint8Array(n),
    'application/octet-stream',
    ['/whole'],
    413,
  ],
  [
    '2048 bytes for a text part',
    2048,
    (n) => encodeMultipart(encodePart('a', 'x'.repeat(n))),
    undefined,
    ['/form', '/parts'],
    413,
  ],
  [
    '2048 bytes for a form field',
    2048,
    (n) => `a=${'x'.repeat(n)}`,
    'application/x-www-form-urlencoded',
    ['/form'],
    413,
  ],
  [
    '1000 parts in a multipart form',
    1000,
    (n) => encodeMultipart(...Array.from({ length: n }, () => encodePart('a', 'x'))),
    undefined,
    ['/form', '/parts'],
    413,
  ],
  [
    // Form fields count as parameters (fw.http.limits.max-parameters).
    '1000 fields in a URL-encoded form',
    1000,
    (n) => Array.from({ length: n }, () => 'a=x').join('&'),
    'application/x-www-form-urlencoded',
    ['/form'],
    413,
  ],
  [
    '32 KiB for the headers of a part',
    32 * 1024,
    (n) => encodeMultipart(`${disposition}X: ${'x'.repeat(n - disposition.length - 5)}\r\n\r\n`),
    undefined,
    ['/form', '/parts'],
    413,
  ],
  [
    '40 headers for a part',
    40,
    (n) => encodeMultipart(`${disposition}${'X: y\r\n'.repeat(n - 1)}\r\n`),
    undefined,
    ['/form', '/parts'],
    413,
  ],
]

contract('default limits', api, (test, call) =>
  table<Row>(test, rows, async (_, limit, content, type, targets, status) => {
    for (const target of targets)
      for (const [size, expected] of [
        [limit, 200],
        [limit + 1, status],
      ] as const) {
        const response = await call(multipartRequest(target, content(size), type))
        assert.is(response.status, expected, `${target} ${size} ${await response.text()}`)
      }
  }),
)
