/** Nested authorization policies, with roles and conditions from properties. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  authenticated,
  authentication,
  denyAll,
  get,
  handle,
  authenticateAs,
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
} from '../../../src/index.ts'
import { sendRequest, returns } from '../../support/send-request.ts'
import { valueContract } from '../../support/contract.ts'

const readOperation = (target: string) =>
  pipe(path(target), get(), produces(text), handle(returns('read')))
const writeOperation = (target: string) =>
  pipe(path(target), post(), produces(text), handle(returns('written')))

const headerAuthentication = authentication({ challenge: 'Test' }, ({ request }) => {
  const [name, ...roles] = request.header('X-User')?.split(' ') ?? []
  return name === undefined ? undefined : authenticateAs({ name, roles })
})

const tree = pipe(
  routes({
    home: readOperation('/'),
    public: pipe(
      routes({
        news: readOperation('/public/news'),
        inner: pipe(
          routes({ plans: readOperation('/public/inner/plans') }),
          rolesAllowed('${role.staff:staff}'),
        ),
      }),
      permitAll,
    ),
    read: readOperation('/books'),
    write: pipe(writeOperation('/books'), rolesAllowed('${role.editors:editor}')),
    closed: pipe(readOperation('/closed'), denyAll),
    // the property `beta` selects the policy
    open: pipe(
      routes({ beta: pipe(readOperation('/beta'), permitAll) }),
      when(property('beta', 'open')),
    ),
    shut: pipe(
      routes({ beta: pipe(readOperation('/beta'), denyAll) }),
      when(not(property('beta', 'open'))),
    ),
  }),
  authenticated,
  withFilter(headerAuthentication),
)

type Row = readonly [
  line: string,
  anonymous: number,
  withoutRoles: number,
  staff: number,
  editor: number,
]

const rows = (beta: readonly [number, number, number, number]): ReadonlyArray<Row> => [
  ['GET /', 401, 200, 200, 200],
  ['GET /public/news', 200, 200, 200, 200],
  ['GET /public/inner/plans', 401, 403, 200, 403], // the innermost policy applies
  ['GET /books', 401, 200, 200, 200],
  ['POST /books', 401, 403, 403, 200], // a policy of one method
  ['GET /closed', 401, 403, 403, 403],
  ['GET /beta', ...beta],
]

const users = (...names: ReadonlyArray<string>): ReadonlyArray<RequestInit> => [
  {},
  ...names.map((name) => ({ headers: { 'X-User': name } })),
]

for (const [title, properties, requests, beta] of [
  ['with default roles', {}, users('ann', 'ann staff', 'ann editor'), [401, 403, 403, 403]],
  [
    'with configured roles',
    { 'role.staff': 'crew', 'role.editors': 'writer, chief', beta: 'open' },
    users('ann staff editor', 'ann crew', 'ann chief'),
    [200, 200, 200, 200],
  ],
] as const)
  valueContract(
    `policies ${title}`,
    tree,
    (test, call) =>
      rows(beta).forEach(([line, ...statuses]) =>
        test(`${line} ${title}`, async () => {
          for (const [index, init] of requests.entries())
            assert.is((await sendRequest(call, line, init)).status, statuses[index], `${index}`)
        }),
      ),
    { properties },
  )
