/** Operations with every kind of authentication and of access rule, and with views and secured members. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  apiKey,
  authenticateAs,
  authenticated,
  authentication,
  basic,
  bearer,
  body,
  csrf,
  denyAll,
  get,
  handle,
  int,
  inView,
  json,
  jsonView,
  jwt,
  mutualTls,
  needs,
  oauth2,
  ok,
  openIdConnect,
  optional,
  path,
  permitAll,
  post,
  produces,
  rolesAllowed,
  routes,
  secureField,
  secureSerialization,
  securityScheme,
  signedCookie,
  slot,
  string,
  tags,
  text,
  Unauthorized,
  withCookie,
  withFilter,
} from '../../../src/index.ts'
import { Internal, Public } from '../every-codec.ts'

const readText = (template: string) =>
  pipe(
    path(template),
    get(),
    produces(text),
    handle(() => 'text'),
  )

const unknown = () => undefined
const challenge = 'Session realm="library"'

const schemes = routes({
  basic: pipe(
    routes({ read: readText('/basic') }),
    authenticated,
    withFilter(basic({ realm: 'library', verify: unknown })),
  ),
  mutualTls: pipe(
    routes({ read: readText('/mutual-tls') }),
    authenticated,
    withFilter(mutualTls()),
  ),
  bearer: pipe(
    routes({ read: readText('/bearer') }),
    rolesAllowed('librarian'),
    withFilter(
      bearer({
        verify: unknown,
        describedAs: oauth2({
          flows: {
            clientCredentials: {
              tokenUrl: 'https://id.example/token',
              scopes: { librarian: 'Change books' },
            },
          },
        }),
      }),
    ),
  ),
  jwt: pipe(
    routes({ read: readText('/jwt') }),
    authenticated,
    withFilter(
      jwt({
        keys: new URL('https://id.example/jwks.json'),
        issuer: 'https://id.example',
        audience: 'library',
        algorithms: ['ES256'],
        describedAs: openIdConnect({ url: 'https://id.example/.well-known/openid-configuration' }),
      }),
    ),
  ),
  apiKey: pipe(
    routes({ read: readText('/api-key') }),
    authenticated,
    withFilter(apiKey({ header: 'X-Api-Key', verify: unknown })),
  ),
  session: pipe(
    routes({ read: readText('/session') }),
    authenticated,
    withFilter(
      authentication(
        {
          challenge,
          describedAs: securityScheme('session', { type: 'apiKey', in: 'cookie', name: 'session' }),
        },
        ({ request }) =>
          request.cookie('session') === undefined
            ? new Unauthorized(challenge)
            : authenticateAs({ name: 'ann', roles: [] }),
      ),
    ),
  ),
})

const Member = t.type(
  {
    name: string,
    shelf: inView(Public)(optional(string)),
    price: inView(Internal)(optional(int)),
    email: secureField('librarian')(optional(string)),
  },
  'Member',
)

const members = pipe(path('/members'), produces(json(Member)))
const ann = { name: 'ann', shelf: 'A', price: 12, email: 'ann@example.org' }

const key = new TextEncoder().encode('k'.repeat(32))
const shelf = signedCookie(string, { name: '__Host-shelf', keys: [key] })
const Shelf = slot<string | undefined>()('shelf')

const cookies = pipe(
  routes({
    chooseShelf: pipe(
      path('/shelf'),
      post(),
      needs({ before: Shelf }),
      produces(text),
      handle(async ({ needs: { before = 'A' } }) =>
        pipe(ok(before), withCookie(await shelf.create('B'))),
      ),
    ),
  }),
  withFilter(csrf(), shelf.filter(Shelf)),
)

const access = pipe(
  routes({
    open: pipe(readText('/open'), permitAll),
    closed: pipe(readText('/closed'), denyAll),
    readMember: pipe(
      members,
      get(),
      handle(() => ann),
    ),
    readPublicMember: pipe(
      members,
      get('/public'),
      jsonView(Public),
      handle(() => ann),
    ),
    readAllOfMember: pipe(
      members,
      get('/all'),
      secureSerialization(false),
      handle(() => ann),
    ),
    proposeMember: pipe(
      members,
      post(),
      body(jsonView(Public)(json(Member))),
      handle(() => ann),
    ),
  }),
  rolesAllowed('reader'),
  withFilter(basic({ realm: 'library', verify: unknown })),
)

export const securityRoutes = pipe(
  routes({ schemes, access, cookies }),
  tags({ name: 'security', description: 'Authentication, access rules and views' }),
)
