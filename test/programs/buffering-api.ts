/** An operation for each kind of request body. The operations return the size of the body; some wait at a gate first. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  blocking,
  body,
  byteStream,
  bytes,
  compressed,
  fileBody,
  form,
  formMap,
  get,
  handle,
  int,
  json,
  multipartInput,
  noContent,
  part,
  path,
  post,
  produces,
  query,
  optional,
  representation,
  responds,
  routes,
  string,
  text,
  upload,
  withEtag,
} from '../../src/index.ts'
import { xml } from '../../src/xml.ts'
import { waitAtGate } from '../support/gate.ts'

const lines = representation({
  mediaType: 'text/x-lines',
  read: (data) => new TextDecoder().decode(data).split('\n'),
  write: (values: ReadonlyArray<string>) => values.join('\n'),
})

const gated = query({ gate: optional(string) })

const sizeAfterGate = async (gate: string | undefined, size: number): Promise<string> => {
  if (gate !== undefined) await waitAtGate(gate)
  return String(size)
}

const whole = {
  json: pipe(
    path('/json'),
    post(),
    body(json(t.string)),
    produces(text),
    handle((input) => String(input.body.length)),
  ),
  text: pipe(
    path('/text'),
    post(),
    gated,
    body(text),
    produces(text),
    handle((input) => sizeAfterGate(input.query.gate, input.body.length)),
  ),
  atOnce: pipe(
    path('/at-once'),
    post(),
    body(text),
    produces(text),
    handle((input) => String(input.body.length)),
  ),
  bytes: pipe(
    path('/bytes'),
    post(),
    body(bytes),
    produces(text),
    handle((input) => String(input.body.length)),
  ),
  fields: pipe(
    path('/fields'),
    post(),
    form({ a: string }),
    produces(text),
    handle((input) => String(input.form.a.length)),
  ),
  map: pipe(
    path('/map'),
    post(),
    body(formMap),
    produces(text),
    handle((input) => String(input.body.get('a')?.[0]?.length)),
  ),
  xml: pipe(
    path('/xml'),
    post(),
    body(xml(t.type({ a: t.string }, 'Doc'))),
    produces(text),
    handle((input) => String(input.body.a.length)),
  ),
  lines: pipe(
    path('/lines'),
    post(),
    body(lines),
    produces(text),
    handle((input) => String(input.body[0]?.length)),
  ),
  never: pipe(
    path('/never'),
    post(),
    body(text),
    responds(204),
    handle(async () => {
      await new Promise(() => undefined)
      return noContent
    }),
  ),
  fails: pipe(
    path('/fails'),
    post(),
    body(text),
    responds(204),
    handle(() => {
      throw new Error('internal error')
    }),
  ),
}

const sizeOf = async (content: AsyncIterable<Uint8Array>): Promise<number> => {
  let size = 0
  for await (const chunk of content) size += chunk.length
  return size
}

const gradual = {
  parts: pipe(
    path('/parts'),
    post(),
    gated,
    form({ a: part(text) }),
    produces(text),
    handle((input) => sizeAfterGate(input.query.gate, input.form.a.length)),
  ),
  input: pipe(
    path('/input'),
    post(),
    gated,
    body(multipartInput),
    produces(text),
    handle((input) => sizeAfterGate(input.query.gate, input.body.values.size)),
  ),
  upload: pipe(
    path('/upload'),
    post(),
    gated,
    form({ a: upload }),
    produces(text),
    handle((input) => sizeAfterGate(input.query.gate, input.form.a.size)),
  ),
  stream: pipe(
    path('/stream'),
    post(),
    gated,
    body(byteStream),
    produces(text),
    handle(async (input) => {
      await sizeAfterGate(input.query.gate, 0)
      return String(await sizeOf(input.body))
    }),
  ),
  file: pipe(
    path('/file'),
    post(),
    gated,
    body(fileBody),
    produces(text),
    handle((input) => sizeAfterGate(input.query.gate, input.body.size)),
  ),
  relay: pipe(
    path('/relay'),
    post(),
    body(byteStream),
    produces(byteStream),
    handle((input) => input.body),
  ),
}

async function* repeated(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield new Uint8Array(64 * 1024)
}

const sized = (
  template: '/large/{kilobytes}' | '/tagged/{kilobytes}' | '/compressed/{kilobytes}',
) => pipe(path(template, { kilobytes: int }), get())

const large = (kilobytes: number): string => 'x'.repeat(kilobytes * 1024)

const responses = {
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
  large: pipe(
    sized('/large/{kilobytes}'),
    produces(text),
    handle((input) => large(input.path.kilobytes)),
  ),
  tagged: pipe(
    sized('/tagged/{kilobytes}'),
    produces(withEtag('strong')(text)),
    handle((input) => large(input.path.kilobytes)),
  ),
  compressed: pipe(
    sized('/compressed/{kilobytes}'),
    produces(text),
    handle((input) => large(input.path.kilobytes)),
    compressed,
  ),
  chunks: pipe(
    path('/chunks/{count}', { count: int }),
    get(),
    produces(byteStream),
    handle((input) => repeated(input.path.count)),
  ),
}

export const api = routes({
  whole: routes(whole),
  gradual: routes(gradual),
  responses: routes(responses),
})

/** A route tree with an operation that runs on workers. */
export const blockingApi = routes({
  worker: pipe(
    path('/worker'),
    post(),
    gated,
    body(text),
    produces(text),
    handle((input) => sizeAfterGate(input.query.gate, input.body.length)),
    blocking,
  ),
  text: whole.text,
  alive: responses.alive,
})

export const bufferingModule: string = import.meta.url
