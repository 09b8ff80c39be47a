/** JSON by functions of the application's own. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  Conflict,
  as,
  body,
  created,
  decimal,
  entity,
  fails,
  form,
  get,
  handle,
  inView,
  int,
  json,
  jsonStream,
  jsonView,
  list,
  mapError,
  multipartOutput,
  ndjson,
  ok,
  part,
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
import {
  customDeserialization,
  customSerialization,
  lossless,
  omitEmpty,
  omitNull,
} from '../../src/json.ts'
import type { Row } from '../support/ask.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/doors.ts'

const Book = t.type({ title: t.string, pages: int }, 'Book')
const Missing = t.type({ missing: t.string }, 'Missing')
const [Public, Internal] = [view('Public'), view('Internal')]
const Viewed = t.type(
  { title: t.string, price: inView(Internal)(int), cost: secureField('owner')(int) },
  'Viewed',
)
const emma = { title: 'Emma', pages: 474, shelf: 3 }
const note = t.type({
  a: t.union([t.string, t.null]),
  b: list(t.string),
  c: t.union([decimal, t.null]),
})

/** Names the codec and what was encoded. */
const named =
  (mark: string): Serialization =>
  (codec) =>
  (encoded) =>
    JSON.stringify([mark, codec.name, encoded])

/** Throws for a title. */
const failing: Serialization = (_, stringify) => (encoded) => {
  if (JSON.stringify(encoded).includes('Persuasion')) throw new Error('secret')
  return stringify(encoded)
}

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

