/** Operations with every representation of a body. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { cbor } from '../../../src/cbor.ts'
import { hal } from '../../../src/hal.ts'
import {
  as,
  body,
  byteStream,
  bytes,
  entity,
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
  onlyOn,
  path,
  post,
  produces,
  put,
  rawJson,
  reader,
  readerInterceptor,
  representation,
  routes,
  tags,
  text,
  textStream,
  withEtag,
  withInterceptor,
  withReader,
  withWriter,
  writer,
  writerInterceptor,
} from '../../../src/index.ts'
import {
  customDeserialization,
  customSerialization,
  isJsonNumber,
  jsonLibrary,
  jsonNumber,
  lossless,
  omitEmpty,
  omitNull,
  standardJson,
} from '../../../src/json.ts'
import { customizeXml, withXml, withXmlContext, xml, xmlContext } from '../../../src/xml.ts'
import { Document, Scalars, Structures, Times, Unrestricted } from '../every-codec.ts'

const Point = t.type({ x: int, y: int }, 'Point')

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

const ascii = jsonLibrary({
  name: 'ascii',
  parse: JSON.parse,
  stringify: (value) =>
    JSON.stringify(value).replace(
      /[^\0-~]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
})

const point = pipe(path('/custom'), body(json(Point)), produces(json(Point)))

const jsonRules = routes({
  lossless: pipe(
    point,
    post('/lossless'),
    lossless,
    handle((input) => input.body),
  ),
  standardJson: pipe(
    point,
    post('/standard'),
    standardJson,
    handle((input) => input.body),
  ),
  jsonLibrary: pipe(
    point,
    post('/library'),
    ascii,
    handle((input) => input.body),
  ),
  omitNull: pipe(
    point,
    post('/omit-null'),
    customSerialization(omitNull),
    handle((input) => input.body),
  ),
  omitEmpty: pipe(
    point,
    post('/omit-empty'),
    customSerialization(omitEmpty),
    handle((input) => input.body),
  ),
  customDeserialization: pipe(
    point,
    post('/deserialization'),
    customDeserialization((_codec, parse) => (sent) => {
      const value = parse(sent)
      return isJsonNumber(value) ? jsonNumber('0') : value
    }),
    handle((input) => input.body),
  ),
})

const points = pipe(path('/points-as'), body(entity(Point)), produces(entity(Point)))

const entities = pipe(
  routes({
    echoEntity: pipe(
      points,
      post('/entity'),
      handle((input) => input.body),
    ),
  }),
  withReader(
    reader({
      mediaType: 'text/x-pair',
      of: Point,
      read: (data) => {
        const [x = 0, y = 0] = new TextDecoder().decode(data).split(' ').map(Number)
        return { x, y }
      },
    }),
  ),
  withWriter(writer({ mediaType: 'text/x-pair', of: Point, write: ({ x, y }) => `${x} ${y}` })),
  withInterceptor(
    onlyOn('server')(readerInterceptor((_reading, proceed) => proceed())),
    writerInterceptor((_writing, proceed) => proceed()),
  ),
)

const xmlOptions = routes({
  formatted: pipe(
    routes({
      echoPoint: pipe(
        path('/formatted'),
        post(),
        body(xml(Point)),
        produces(xml(Point)),
        handle((input) => input.body),
      ),
    }),
    customizeXml({ declaration: false }),
  ),
  inContext: pipe(
    routes({
      echoPoint: pipe(
        path('/in-context'),
        post(),
        body(xml(Point)),
        produces(xml(Point)),
        handle((input) => input.body),
      ),
    }),
    withXmlContext(xmlContext([Point], { formatted: true })),
  ),
  preferred: pipe(
    routes({
      echoPoint: pipe(
        points,
        post('/xml'),
        handle((input) => input.body),
      ),
    }),
    withXml(),
  ),
})

export const bodyRoutes = pipe(
  routes({ codecs, contents, jsonRules, entities, xmlOptions }),
  tags({ name: 'bodies', description: 'Representations of bodies' }),
)
