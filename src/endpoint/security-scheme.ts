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

interface OAuthFlow {
  readonly refreshUrl?: string
  /** Descriptions of scopes by name. */
  readonly scopes: Readonly<Record<string, string>>
}
