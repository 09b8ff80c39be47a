/** Policies for paths, and who says which roles they name. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  authenticated,
  authentication,
  denyAll,
  get,
  handle,
  identified,
  not,
  path,
  permitAll,
  post,
  produces,
  property,
  rolesAllowed,
  routes,
  text,
  when,
  withFilter,
} from '../../src/index.ts'
import { ask, says } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const reading = (to: string) => pipe(path(to), get(), produces(text), handle(says('read')))
const writing = (to: string) => pipe(path(to), post(), produces(text), handle(says('written')))

const known = authentication({ challenge: 'Test' }, ({ request }) => {
  const [name, ...roles] = request.header('X-User')?.split(' ') ?? []
  return name === undefined ? undefined : identified({ name, roles })
})

const tree = pipe(
  routes({
    home: reading('/'),
    public: pipe(
      routes({
        news: reading('/public/news'),
        inner: pipe(
          routes({ plans: reading('/public/inner/plans') }),
          rolesAllowed('${role.staff:staff}'),
        ),
      }),
      permitAll,
    ),
    read: reading('/books'),
    write: pipe(writing('/books'), rolesAllowed('${role.editors:editor}')),
    closed: pipe(reading('/closed'), denyAll),
    // a policy that a property chooses
    open: pipe(routes({ beta: pipe(reading('/beta'), permitAll) }), when(property('beta', 'open'))),
    shut: pipe(
      routes({ beta: pipe(reading('/beta'), denyAll) }),
      when(not(property('beta', 'open'))),
    ),
  }),
  authenticated,
  withFilter(known),
)

type Row = readonly [
  line: string,
  anonymous: number,
  somebody: number,
  staff: number,
  editor: number,
]

const rows = (beta: readonly [number, number, number, number]): ReadonlyArray<Row> => [
  ['GET /', 401, 200, 200, 200],
  ['GET /public/news', 200, 200, 200, 200],
  ['GET /public/inner/plans', 401, 403, 200, 403], // the longest path wins
  ['GET /books', 401, 200, 200, 200],
  ['POST /books', 401, 403, 403, 200], // and the method within it
  ['GET /closed', 401, 403, 403, 403],
  ['GET /beta', ...beta],
]

const users = (...names: ReadonlyArray<string>): ReadonlyArray<RequestInit> => [
  {},
  ...names.map((name) => ({ headers: { 'X-User': name } })),
]

for (const [title, properties, asking, beta] of [
  ['by default', {}, users('ann', 'ann staff', 'ann editor'), [401, 403, 403, 403]],
  [
    'by configuration',
    { 'role.staff': 'crew', 'role.editors': 'writer, chief', beta: 'open' },
    users('ann staff editor', 'ann crew', 'ann chief'),
    [200, 200, 200, 200],
  ],
] as const)
  contract(
    `policies ${title}`,
    tree,
    (test, call) =>
      table<Row>(test, rows(beta), async (line, ...statuses) => {
        for (const [index, init] of asking.entries())
          assert.is((await ask(call, line, init)).status, statuses[index], `${index}`)
      }),
    { properties },
  )
