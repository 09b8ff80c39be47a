/** Operations that read parameters and headers, negotiate, check credentials and evaluate preconditions. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { fileURLToPath } from 'node:url'
import type { Library } from './library.ts'

const done = (): void => undefined

const parametersOf = ({ espalier: e }: Library) => ({
  a: e.list(e.string),
  n: e.list(e.int),
  x: e.list(e.number),
  d: e.list(e.instant),
  u: e.list(e.uuid),
  s: e.set(e.string),
  o: e.sortedSet(e.string),
  c: e.separated(',')(e.list(e.int)),
  b: e.list(e.decimal),
  t: e.list(e.duration),
  m: e.list(e.pattern(/^[a-z]{1,20}(?:-[a-z]{1,20})?$/)(e.string)),
})

export const headOperations = (library: Library) => ({
  ...parameters(library),
  ...representations(library),
  ...credentials(library),
})

const parameters = (library: Library) => {
  const { espalier: e } = library
  const { get, handle, path } = e
  const codecs = parametersOf(library)
  return {
    query: pipe(path('/query'), get(), e.query(codecs), handle(done)),
    queryMap: pipe(path('/query-map'), get(), e.queryMap, handle(done)),
    headers: pipe(
      path('/headers'),
      get(),
      e.header({
        'X-A': codecs.a,
        'X-N': codecs.n,
        'X-D': codecs.d,
        'X-C': codecs.c,
        'X-B': codecs.b,
      }),
      handle(done),
    ),
    cookies: pipe(path('/cookies'), get(), e.cookie(codecs), handle(done)),
    matrix: pipe(path('/matrix/{id}', { id: e.string }), get(), e.matrix(codecs), handle(done)),
    int: pipe(path('/path/int/{x}', { x: e.int }), get(), handle(done)),
    decimal: pipe(path('/path/decimal/{x}', { x: e.decimal }), get(), handle(done)),
    instant: pipe(path('/path/instant/{x}', { x: e.instant }), get(), handle(done)),
    several: pipe(
      path('/path/several/{a}-{b}-{c}', { a: e.string, b: e.string, c: e.string }),
      get(),
      handle(done),
    ),
    regex: pipe(path('/path/regex/{x:[a-z]+[0-9]}', { x: e.string }), get(), handle(done)),
    rest: pipe(path('/path/rest/{x}', { x: e.segments(e.int) }), get(), handle(done)),
    restAndTail: pipe(path('/path/tail/{x}/end', { x: e.segments(e.string) }), get(), handle(done)),
    events: pipe(
      path('/last-event'),
      get(),
      e.header({ 'Last-Event-ID': e.optional(e.string) }),
      handle(done),
    ),
  }
}

const representations = ({ t, espalier: e, xml: x }: Library) => {
  const { get, handle, path, produces } = e
  const Item = t.type({ a: t.string })
  const named = x.xmlRootElement('item')(Item)
  return {
    negotiated: pipe(
      path('/negotiated'),
      get(),
      produces(e.json(named), x.xml(named), e.as('application/vnd.a+json;qs=0.5')(e.json(named))),
      handle(() => ({ a: 'a'.repeat(5000) })),
    ),
    tagged: pipe(
      path('/tagged'),
      get(),
      produces(e.text),
      e.responds(304),
      e.fails(412),
      handle((_, context) =>
        pipe(
          e.evaluatePreconditions(context, { etag: 'v7', lastModified: new Date(0) }),
          O.getOrElseW(() => e.ok('content')),
        ),
      ),
    ),
    sentFile: pipe(
      path('/sent-file'),
      get(),
      produces(e.file),
      handle(() => fileURLToPath(import.meta.url)),
    ),
  }
}

const credentials = ({ espalier: e }: Library) => {
  const { get, handle, path, routes } = e
  const operation = (at: string) =>
    routes({ it: pipe(path(at), get(), e.authenticated, handle(done)) })
  return {
    basic: pipe(
      operation('/basic'),
      e.withFilter(e.basic({ realm: 'a', verify: () => undefined })),
    ),
    bearer: pipe(operation('/bearer'), e.withFilter(e.bearer({ verify: async () => O.none }))),
  }
}
