/** A fake authorization server: authorization code flow with PKCE (RFC 7636), and OpenID Connect discovery. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  cors,
  enumOf,
  fails,
  form,
  get,
  handle,
  json,
  path,
  post,
  produces,
  query,
  responds,
  routes,
  seeOther,
  string,
  withFilter,
} from '../../src/index.ts'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'

/** Authorizes every request. The code contains the challenge and the scopes, so that the server needs no state. */
const authorize = pipe(
  path('/authorize'),
  get(),
  query({
    response_type: enumOf('code'),
    client_id: string,
    redirect_uri: string,
    state: string,
    scope: string,
    code_challenge: string,
    code_challenge_method: enumOf('S256'),
  }),
  responds(303),
  handle(({ query: { redirect_uri: target, state, scope, code_challenge: challenge } }) =>
    seeOther(
      `${target}?code=${[challenge, ...scope.split(' ')].join('.')}&state=${encodeURIComponent(state)}`,
    ),
  ),
)

const Token = t.type({ access_token: t.string, id_token: t.string, token_type: t.string })
const InvalidGrant = t.type({ error: t.literal('invalid_grant') })

/** Responds with an access token that contains the client and the scopes, such as `docs.openid.read`. */
const token = pipe(
  path('/token'),
  post(),
  form({
    grant_type: enumOf('authorization_code'),
    client_id: string,
    code: string,
    code_verifier: string,
    redirect_uri: string,
  }),
  produces(json(Token)),
  fails(400, json(InvalidGrant)),
  handle(({ form: { client_id: client, code, code_verifier: verifier } }) => {
    const [challenge, ...scopes] = code.split('.')
    return createHash('sha256').update(verifier).digest('base64url') === challenge
      ? E.right({
          access_token: [client, ...scopes].join('.'),
          id_token: 'not-for-the-api',
          token_type: 'Bearer',
        })
      : E.left({ error: 'invalid_grant' as const })
  }),
)

const Discovery = t.type({
  issuer: t.string,
  authorization_endpoint: t.string,
  token_endpoint: t.string,
  scopes_supported: t.array(t.string),
  grant_types_supported: t.array(t.string),
})

/** Responds late, so that the page is complete before it has the discovery document. */
const discovery = (tokenOrigin: string | undefined) =>
  pipe(
    path('/.well-known/openid-configuration'),
    get(),
    produces(json(Discovery)),
    handle(async (_, { uri }) => {
      await wait(500)
      const { origin } = uri.absolute
      return {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${tokenOrigin ?? origin}/token`,
        scopes_supported: ['openid', 'profile', 'read'],
        grant_types_supported: ['refresh_token', 'authorization_code'],
      }
    }),
  )

export interface AuthorizationServer {
  readonly origin: string
  readonly close: Server['close']
}

/** Starts a server. `tokenOrigin` is the origin of the token endpoint in the discovery document. Default: that of the server. */
export const authorizationServer = async (tokenOrigin?: string): Promise<AuthorizationServer> => {
  const api = routes({ authorize, token, discovery: discovery(tokenOrigin) })
  const { url, close } = await serve(pipe(api, withFilter(cors({ origins: '*' }))), {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
  })
  return { origin: new URL(url).origin, close }
}
