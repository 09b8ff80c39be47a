/** A route tree for tests with other HTTP clients: it receives forms and files and returns digests, and sends files, forms and streams. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  allUploads,
  body,
  byteStream,
  compressed,
  file,
  fileBody,
  form,
  get,
  handle,
  int,
  json,
  jsonStream,
  list,
  multipartOutput,
  part,
  path,
  post,
  produces,
  put,
  routes,
  sse,
  string,
  text,
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { createFile, newFolder, patternBytes } from '../support/folder.ts'

export const folder = newFolder()
/** More bytes than the buffers of a connection can hold. */
export const largeBytes = patternBytes(1_500_000)
export const large = createFile(folder, 'large.bin', largeBytes)
export const lorem = createFile(folder, 'lorem "ipsum" é.txt', 'Lorem ipsum')

export const digestOf = (data: Uint8Array): string =>
  createHash('sha256').update(data).digest('hex')

const Meta = t.type({ pages: int })

const api = routes({
  receive: pipe(
    path('/form'),
    post(),
    form({ title: string, tag: list(string), meta: part(json(Meta)), all: allUploads }),
    produces(json(t.UnknownRecord)),
    handle(({ form: { all, ...fields } }) => ({
      ...fields,
      files: all.map(({ name, fileName, contentType, size, path: at }) => ({
        name,
        fileName,
        contentType,
        size,
        digest: digestOf(readFileSync(at)),
      })),
    })),
  ),
  send: pipe(
    path('/form'),
    get(),
    produces(
      multipartOutput({ title: string, tag: list(string), meta: part(json(Meta)), cover: file }),
    ),
    handle(() => ({ title: 'Emma é', tag: ['a', 'b'], meta: { pages: 474 }, cover: large })),
  ),
  keep: pipe(
    path('/file'),
    put(),
    body(fileBody),
    produces(text),
    handle(async (input) => digestOf(await readFile(input.body.path))),
  ),
  stream: pipe(
    path('/stream'),
    put(),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      const hash = createHash('sha256')
      for await (const chunk of input.body) hash.update(chunk)
      return hash.digest('hex')
    }),
  ),
  file: pipe(
    path('/file'),
    get(),
    produces(file),
    handle(() => large),
  ),
  text: pipe(
    path('/text'),
    get(),
    produces(text),
    compressed,
    handle(() => 'espalier '.repeat(1000)),
  ),
  numbers: pipe(
    path('/numbers'),
    get(),
    produces(jsonStream(int), sse(int)),
    handle(async function* () {
      for (const n of [1, 2, 3]) yield n
    }),
  ),
  broken: pipe(
    path('/broken'),
    get(),
    produces(jsonStream(int)),
    handle(async function* () {
      yield 1
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw new Error('secret')
    }),
  ),
})

/** Starts a server for the route tree. */
export const startServer = (): Promise<Server> =>
  serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.http.enable-compression': true,
    'fw.http.body.uploads-directory': newFolder(),
    'fw.shutdown.grace': 0,
  })
