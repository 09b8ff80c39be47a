/** Operations with custom JSON and XML, and with entities that readers, writers and interceptors convert. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  body,
  entity,
  handle,
  int,
  json,
  onlyOn,
  path,
  post,
  produces,
  reader,
  readerInterceptor,
  routes,
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

/** The body of all operations. */
export const Point = t.type({ x: int, y: int }, 'Point')

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

export const customRoutes = routes({ jsonRules, entities, xmlOptions })
