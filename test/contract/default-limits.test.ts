/** The limits of contents that nobody has said, one below, at them, and one above. */
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
} from '../../src/index.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { field, formOf, send } from '../support/multipart.ts'

const api = routes({
  whole: pipe(
    path('/whole'),
    post(),
    body(bytes),
    produces(text),
    handle((input) => `${input.body.length}`),
  ),
  pieces: pipe(
    path('/pieces'),
    post(),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      let octets = 0
      for await (const piece of input.body) octets += piece.length
      return `${octets}`
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

const whole = 10_240 * 1024
const disposition = 'Content-Disposition: form-data; name="a"\r\n'

type Row = readonly [
  title: string,
  most: number,
  content: (size: number) => string | Uint8Array,
  type: string | undefined,
  to: ReadonlyArray<string>,
  status: number,
]

const rows: ReadonlyArray<Row> = [
  [
    'a content has 10 MiB',
    whole,
    (n) => new Uint8Array(n),
    'application/octet-stream',
    ['/pieces', '/file'],
    413,
  ],
  [
    'a body that is parsed as a whole has 1 MiB',
    1024 * 1024,
    (n) => new Uint8Array(n),
    'application/octet-stream',
    ['/whole'],
    413,
  ],
  [
    'a part has 2048 octets',
    2048,
    (n) => formOf(field('a', 'x'.repeat(n))),
    undefined,
    ['/form', '/parts'],
    413,
  ],
  [
    'a field has 2048 octets',
    2048,
    (n) => `a=${'x'.repeat(n)}`,
    'application/x-www-form-urlencoded',
    ['/form'],
    413,
  ],
  [
    'a form has 1000 parts',
    1000,
    (n) => formOf(...Array.from({ length: n }, () => field('a', 'x'))),
    undefined,
    ['/form', '/parts'],
    413,
  ],
  [
    // the original has 256, and 1 KiB for those that are not decoded yet: here they are counted with all parameters
    'a form has 1000 fields',
    1000,
    (n) => Array.from({ length: n }, () => 'a=x').join('&'),
    'application/x-www-form-urlencoded',
    ['/form'],
    413,
  ],
  [
    'the header of a part has 32 KiB',
    32 * 1024,
    (n) => formOf(`${disposition}X: ${'x'.repeat(n - disposition.length - 5)}\r\n\r\n`),
    undefined,
    ['/form', '/parts'],
    413,
  ],
  [
    'and 40 fields',
    40,
    (n) => formOf(`${disposition}${'X: y\r\n'.repeat(n - 1)}\r\n`),
    undefined,
    ['/form', '/parts'],
    413,
  ],
]

contract('limits that nobody has said', api, (test, call) =>
  table<Row>(test, rows, async (_, most, content, type, targets, status) => {
    for (const to of targets)
      for (const [size, expected] of [
        [most - 1, 200],
        [most, 200],
        [most + 1, status],
      ] as const) {
        const response = await call(send(to, content(size), type))
        assert.is(response.status, expected, `${to} ${size} ${await response.text()}`)
      }
  }),
)
