/** Operations with custom JSON serializers that write their own names. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  Conflict,
  as,
  body,
  created,
  entity,
  fails,
  get,
  handle,
  inView,
  int,
  json,
  jsonStream,
  jsonView,
  mapError,
  multipartOutput,
  ndjson,
  ok,
  path,
  post,
  produces,
  reply,
  responds,
  routes,
  secureField,
  sse,
  text,
  view,
  withEtag,
  withMapper,
} from '../../../src/index.ts'
import type { Deserialization, Serialization } from '../../../src/json.ts'
import { customDeserialization, customSerialization } from '../../../src/json.ts'
import { Book, breaking, omitting, reading } from './json-functions.ts'

const Missing = t.type({ missing: t.string }, 'Missing')
const [Public, Internal] = [view('Public'), view('Internal')]
const Viewed = t.type(
  { title: t.string, price: inView(Internal)(int), cost: secureField('owner')(int) },
  'Viewed',
)
const emma = { title: 'Emma', pages: 474, shelf: 3 }

/** Writes `label`, the name of the codec and the encoded value. */
const labelled =
  (label: string): Serialization =>
  (codec) =>
  (encoded) =>
    JSON.stringify([label, codec.name, encoded])

/** Records the codecs for which a serializer or deserializer is created. */
const creationRecorder = () => {
  const codecs: string[] = []
  const recordedSerialization: Serialization = (codec, stringify) => {
    codecs.push(codec.name)
    return stringify
  }
  const recordedDeserialization: Deserialization = (codec, parse) => {
    codecs.push(`in ${codec.name}`)
    return parse
  }
  return { codecs, recordedSerialization, recordedDeserialization }
}

const pretty = customSerialization(() => (encoded) => JSON.stringify(encoded, null, 2))
const emmas = [emma, emma]

/** A tree with custom serializers on trees, resources, operations and representations. */
export const customJson = () => {
  const { codecs, recordedSerialization, recordedDeserialization } = creationRecorder()
  const count = pipe(
    path('/count'),
    post(),
    customSerialization(recordedSerialization),
    customDeserialization(recordedDeserialization),
    body(json(Book)),
    produces(json(Book), as('application/vnd.book+json')(json(Book))),
    handle((input) => ok(input.body)),
  )
  const tree = routes({
    tree: pipe(
      path('/tree'),
      get(),
      produces(json(Book)),
      handle(() => emma),
    ),
    resource: pipe(
      path('/resource'),
      customSerialization(labelled('resource')),
      get(),
      produces(json(Book)),
      handle(() => emma),
    ),
    operation: pipe(
      path('/operation'),
      customSerialization(labelled('resource')),
      get(),
      customSerialization(labelled('operation')),
      produces(json(Book)),
      handle(() => emma),
    ),
    representation: pipe(
      path('/representation'),
      get(),
      customSerialization(labelled('operation')),
      produces(
        customSerialization(labelled('representation'))(json(Book)),
        as('application/vnd.book+json')(json(Book)),
      ),
      handle(() => emma),
    ),
    retyped: pipe(
      path('/retyped'),
      get(),
      produces(
        as('application/vnd.book+json')(
          customSerialization(labelled('representation'))(json(Book)),
        ),
      ),
      handle(() => emma),
    ),
    viewed: pipe(
      path('/viewed'),
      get(),
      jsonView(Public),
      produces(json(Viewed)),
      handle(() => ({ title: 'Emma', price: 12, cost: 10 })),
    ),
    etag: pipe(
      path('/etag'),
      get(),
      produces(customSerialization(labelled('representation'))(withEtag('strong')(json(Book)))),
      handle(() => emma),
    ),
    entity: pipe(
      path('/entity'),
      get(),
      produces(entity(Book)),
      handle(() => emma),
    ),
    text: pipe(
      path('/text'),
      get(),
      produces(text),
      handle(() => 'unchanged'),
    ),
    lines: pipe(
      path('/lines'),
      get(),
      pretty,
      produces(ndjson(Book), jsonStream(Book)),
      handle(() => ok(emmas)),
    ),
    events: pipe(
      path('/events'),
      get(),
      pretty,
      produces(sse(Book)),
      handle(() => ok(emmas)),
    ),
    numbers: pipe(
      path('/numbers'),
      get(),
      produces(sse(int)),
      handle(() => ok([1, 2])),
    ),
    data: pipe(
      path('/data'),
      get(),
      produces(sse(json(int))),
      handle(() => ok([1])),
    ),
    parts: pipe(
      path('/parts'),
      get(),
      produces(multipartOutput({ book: json(Book) })),
      handle(() => ok({ book: emma })),
    ),
    created: pipe(
      path('/created'),
      get(),
      responds(201, json(Book)),
      handle(() => created('/created', emma)),
    ),
    fails: pipe(
      path('/fails'),
      get(),
      produces(json(Book)),
      fails(404, json(Missing)),
      handle(() => reply(404, { missing: 'Emma' })),
    ),
    mapped: pipe(
      path('/mapped'),
      get(),
      produces(json(Book)),
      handle(() => {
        throw new RangeError('Emma')
      }),
    ),
    problem: pipe(
      path('/problem'),
      get(),
      produces(json(Book)),
      handle(() => {
        throw new Conflict('taken')
      }),
    ),
  })
  return routes({
    count,
    codecs: pipe(
      path('/codecs'),
      get(),
      produces(json(t.array(t.string))),
      handle(() => codecs),
    ),
    tree: pipe(
      tree,
      withMapper(
        mapError(RangeError, { fails: { 409: json(Missing) } }, ({ message }) =>
          reply(409, { missing: message }),
        ),
      ),
      customSerialization(labelled('tree')),
    ),
    ...breaking,
    ...omitting,
    ...reading,
  })
}
