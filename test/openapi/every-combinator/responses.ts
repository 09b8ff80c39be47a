/** Operations with declared responses, and handlers that use every function of a reply. */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import {
  accepted,
  allow,
  attachment,
  body,
  cache,
  cacheControl,
  call,
  compareDecimals,
  compressed,
  conditional,
  contentLocation,
  created,
  decimal,
  etag,
  evaluatePreconditions,
  expires,
  fails,
  formatDecimal,
  get,
  handle,
  int,
  internalServerError,
  json,
  language,
  lastModified,
  link,
  mediaType,
  noCache,
  noContent,
  notAcceptable,
  notFound,
  notModified,
  ok,
  parseDecimal,
  path,
  permanentRedirect,
  post,
  problem,
  problemWith,
  produces,
  providersOf,
  put,
  reply,
  responds,
  responseHeader,
  responseHeaders,
  withHeaders,
  routes,
  seeOther,
  selectVariant,
  status,
  string,
  tags,
  temporaryRedirect,
  text,
  uncompressed,
  uri,
  variant,
  variants,
  vary,
  withCookie,
  withHeader,
  withoutHeader,
} from '../../../src/index.ts'
import { hal, addLinks, halCollection, halEntity } from '../../../src/hal.ts'
import { injectLinks, linkId, linksOf, rel } from '../../../src/links.ts'

const Note = t.type({ id: linkId(int), text: string }, 'Note')
const OutOfCredit = t.type(
  { type: t.literal('https://bank.example/out-of-credit'), balance: int },
  'OutOfCredit',
)

const notes = path('/notes')
const note = { id: 1, text: 'water the pears' }

const statuses = routes({
  listNotes: pipe(
    notes,
    get(),
    rel('notes', { entity: Note }),
    injectLinks(),
    produces(hal(t.readonlyArray(Note), { collection: 'notes' })),
    handle(() => pipe(halCollection([note]), addLinks({ rel: 'next', target: '/notes?page=2' }))),
  ),
  addNote: pipe(
    notes,
    post(),
    body(json(Note)),
    responds(201, json(Note)),
    fails(402, problemWith(OutOfCredit)),
    fails(409, problem),
    handle((input) => created('/notes/1', input.body)),
  ),
  getNote: pipe(
    notes,
    get('/{id}', { id: int }),
    rel('self', { entity: Note }),
    injectLinks('instance'),
    produces(json(Note), hal(Note)),
    fails(404, json(t.type({ _tag: t.literal('NoSuchNote'), id: int }, 'NoSuchNote'))),
    handle((_, context) =>
      linksOf(context).instance(Note, note).length === 0 ? ok(note) : ok(halEntity(note)),
    ),
  ),
  replaceNote: pipe(
    notes,
    put('/{id}', { id: int }),
    body(json(Note)),
    status(202),
    produces(text),
    responds(204),
    fails(404),
    handle(({ path: { id } }) =>
      id === 1 ? accepted('later') : id === 2 ? noContent : notFound(),
    ),
  ),
  moveNote: pipe(
    notes,
    post('/{id}/move', { id: int }),
    responds(303),
    responds(307),
    responds(308),
    fails(500, text),
    handle(({ path: { id } }) =>
      id === 1
        ? seeOther(uri`/notes/${id}`)
        : id === 2
          ? temporaryRedirect('/notes/2')
          : id === 3
            ? permanentRedirect('/notes/3')
            : internalServerError('not moved'),
    ),
  ),
})

const headers = routes({
  cached: pipe(
    path('/cached'),
    get(),
    cache({ maxAge: 60, private: true }),
    responseHeader('X-Robots-Tag', 'noindex'),
    responseHeaders({ xTotalCount: int }),
    compressed,
    produces(text),
    handle(() =>
      pipe(
        ok('text'),
        withHeaders({ xTotalCount: 3 }),
        expires(new Date(0)),
        etag('v1'),
        vary('Origin'),
        variants({ language: true }),
        link({ target: '/notes', rel: 'next' }),
        language('en'),
        contentLocation('/cached'),
        mediaType('text/plain'),
        attachment('notes.txt'),
        allow('GET'),
        withHeader('X-Total', '1'),
        withoutHeader('X-Internal'),
        withCookie({ name: 'seen', value: 'yes' }),
      ),
    ),
  ),
  uncached: pipe(
    path('/uncached'),
    get(),
    noCache(),
    uncompressed,
    produces(text),
    handle(() => pipe(ok('text'), cacheControl({ noStore: true }), lastModified(new Date(0)))),
  ),
})

const version = { etag: () => 'v1' }

const negotiation = routes({
  readConditionally: pipe(
    path('/conditional'),
    get(),
    produces(text),
    conditional(version),
    handle(() => 'text'),
  ),
  writeConditionally: pipe(
    path('/conditional'),
    put(),
    body(text),
    produces(text),
    conditional(version),
    handle((input) => input.body),
  ),
  evaluate: pipe(
    path('/evaluated'),
    get(),
    produces(text),
    responds(304),
    fails(412),
    handle((_, context) =>
      pipe(
        evaluatePreconditions(context, { etag: 'v1' }),
        O.getOrElseW(() => (context.request.method === 'HEAD' ? notModified : ok('text'))),
      ),
    ),
  ),
  selectVariant: pipe(
    path('/variants'),
    get(),
    produces(text),
    fails(406),
    handle((_, context) =>
      pipe(
        selectVariant(context, [{ language: 'en' }, { language: 'de' }]),
        O.matchW(
          () => notAcceptable(),
          (selected) => pipe(ok('text'), variant(selected)),
        ),
      ),
    ),
  ),
})

const compare = pipe(
  path('/compare/{price}', { price: decimal }),
  get(),
  produces(text),
  handle(({ path: { price } }) =>
    pipe(
      parseDecimal('0.5'),
      O.filter((half) => compareDecimals(price, half) > 0),
      O.getOrElse(() => price),
      formatDecimal,
    ),
  ),
)

const local = pipe(
  path('/local'),
  get(),
  produces(text),
  fails(404),
  handle((_, context) =>
    pipe(
      providersOf(context).mapper(new Error('unmapped')) === undefined ? '1' : '2',
      (price) => decimal.decode(price),
      TE.fromEither,
      TE.mapLeft(() => notFound()),
      TE.chainW((price) => call(context, compare, { path: { price } })),
      TE.matchW(
        () => reply(404),
        ({ entity }) => ok(entity),
      ),
    ),
  ),
)

export const responseRoutes = pipe(
  routes({ statuses, headers, negotiation, compare, local }),
  tags({ name: 'responses', description: 'Responses and their headers' }),
)
