/** Operations whose JSON is written by a function that tells which one it is. */
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
} from '../../src/index.ts'
import type { Deserialization, Serialization } from '../../src/json.ts'
import { customDeserialization, customSerialization } from '../../src/json.ts'
import { Book, breaking, omitting, reading } from './json-functions.ts'

const Missing = t.type({ missing: t.string }, 'Missing')
const [Public, Internal] = [view('Public'), view('Internal')]
const Viewed = t.type(
  { title: t.string, price: inView(Internal)(int), cost: secureField('owner')(int) },
  'Viewed',
)
const emma = { title: 'Emma', pages: 474, shelf: 3 }
/** Names the codec and what was encoded. */
const named =
  (mark: string): Serialization =>
  (codec) =>
  (encoded) =>
    JSON.stringify([mark, codec.name, encoded])
const making = () => {
  const made: string[] = []
  const counted: Serialization = (codec, stringify) => {
    made.push(codec.name)
    return stringify
  }
  const countedIn: Deserialization = (codec, parse) => {
    made.push(`in ${codec.name}`)
    return parse
  }
  return { made, counted, countedIn }
}
const pretty = customSerialization(() => (encoded) => JSON.stringify(encoded, null, 2))
const emmas = [emma, emma]
/** A tree in which every place says by which function JSON is written. */
export const customJson = () => {
  const { made, counted, countedIn } = making()
  const count = pipe(
    path('/count'),
    post(),
    customSerialization(counted),
    customDeserialization(countedIn),
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
      customSerialization(named('resource')),
      get(),
      produces(json(Book)),
      handle(() => emma),
    ),
    operation: pipe(
      path('/operation'),
      customSerialization(named('resource')),
      get(),
      customSerialization(named('operation')),
      produces(json(Book)),
      handle(() => emma),
    ),
    representation: pipe(
      path('/representation'),
      get(),
      customSerialization(named('operation')),
      produces(
        customSerialization(named('one'))(json(Book)),
        as('application/vnd.book+json')(json(Book)),
      ),
      handle(() => emma),
    ),
    retyped: pipe(
      path('/retyped'),
      get(),
      produces(as('application/vnd.book+json')(customSerialization(named('one'))(json(Book)))),
      handle(() => emma),
    ),
    viewed: pipe(
      path('/viewed'),
      get(),
      jsonView(Public),
      produces(json(Viewed)),
      handle(() => ({ title: 'Emma', price: 12, cost: 10 })),
    ),
    tagged: pipe(
      path('/tagged'),
      get(),
      produces(customSerialization(named('one'))(withEtag('strong')(json(Book)))),
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
      handle(() => 'as it is'),
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
    made: pipe(
      path('/made'),
      get(),
      produces(json(t.array(t.string))),
      handle(() => made),
    ),
    tree: pipe(
      tree,
      withMapper(
        mapError(RangeError, { fails: { 409: json(Missing) } }, ({ message }) =>
          reply(409, { missing: message }),
        ),
      ),
      customSerialization(named('tree')),
    ),
    ...breaking,
    ...omitting,
    ...reading,
  })
}
