/** A route tree that sends multipart bodies of all kinds. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  Conflict,
  as,
  byteStream,
  bytes,
  created,
  fails,
  file,
  filePart,
  formDataPart,
  get,
  handle,
  int,
  json,
  list,
  multipartOutput,
  noContent,
  optional,
  part,
  path,
  plainDate,
  produces,
  repeated,
  reply,
  representation,
  responds,
  routes,
  set,
  status,
  string,
  text,
  withHeader,
} from '../../src/index.ts'
import { createFile, newFolder, patternBytes } from '../support/folder.ts'

const folder = newFolder()
const lorem = createFile(folder, 'lorem.txt', 'Lorem')
const large = createFile(folder, 'large.bin', patternBytes(300_000))
const Meta = t.type({ pages: int })

const record = multipartOutput({
  title: string,
  copies: int,
  published: plainDate,
  tag: list(string),
  numbers: set(int),
  note: optional(string),
  meta: part(json(Meta)),
  plainMeta: json(Meta),
  cover: file,
  pages: repeated(file),
  raw: bytes,
})
const day = plainDate.decode('2024-02-29')
if (day._tag === 'Left') throw new Error('no day')
const full = {
  title: 'Emma',
  copies: 2,
  published: day.right,
  tag: ['a', 'b'],
  numbers: new Set([1, 2]),
  note: undefined,
  meta: { pages: 474, secret: 'x' },
  plainMeta: { pages: 1 },
  cover: lorem,
  pages: [large, filePart(lorem, { offset: 0, count: 2 })],
  raw: new Uint8Array([0, 255]),
}
const nothing = {
  title: null,
  copies: undefined,
  published: null,
  tag: null,
  numbers: null,
  note: null,
  meta: null,
  plainMeta: null,
  cover: null,
  pages: [],
  raw: null,
}

async function* streamed(...texts: ReadonlyArray<string>) {
  for (const chunk of texts) yield Buffer.from(chunk)
}
async function* rejecting(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Conflict('too early'))
}

const csv = representation({
  mediaType: 'text/csv',
  write: (row: ReadonlyArray<number>) => row.join(),
})

export const multipartApi = routes({
  full: pipe(
    path('/full'),
    get(),
    produces(record),
    handle(() => full),
  ),
  later: pipe(
    path('/later'),
    get(),
    produces(record),
    handle(async () => full),
  ),
  nothing: pipe(
    path('/nothing'),
    get(),
    produces(record),
    handle(() => nothing),
  ),
  replied: pipe(
    path('/replied'),
    get(),
    produces(multipartOutput({ title: string })),
    status(202),
    handle(() => pipe(reply(202, { title: 'Emma' }), withHeader('X-Own', 'a'))),
  ),
  created: pipe(
    path('/created'),
    get(),
    responds(201, multipartOutput({ title: string })),
    handle(() => created('/books/1', { title: 'Emma' })),
  ),
  failed: pipe(
    path('/failed'),
    get(),
    responds(204),
    fails(409, multipartOutput),
    handle(() => (Date.now() > 0 ? reply(409, [formDataPart('why', 'held', string)]) : noContent)),
  ),
  parts: pipe(
    path('/parts'),
    get(),
    produces(multipartOutput),
    handle(() => [
      formDataPart('a', 'first', string, { headers: { 'X-Language': 'en' } }),
      formDataPart('b', [1, 2], csv),
      formDataPart('a', 'second', text),
      formDataPart('c', new Uint8Array([1]), as('image/png')(bytes), { fileName: 'dir/ä"b.png' }),
      formDataPart('d', lorem, file),
      formDataPart('e', lorem, file, {
        fileName: 'other.txt',
        headers: { 'Content-Type': 'text/x-own' },
      }),
      formDataPart('f', [1, 2], list(int)),
      formDataPart('g', streamed('one', 'two'), byteStream),
      formDataPart('h', [formDataPart('inner', 1, int)], multipartOutput),
    ]),
  ),
  opened: pipe(
    path('/opened'),
    get(),
    produces(multipartOutput),
    handle(async () => [formDataPart('cover', await open(lorem), file)]),
  ),
  mixed: pipe(
    path('/mixed'),
    get(),
    produces(as('multipart/mixed')(multipartOutput)),
    handle(() => [formDataPart('a', 'first', string)]),
  ),
  missing: pipe(
    path('/missing'),
    get(),
    produces(multipartOutput({ cover: file, page: file })),
    handle(() => ({ cover: lorem, page: join(folder, 'missing') })),
  ),
  rejected: pipe(
    path('/rejected'),
    get(),
    produces(multipartOutput),
    handle(() => [
      formDataPart('file', lorem, file),
      formDataPart('stream', rejecting(), byteStream),
    ]),
  ),
  wrong: pipe(
    path('/wrong'),
    get(),
    produces(multipartOutput),
    handle(() => ['text'] as never),
  ),
})
