/** The HTML of the documentation page and its Content Security Policy. */
import type { OpenApiDocument } from '../openapi-document.ts'

/** Default values of the authorize dialog. See the documentation of `initOAuth` in Swagger UI. */
export interface DocsOAuthOptions {
  readonly clientId: string
  /** The scopes that are selected when the dialog opens. */
  readonly scopes?: ReadonlyArray<string>
  /** Whether the authorization code flow uses PKCE (RFC 7636). Default: `true`. */
  readonly pkce?: boolean
}

/** Options for the documentation page. */
export interface DocsPageOptions {
  /** The title of the page. Default: the title of the document. */
  readonly title?: string
  /** Default values of the authorize dialog. */
  readonly oauth?: DocsOAuthOptions
  /** Whether the browser stores credentials until the user logs out. Default: `false`. */
  readonly persistAuthorization?: boolean
  /**
   * The origins that the page can send requests to, in addition to its own origin, the servers of the document, the token endpoints of
   * OAuth 2, and the discovery documents of OpenID Connect. The token endpoint in a discovery document can be on another origin.
   * Example: `https://login.example`.
   */
  readonly connectSources?: ReadonlyArray<string>
}

/** The document that a page shows. */
export interface ShownDocument {
  readonly document: OpenApiDocument
  /** Whether the servers of the document are configured. Otherwise, the page sends requests to the server that it was loaded from. */
  readonly hasServers: boolean
}

/** Renders the page. `path` is the path of the request. All URLs are relative to it, so that proxies can add path prefixes. */
export const pageHtml = (
  { document: { info }, hasServers }: ShownDocument,
  { title = info.title, oauth, persistAuthorization = false }: DocsPageOptions,
  path: string,
  rendererVersion: string,
): string => {
  const isDirectory = path.endsWith('/')
  // a trailing slash makes no difference to the server, but relative URLs start there
  const assets = isDirectory ? './' : './docs/'
  const depth = path.split('/').length - 2
  const root = depth === 0 ? './' : '../'.repeat(depth)
  const asset = (file: string): string => `${assets}${file}?v=${rendererVersion}`
  const attributes = {
    document: isDirectory ? '../openapi.json' : './openapi.json',
    samples: `${assets}document.json`,
    ...(hasServers ? {} : { root }),
    redirect: `${assets}oauth2-redirect.html`,
    persist: String(persistAuthorization),
    ...(oauth === undefined ? {} : { oauth: JSON.stringify(oauthDefaults(oauth)) }),
  }
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" type="image/png" href="${asset('favicon-32x32.png')}">
    <link rel="stylesheet" href="${asset('swagger-ui.css')}">
    <link rel="stylesheet" href="${assets}page.css">
    <script defer src="${asset('swagger-ui-bundle.js')}"></script>
    <script defer src="${assets}start.js"></script>
  </head>
  <body>
    <div id="swagger-ui"${Object.entries(attributes)
      .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
      .join('')}></div>
  </body>
</html>
`
}

const oauthDefaults = ({ clientId, scopes = [], pkce = true }: DocsOAuthOptions): object => ({
  clientId,
  scopes,
  usePkceWithAuthorizationCodeGrant: pkce,
})

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** Returns the Content Security Policy of the page. Swagger UI needs no inline scripts, inline styles or `eval`. */
export const pagePolicy = (
  document: OpenApiDocument,
  { connectSources = [] }: DocsPageOptions,
): string => {
  const origins = new Set([...connectedUrls(document).flatMap(originOf), ...connectSources])
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:", // icons in the style sheet, and images in responses
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}

/** Returns the URLs to which Swagger UI sends requests from the page. */
const connectedUrls = ({ servers = [], components }: OpenApiDocument): ReadonlyArray<string> =>
  [
    ...servers.map(({ url }) => url),
    ...Object.values(components?.securitySchemes ?? {}).flatMap((scheme) =>
      scheme.type === 'oauth2'
        ? Object.values(scheme.flows).flatMap(({ tokenUrl, refreshUrl }) => [tokenUrl, refreshUrl])
        : scheme.type === 'openIdConnect'
          ? [scheme.openIdConnectUrl]
          : [],
    ),
  ].filter((url) => url !== undefined)

/** Returns the origin of an absolute HTTP URL. */
const originOf = (url: string): ReadonlyArray<string> =>
  /^https?:\/\/[^/{}]+(?:\/|$)/i.test(url) && URL.canParse(url) ? [new URL(url).origin] : []
