/**
 * A tree with every kind of response and request body, on the event loop and, below `/worker`, on workers. Sources and handlers
 * keep running for a while, so that a client can disconnect at any point.
 */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import {
  blocking,
  body,
  bytes,
  byteStream,
  file,
  fileBody,
  form,
  get,
  handle,
  json,
  jsonStream,
  multipartOutput,
  multipartStream,
  ndjson,
  path,
  post,
  prefix,
  produces,
  query,
  responseFilter,
  routes,
  sse,
  string,
  text,
  textStream,
  upload,
  withFilter,
  withHeader,
  withInterceptor,
  writerInterceptor,
} from '../../src/index.ts'
import {
  cancelled,
  failing,
  failingReadable,
  line,
  observable,
  other,
  parts,
  rejecting,
  slowHandle,
  texts,
  webStream,
} from '../node/connection/disconnecting-sources.ts'

/** The path of the file to send. */
const named = query({ path: string })

const operations = {
  file: pipe(
    path('/file'),
    get(),
    named,
    produces(file),
    handle((input) => input.query.path),
  ),
  handle: pipe(
    path('/handle'),
    get(),
    named,
    produces(file),
    handle((input) => open(input.query.path)),
  ),
  slowHandle: pipe(
    path('/slow-handle'),
    get(),
    named,
    produces(file),
    handle((input) => slowHandle(input.query.path)),
  ),
  form: pipe(
    path('/form'),
    get(),
    named,
    produces(multipartOutput({ title: string, content: file, more: textStream, again: file })),
    handle((input) => ({
      title: 'Emma',
      content: input.query.path,
      more: texts(),
      again: input.query.path,
    })),
  ),
  bytes: pipe(
    path('/bytes'),
    get(),
    produces(bytes),
    handle(async () => {
      await wait(2)
      return new Uint8Array(3_000_000)
    }),
  ),
  json: pipe(
    path('/json'),
    get(),
    produces(json(string)),
    handle(async () => {
      await wait(2)
      return line.repeat(50)
    }),
  ),
  jsonStream: pipe(
    path('/json-stream'),
    get(),
    produces(jsonStream(string)),
    handle(() => texts()),
  ),
  ndjson: pipe(
    path('/ndjson'),
    get(),
    produces(ndjson(string)),
    handle(() => texts()),
  ),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(string)),
    handle(() => texts()),
  ),
  iterable: pipe(
    path('/iterable'),
    get(),
    produces(byteStream),
    handle(() => parts()),
  ),
  readable: pipe(
    path('/readable'),
    get(),
    named,
    produces(byteStream),
    handle((input) => createReadStream(input.query.path)),
  ),
  failingReadable: pipe(
    path('/failing-readable'),
    get(),
    produces(byteStream),
    handle(() => failingReadable()),
  ),
  web: pipe(
    path('/web'),
    get(),
    produces(byteStream),
    handle(() => webStream()),
  ),
  observable: pipe(
    path('/observable'),
    get(),
    produces(textStream),
    handle((_, context) => observable(context, cancelled)),
  ),
  aborted: pipe(
    path('/aborted'),
    get(),
    produces(textStream),
    handle((_, context) => failing(context, () => context.request.signal.reason)),
  ),
  cancelled: pipe(
    path('/cancelled'),
    get(),
    produces(textStream),
    handle((_, context) => failing(context, cancelled)),
  ),
  invalid: pipe(
    path('/invalid'),
    get(),
    produces(jsonStream(string)),
    handle((_, context) => failing(context, other)),
  ),
  rejected: pipe(
    path('/rejected'),
    get(),
    produces(text),
    handle((_, context) => rejecting(context, cancelled)),
  ),
  rejectedStream: pipe(
    path('/rejected-stream'),
    get(),
    produces(textStream),
    handle(async function* (_, context) {
      yield await rejecting(context, cancelled)
    }),
  ),
  late: pipe(
    path('/late'),
    get(),
    produces(text),
    handle(async (_, { request: { signal } }) => {
      // an error before the disconnect would be logged
      if (!signal.aborted) await once(signal, 'abort')
      await wait(30)
      throw cancelled()
    }),
  ),
  failing: pipe(
    path('/failing'),
    get(),
    produces(text),
    handle(async () => {
      await wait(1)
      throw cancelled()
    }),
  ),
  receiveText: pipe(
    path('/receive-text'),
    post(),
    body(text),
    produces(text),
    handle((input) => String(input.body.length)),
  ),
  receiveFile: pipe(
    path('/receive-file'),
    post(),
    body(fileBody),
    produces(text),
    handle((input) => String(input.body.size)),
  ),
  receiveForm: pipe(
    path('/receive-form'),
    post(),
    form({ file: upload }),
    produces(text),
    handle((input) => String(input.form.file.size)),
  ),
  receiveParts: pipe(
    path('/receive-parts'),
    post(),
    body(multipartStream),
    produces(text),
    handle(async (input) => {
      let size = 0
      for await (const part of input.body)
        for await (const { length } of part.content) size += length
      return String(size)
    }),
  ),
  receiveStream: pipe(
    path('/receive-stream'),
    post(),
    body(byteStream),
    produces(byteStream),
    handle((input) => input.body),
  ),
}

export const api = routes({
  loop: routes(operations),
  filtered: pipe(
    routes(operations),
    prefix('/filtered'),
    withFilter(
      responseFilter(async (response) => wait(1, withHeader('X-Filtered', 'yes')(response))),
    ),
    withInterceptor(writerInterceptor((_, proceed) => proceed())),
  ),
  worker: pipe(routes(operations), prefix('/worker'), blocking),
})

export const disconnectingModule = import.meta.url
