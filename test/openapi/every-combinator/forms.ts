/** Operations with every kind of form and of multipart body. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  allFields,
  allUploads,
  body,
  bytes,
  enumOf,
  file,
  form,
  formDataPart,
  get,
  handle,
  int,
  json,
  list,
  multipartInput,
  multipartOutput,
  multipartStream,
  optional,
  optionalPart,
  part,
  path,
  plainDate,
  post,
  produces,
  repeated,
  routes,
  string,
  tags,
  text,
  upload,
  uploads,
  withDefault,
} from '../../../src/index.ts'

const Meta = t.type({ pages: int }, 'Meta')

const urlEncoded = pipe(
  path('/forms/fields'),
  post(),
  form({
    name: string,
    copies: withDefault(int, 1),
    size: optional(enumOf('small', 'large')),
    day: plainDate,
    label: list(string),
    others: allFields,
  }),
  produces(text),
  handle(({ form: { name } }) => name),
)

const multipart = pipe(
  path('/forms/parts'),
  post(),
  form({
    name: string,
    cover: upload,
    pages: uploads,
    all: allUploads,
    meta: part(json(Meta)),
    more: optionalPart(part(json(Meta))),
  }),
  produces(text),
  handle(({ form: { name } }) => name),
)

const readParts = pipe(
  path('/multipart/read'),
  post(),
  body(multipartInput),
  produces(int),
  handle(({ body: { values } }) => [...values].length),
)

const streamParts = pipe(
  path('/multipart/stream'),
  post(),
  body(multipartStream),
  produces(int),
  handle(async ({ body: parts }) => {
    const names: Array<string> = []
    for await (const { name } of parts) names.push(name)
    return names.length
  }),
)

const sendRecord = pipe(
  path('/multipart/record'),
  get(),
  produces(
    multipartOutput({ title: string, tag: list(string), meta: json(Meta), scans: repeated(file) }),
  ),
  handle(() => ({ title: 'Emma', tag: ['a'], meta: { pages: 474 }, scans: [] })),
)

const sendParts = pipe(
  path('/multipart/parts'),
  get(),
  produces(multipartOutput),
  handle(() => [formDataPart('cover', new Uint8Array([1]), bytes, { fileName: 'cover.bin' })]),
)

export const formRoutes = pipe(
  routes({ urlEncoded, multipart, readParts, streamParts, sendRecord, sendParts }),
  tags({ name: 'forms', description: 'Forms and multipart bodies' }),
)
