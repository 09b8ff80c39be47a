/** Operations with every representation of a body. */
import { pipe } from 'fp-ts/lib/function.js'
import { cbor } from '../../../src/cbor.ts'
import { hal } from '../../../src/hal.ts'
import {
  as,
  body,
  byteStream,
  bytes,
  example,
  file,
  fileBody,
  filePart,
  formMap,
  get,
  handle,
  html,
  inLanguage,
  int,
  json,
  ndjson,
  jsonStream,
  path,
  post,
  produces,
  put,
  rawJson,
  representation,
  routes,
  tags,
  text,
  textStream,
  withEtag,
} from '../../../src/index.ts'
import { xml } from '../../../src/xml.ts'
import { Document, Scalars, Structures, Times, Unrestricted } from '../every-codec.ts'
import { customRoutes, Point } from './custom-formats.ts'

const csv = representation({
  mediaType: 'text/csv',
  read: (data) => new TextDecoder().decode(data).split(','),
  write: (cells: ReadonlyArray<string>) => cells.join(),
})

const codecs = routes({
  echoScalars: pipe(
    path('/scalars'),
    post(),
    body(json(Scalars)),
    produces(json(Scalars)),
    handle((input) => input.body),
  ),
  echoTimes: pipe(
    path('/times'),
    post(),
    body(json(Times)),
    produces(json(Times)),
    handle((input) => input.body),
  ),
  echoStructures: pipe(
    path('/structures'),
    post(),
    body(json(Structures)),
    produces(json(Structures)),
    handle((input) => input.body),
  ),
  echoAll: pipe(
    path('/unrestricted'),
    post(),
    body(json(Unrestricted)),
    produces(json(Unrestricted)),
    handle((input) => input.body),
  ),
  echoDocument: pipe(
    path('/document'),
    post(),
    body(xml(Document), json(Document)),
    produces(xml(Document), json(Document)),
    handle((input) => input.body),
  ),
})

const contents = routes({
  echoText: pipe(
    path('/text'),
    post(),
    body(text),
    produces(text, html),
    handle((input) => input.body),
  ),
  echoNumber: pipe(
    path('/number'),
    post(),
    body(int),
    produces(int),
    handle((input) => input.body),
  ),
  echoRawJson: pipe(
    path('/raw-json'),
    post(),
    body(rawJson),
    produces(rawJson),
    handle((input) => input.body),
  ),
  echoBytes: pipe(
    path('/bytes'),
    post(),
    body(bytes, as('image/png')(bytes)),
    produces(withEtag('weak')(bytes)),
    handle((input) => input.body),
  ),
  echoByteStream: pipe(
    path('/byte-stream'),
    post(),
    body(byteStream),
    produces(byteStream),
    handle((input) => input.body),
  ),
  echoTextStream: pipe(
    path('/text-stream'),
    post(),
    body(textStream),
    produces(textStream),
    handle((input) => input.body),
  ),
  exportPoints: pipe(
    path('/points'),
    get(),
    produces(jsonStream(Point), ndjson(Point)),
    handle(() => [{ x: 1, y: 2 }]),
  ),
  storeFile: pipe(
    path('/file'),
    put(),
    body(fileBody),
    produces(file),
    handle(({ body: { path: name } }) => name),
  ),
  readRange: pipe(
    path('/file'),
    get(),
    produces(file),
    handle(() => filePart('/dev/null', { offset: 0, count: 0 })),
  ),
  echoFormMap: pipe(
    path('/form-map'),
    post(),
    body(formMap),
    produces(formMap),
    handle((input) => input.body),
  ),
  echoCells: pipe(
    path('/cells'),
    post(),
    body(csv),
    produces(csv),
    example('cells', ['a', 'b']),
    handle((input) => input.body),
  ),
  echoFormats: pipe(
    path('/formats'),
    post(),
    body(json(Point), cbor(Point), xml(Point)),
    produces(json(Point), cbor(Point), hal(Point), xml(Point)),
    handle((input) => input.body),
  ),
  greet: pipe(
    path('/greeting'),
    get(),
    produces(inLanguage('en')(text), inLanguage('de')(text)),
    handle((_, { response }) => (response.language === 'de' ? 'Hallo' : 'Hello')),
  ),
})

export const bodyRoutes = pipe(
  routes({ codecs, contents, custom: customRoutes }),
  tags({ name: 'bodies', description: 'Representations of bodies' }),
)
