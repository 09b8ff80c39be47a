/**
 * Types that describe how callers authenticate, as in OpenAPI documents.
 *
 * @see https://spec.openapis.org/oas/v3.2.0#security-scheme-object
 */

/** How callers authenticate. */
export type SecuritySchemeObject =
  | {
      readonly type: 'http'
      readonly scheme: string
      readonly bearerFormat?: string
      readonly description?: string
    }
  | {
      readonly type: 'apiKey'
      readonly in: 'header' | 'query' | 'cookie'
      readonly name: string
      readonly description?: string
    }
  | { readonly type: 'oauth2'; readonly flows: OAuthFlows; readonly description?: string }
  | { readonly type: 'mutualTLS'; readonly description?: string }
  | {
      readonly type: 'openIdConnect'
      readonly openIdConnectUrl: string
      readonly description?: string
    }

/** The OAuth 2 flows of an authorization server. */
export interface OAuthFlows {
  readonly authorizationCode?: OAuthFlow & {
    readonly authorizationUrl: string
    readonly tokenUrl: string
  }
  readonly clientCredentials?: OAuthFlow & { readonly tokenUrl: string }
  readonly implicit?: OAuthFlow & { readonly authorizationUrl: string }
  readonly password?: OAuthFlow & { readonly tokenUrl: string }
  /** OpenAPI 3.2. */
  readonly deviceAuthorization?: OAuthFlow & {
    readonly deviceAuthorizationUrl: string
    readonly tokenUrl: string
  }
}

/** The URLs and scopes of an OAuth 2 flow. */
export interface OAuthFlow {
  readonly refreshUrl?: string
  /** Descriptions of scopes by name. */
  readonly scopes: Readonly<Record<string, string>>
}

/** A security scheme and its name in documents. */
export interface NamedSecurityScheme {
  readonly name: string
  readonly scheme: SecuritySchemeObject
}

/**
 * Creates a security scheme with a name, which describes an authentication filter in OpenAPI documents. It is passed as the option
 * `describedAs` of the filter, for example of a custom filter that reads a session cookie.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { authenticateAs, authentication, securityScheme } from 'espalier'
 *
 * const sessions = authentication(
 *   {
 *     challenge: 'Session realm="library"',
 *     describedAs: securityScheme('session', { type: 'apiKey', in: 'cookie', name: 'session' }),
 *   },
 *   ({ request }) => {
 *     const id = request.cookie('session')
 *     return id === undefined ? undefined : authenticateAs({ name: id, roles: [] })
 *   },
 * )
 *
 * assert.equal(sessions._tag, 'RequestFilter')
 * ```
 */
export const securityScheme = (name: string, scheme: SecuritySchemeObject): NamedSecurityScheme => {
  if (!/^[\w.-]+$/.test(name))
    throw new TypeError(
      `invalid name of a security scheme: ${JSON.stringify(name)}: expected letters, digits, ".", "_" and "-"`,
    )
  return Object.freeze({ name, scheme: Object.freeze(scheme) })
}

/** Options for {@link oauth2}. */
export interface OAuth2Options {
  readonly flows: OAuthFlows
  /** The name of the security scheme. Default: `oauth2`. */
  readonly name?: string
  /** The description in CommonMark. */
  readonly description?: string
}

/**
 * Describes an authentication filter by the OAuth 2 flows with which clients get its tokens. The roles of an operation are
 * its required scopes, as far as a flow lists them.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { bearer, get, handle, oauth2, path, produces, rolesAllowed, routes, text, withFilter } from 'espalier'
 * import { openApi } from 'espalier/openapi'
 *
 * const users = bearer({
 *   verify: () => undefined,
 *   describedAs: oauth2({
 *     flows: {
 *       clientCredentials: {
 *         tokenUrl: 'https://id.example/token',
 *         scopes: { librarian: 'Change books' },
 *       },
 *     },
 *   }),
 * })
 * const loans = pipe(path('/loans'), get(), rolesAllowed('librarian'), produces(text), handle(() => ''))
 * const document = openApi(pipe(routes({ loans }), withFilter(users)), {
 *   info: { title: 'Library', version: '1.0.0' },
 * })
 *
 * assert.deepEqual(document.paths?.['/loans']?.get?.security, [{ oauth2: ['librarian'] }])
 * assert.equal(document.components?.securitySchemes?.['oauth2']?.type, 'oauth2')
 * ```
 */
export const oauth2 = ({
  flows,
  name = 'oauth2',
  description,
}: OAuth2Options): NamedSecurityScheme =>
  securityScheme(name, {
    type: 'oauth2',
    flows,
    ...(description === undefined ? {} : { description }),
  })

/** Options for {@link openIdConnect}. */
export interface OpenIdConnectOptions {
  /** The URL of the discovery document, which ends in `/.well-known/openid-configuration`. */
  readonly url: string
  /** The name of the security scheme. Default: `openIdConnect`. */
  readonly name?: string
  /** The description in CommonMark. */
  readonly description?: string
}

/**
 * Describes an authentication filter by the OpenID Connect provider from which clients get its tokens.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { openIdConnect } from 'espalier'
 *
 * const login = openIdConnect({ url: 'https://id.example/.well-known/openid-configuration' })
 *
 * assert.deepEqual([login.name, login.scheme.type], ['openIdConnect', 'openIdConnect'])
 * ```
 */
export const openIdConnect = ({
  url,
  name = 'openIdConnect',
  description,
}: OpenIdConnectOptions): NamedSecurityScheme =>
  securityScheme(name, {
    type: 'openIdConnect',
    openIdConnectUrl: url,
    ...(description === undefined ? {} : { description }),
  })
