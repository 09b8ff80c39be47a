/** Types of results for files and forms. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { open } from 'node:fs/promises'
import {
  attachment,
  bytes,
  file,
  filePart,
  formDataPart,
  get,
  handle,
  int,
  json,
  list,
  multipartOutput,
  ok,
  optional,
  part,
  path,
  produces,
  repeated,
  string,
} from '../../src/index.ts'

const sending = pipe(path('/'), get(), produces(file))

// a path, a part or an open file, synchronously or asynchronously, directly or in a reply
pipe(
  sending,
  handle(() => '/a'),
)
pipe(
  sending,
  handle(() => filePart('/a', { offset: 0, count: 1 })),
)
pipe(
  sending,
  handle(() => open('/a')),
)
pipe(
  sending,
  handle(async () => filePart(await open('/a'), { offset: 0, count: 1 })),
)
pipe(
  sending,
  handle(() => pipe(ok('/a'), attachment('a.txt'))),
)
pipe(
  sending,
  // @ts-expect-error a byte array is not a file
  handle(() => new Uint8Array(1)),
)
// @ts-expect-error a part has a count
filePart('/a', { offset: 0 })

const form = multipartOutput({
  title: string,
  tag: list(string),
  note: optional(string),
  meta: part(json(t.type({ pages: int }))),
  cover: file,
  pages: repeated(file),
})
const full = {
  title: 'a',
  tag: ['b'],
  note: undefined,
  meta: { pages: 1 },
  cover: '/a',
  pages: ['/b'],
}
const posting = pipe(path('/'), get(), produces(form))

pipe(
  posting,
  handle(() => full),
)
pipe(
  posting,
  handle(() => ({ ...full, title: null, cover: undefined })),
)
pipe(
  posting,
  // @ts-expect-error a field of another type
  handle(() => ({ ...full, title: 1 })),
)
pipe(
  posting,
  // @ts-expect-error a member of another type
  handle(() => ({ ...full, meta: { pages: 'many' } })),
)
pipe(
  posting,
  // @ts-expect-error a missing field
  handle(() => ({ title: 'a' })),
)
pipe(
  posting,
  // @ts-expect-error a single file for a list of files
  handle(() => ({ ...full, pages: '/b' })),
)

pipe(
  path('/'),
  get(),
  produces(multipartOutput),
  handle(() => [
    formDataPart('a', 'b', string),
    formDataPart('c', [1], list(int), { fileName: 'd' }),
  ]),
)
// @ts-expect-error a value of another type than its representation
formDataPart('a', 'b', bytes)
// @ts-expect-error a value of another type than its codec
formDataPart('a', 'b', int)
