/** Operations for hostile requests. They read their complete input and discard it. */
import { pipe } from 'fp-ts/lib/function.js'
import type * as Io from 'io-ts'
import type { Routes } from '../../src/index.ts'
import { codecs } from './codecs.ts'
import { headOperations } from './head-operations.ts'
import { loadOperations } from './load-operations.ts'
import type { Library } from './library.ts'

const done = (): void => undefined

const consume = async (chunks: AsyncIterable<unknown>): Promise<void> => {
  for await (const chunk of chunks) done.call(chunk)
}

/** The path of the operation that reads an array of a codec in a format; in HAL, the array is the member `items`. */
export const pathOf = (format: 'json' | 'hal' | 'lossless' | 'form', codec: string): string =>
  `/${format}/${codec.replaceAll(' ', '-')}`

/** Creates the route tree with a build of espalier. */
export const api = (library: Library): Routes<unknown> => {
  const { t, espalier: e } = library
  const { body, handle, json, path, post, routes } = e
  const all = Object.entries(codecs(library)).map(
    ([name, { codec }]) => [name, t.array(codec) as Io.Type<unknown, unknown>] as const,
  )
  const reading = (format: 'json' | 'hal' | 'lossless') =>
    all.map(([name, array]) => {
      const representation =
        format === 'hal' ? library.hal.hal(t.type({ items: array })) : json(array)
      const operation = pipe(path(pathOf(format, name)), post(), body(representation), handle(done))
      return [
        `${format} ${name}`,
        format === 'lossless' ? library.json.lossless(operation) : operation,
      ]
    })
  const operations = {
    ...Object.fromEntries([...reading('json'), ...reading('hal'), ...reading('lossless')]),
    ...bodies(library),
    ...forms(library),
    ...headOperations(library),
    ...loadOperations(library),
  }
  return pipe(
    routes(operations) as Routes<unknown>,
    e.withFilter(e.cors({ origins: [/^https:\/\/[a-z]+\.example$/] })),
  )
}

const bodies = ({ t, espalier: e, json: j, xml: x }: Library) => {
  const { body, handle, path, post } = e
  const to = (at: string) => pipe(path(at), post())
  const Item = t.type({ a: t.array(t.string), b: e.optional(t.number) })
  const Root = x.xmlRootElement('root')(
    t.type({
      item: t.array(Item),
      n: e.list(e.int),
      at: e.optional(x.xmlAttribute()(t.string)),
    }),
  )
  const sizeReader = e.reader({
    mediaType: 'application/own',
    read: (data) => ({ x: data.length }),
  })
  return {
    unknown: pipe(to('/unknown'), body(e.json(t.unknown)), handle(done)),
    unknownLossless: j.lossless(pipe(to('/lossless'), body(e.json(t.unknown)), handle(done))),
    xml: pipe(to('/xml'), body(x.xml(Root)), handle(done)),
    text: pipe(to('/text'), body(e.text), handle(done)),
    html: pipe(to('/html'), body(e.html), handle(done)),
    int: pipe(to('/int'), body(e.int), handle(done)),
    raw: pipe(to('/raw-json'), body(e.rawJson), handle(done)),
    bytes: pipe(to('/bytes'), body(e.bytes), handle(done)),
    byteStream: pipe(
      to('/byte-stream'),
      body(e.byteStream),
      handle((input) => consume(input.body)),
    ),
    textStream: pipe(
      to('/text-stream'),
      body(e.textStream),
      handle((input) => consume(input.body)),
    ),
    file: pipe(to('/file'), body(e.fileBody), handle(done)),
    own: pipe(
      e.routes({ own: pipe(to('/own'), body(e.entity(t.type({ x: t.number }))), handle(done)) }),
      e.withReader(sizeReader),
    ),
  }
}

const forms = ({ t, espalier: e }: Library) => {
  const { body, form, handle, path, post } = e
  const to = (at: string) => pipe(path(at), post())
  return {
    form: pipe(
      to('/form'),
      form({
        a: e.list(e.string),
        n: e.list(e.int),
        d: e.list(e.instant),
        s: e.set(e.string),
        c: e.separated(',')(e.list(e.number)),
        o: e.optional(e.decimal),
      }),
      handle(done),
    ),
    formMap: pipe(to('/form-map'), body(e.formMap), handle(done)),
    parts: pipe(
      to('/parts'),
      form({
        a: e.list(e.string),
        n: e.list(e.int),
        note: e.optionalPart(e.part(e.json(t.array(t.union([t.string, t.type({ a: t.number })]))))),
        file: e.uploads,
      }),
      handle(done),
    ),
    allParts: pipe(to('/all-parts'), body(e.multipartInput), handle(done)),
    streamedParts: pipe(
      to('/streamed-parts'),
      body(e.multipartStream),
      handle(async (input) => {
        for await (const { content } of input.body) await consume(content)
      }),
    ),
  }
}