const api = () => {
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

const titles = list(t.type({ title: t.string }))

const breaking = {
  broken: pipe(
    path('/broken/{title}'),
    get(),
    customSerialization(failing),
    produces(json(titles)),
    handle(({ path: { title } }) => [{ title: 'Emma' }, { title }]),
  ),
  unmade: pipe(
    path('/unmade'),
    get(),
    customSerialization(() => {
      throw new Error('secret')
    }),
    produces(json(titles)),
    handle(() => [{ title: 'Emma' }]),
  ),
  untold: pipe(
    path('/untold'),
    get(),
    customSerialization((() => () => 1) as unknown as Serialization),
    produces(json(titles)),
    handle(() => [{ title: 'Emma' }]),
  ),
  silent: pipe(
    path('/silent'),
    get(),
    customSerialization(() => () => undefined),
    produces(json(titles)),
    handle(() => [{ title: 'Emma' }]),
  ),
  cyclic: pipe(
    path('/cyclic'),
    get(),
    lossless,
    produces(json(t.unknown)),
    handle(() => {
      const cyclic: unknown[] = []
      cyclic.push(cyclic)
      return cyclic
    }),
  ),
  stream: pipe(
    path('/stream/{title}'),
    get(),
    customSerialization(failing),
    produces(jsonStream(t.type({ title: t.string }))),
    handle(({ path: { title } }) => [{ title }]),
  ),
}

const empty = { a: null, b: [], c: null }
const full = { a: '', b: [''], c: { unscaled: 1250n, scale: 2 } }

const omitting = {
  nonNull: pipe(
    path('/non-null'),
    get(),
    customSerialization(omitNull),
    produces(json(list(note))),
    handle(() => [empty, full]),
  ),
  nonEmpty: pipe(
    path('/non-empty'),
    get(),
    customSerialization(omitEmpty),
    produces(json(list(note))),
    handle(() => [empty, full]),
  ),
  exactly: pipe(
    path('/exactly'),
    get(),
    customSerialization(omitNull),
    lossless,
    produces(json(list(note))),
    handle(() => [empty, full]),
  ),
}

const byType: Deserialization = (codec, parse) =>
  codec.name === 'Book' ? (sent) => ({ ...Object(parse(sent)), pages: 1 }) : parse

const reading = {
  one: pipe(
    path('/one'),
    post(),
    body(customDeserialization(byType)(json(Book)), as('application/vnd.book+json')(json(Book))),
    produces(json(Book)),
    handle((input) => ok(input.body)),
  ),
  other: pipe(
    path('/other'),
    post(),
    customDeserialization(byType),
    body(json(t.type({ title: t.string }))),
    produces(json(t.type({ title: t.string }))),
    handle((input) => ok(input.body)),
  ),
  part: pipe(
    path('/part'),
    post(),
    customDeserialization(byType),
    form({ book: part(json(Book)) }),
    produces(json(Book)),
    handle((input) => ok(input.form.book)),
  ),
  refusing: pipe(
    path('/refusing'),
    post(),
    customDeserialization(() => () => {
      throw new Error('secret')
    }),
    body(json(Book)),
    produces(json(Book)),
    handle((input) => ok(input.body)),
  ),
  saying: pipe(
    path('/saying'),
    post(),
    customDeserialization(() => () => {
      throw new Conflict('not now')
    }),
    body(json(Book)),
    produces(json(Book)),
    handle((input) => ok(input.body)),
  ),
  exact: pipe(
    path('/exact'),
    post(),
    customDeserialization((_, parse) => (sent) => parse(sent.replace('pounds', '12.50'))),
    lossless,
    body(json(decimal)),
    produces(json(decimal)),
    handle((input) => ok(input.body)),
  ),
}

type Text = readonly [name: string, to: string, expected: string, accept?: string]

const book = { title: 'Emma', pages: 474 }
const indented = '{\n  "title": "Emma",\n  "pages": 474\n}'

contract('R-264 to R-269: JSON by functions', api, (test, call) => {
  const answer = async (line: string, init?: RequestInit) => {
    const response = await ask(call, line, init)
    return [response.status, await response.text()] as const
  }
  const rows: ReadonlyArray<Row> = [
    ['R-264: on a tree', '/tree', ['tree', 'Book', book]],
    ['on a resource', '/resource', ['resource', 'Book', book]],
    ['the operation wins', '/operation', ['operation', 'Book', book]],
    ['and so does the representation', '/representation', ['one', 'Book', book]],
    ['which keeps it under another type', '/retyped', ['one', 'Book', book]],
    ['it is given what is shown', '/viewed', ['tree', 'Viewed', { title: 'Emma' }]],
    ['and beside its tag', '/tagged', ['one', 'Book', book]],
    ['for entities', '/entity', ['tree', 'Book', book]],
    ['for declared answers', '/created', ['tree', 'Book', book]],
    ['for failures', '/fails', ['tree', 'Missing', { missing: 'Emma' }]],
    ['for mapped errors', '/mapped', ['tree', 'Missing', { missing: 'Emma' }]],
  ]
  table<Row>(test, rows, async (_, to, expected) =>
    assert.is((await answer(`GET ${to}`))[1], JSON.stringify(expected)),
  )
  const texts: ReadonlyArray<Text> = [
    ['not for text', '/text', 'as it is'],
    ['in a stream', '/lines', `[${indented},${indented}]`, 'application/json'],
    [
      'a value a line, whatever is written',
      '/lines',
      `${'{"title": "Emma","pages": 474}\n'.repeat(2)}`,
      'application/x-ndjson',
    ],
    ['as events', '/events', `${indented.replaceAll(/^/gm, 'data: ')}\n\n`.repeat(2)],
    ['single values of events stay as they are', '/numbers', 'data: 1\n\ndata: 2\n\n'],
    ['unless they are JSON', '/data', 'data: ["tree","int",1]\n\n'],
    ['R-268: non-null', '/non-null', '[{"b":[]},{"a":"","b":[""],"c":"12.50"}]'],
    ['R-268: non-empty', '/non-empty', '[{},{"b":[""],"c":"12.50"}]'],
    ['R-268: with every digit', '/exactly', '[{"b":[]},{"a":"","b":[""],"c":12.50}]'],
    ['R-269: what can be written is', '/broken/Emma', '[{"title":"Emma"},{"title":"Emma"}]'],
  ]
  table<Text>(test, texts, async (_, to, expected, accept = '*/*') =>
    assert.equal(await answer(`GET ${to}`, { headers: { accept } }), [200, expected]),
  )
  test('in the parts of a form', async () => {
    const [, sent] = await answer('GET /parts')
    assert.ok(sent.includes(`\r\n\r\n${JSON.stringify(['tree', 'Book', book])}\r\n`), sent)
  })
  test('not for problems', async () => {
    const [status, sent] = await answer('GET /problem')
    assert.is(status, 409)
    assert.is(JSON.parse(sent).status, 409)
  })
  table(
    test,
    [
      ['R-269: what throws while it writes', '/broken/Persuasion'],
      ['what throws when it is made', '/unmade'],
      ['what gives no text', '/untold'],
      ['what gives nothing', '/silent'],
      ['what has itself inside', '/cyclic'],
      ['what throws before a stream has begun', '/stream/Persuasion'],
    ] as const,
    async (_, to) => {
      const [status, sent] = await answer(`GET ${to}`)
      assert.is(status, 500)
      assert.not.match(sent, /Emma|Persuasion|secret/)
      assert.is((await answer(`GET ${to}`))[0], 500) // and again
    },
  )
  const typed = (sent: string, type = 'application/json'): RequestInit => ({
    headers: { 'content-type': type },
    body: sent,
  })
  const emmaOnly = '{"title":"Emma"}'
  table<
    readonly [name: string, line: string, init: RequestInit, status: number, expected?: string]
  >(
    test,
    [
      ['R-265: reads', '/one', typed(emmaOnly), 200, '{"title":"Emma","pages":1}'],
      ['R-265: not as another type', '/one', typed(emmaOnly, 'application/vnd.book+json'), 400],
      ['R-266: chooses by the codec', '/other', typed(emmaOnly), 200, emmaOnly],
      ['R-265: what it gives is decoded', '/one', typed('{"title":1}'), 400],
      ['what throws', '/refusing', typed(emmaOnly), 400],
      ['an HttpError is the answer', '/saying', typed(emmaOnly), 409],
      ['with every digit', '/exact', typed('pounds'), 200, '12.50'],
      ['no content is not given to it', '/refusing', typed(''), 400],
    ],
    async (_, to, init, status, expected) => {
      const [found, sent] = await answer(`POST ${to}`, init)
      assert.is(found, status)
      if (expected !== undefined) assert.is(sent, expected)
      assert.not.match(sent, /secret/)
    },
  )
  test('R-265: the parts of forms', async () => {
    const sent = new FormData()
    sent.set('book', emmaOnly)
    assert.equal(await answer('POST /part', { body: sent }), [200, '{"title":"Emma","pages":1}'])
  })
  test('R-264, R-265: functions are made once for a codec', async () => {
    const sent = typed(JSON.stringify(book))
    for (const accept of ['*/*', 'application/vnd.book+json', '*/*'])
      assert.is(
        (
          await answer('POST /count', {
            ...sent,
            headers: { 'content-type': 'application/json', accept },
          })
        )[0],
        200,
      )
    assert.equal(JSON.parse((await answer('GET /made'))[1]), ['in Book', 'Book'])
  })
})
