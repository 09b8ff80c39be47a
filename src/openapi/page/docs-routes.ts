/** The endpoints of the documentation page and its files. */
import { pipe } from 'fp-ts/lib/function.js'
import { enumOf } from '../../codec/scalar.ts'
import type { CompiledTree } from '../../compiler/compile.ts'
import { handleWithTree } from '../../compiler/compile.ts'
import { html, rawJson, text } from '../../endpoint/built-in-formats.ts'
import { file } from '../../endpoint/file.ts'
import { withRequirement } from '../../endpoint/filter.ts'
import { handle } from '../../endpoint/handle.ts'
import { checkList, checkOptions } from '../../endpoint/internal/combinator.ts'
import { get, path } from '../../endpoint/path.ts'
import type { Modify } from '../../endpoint/reply.ts'
import { ok, withHeader } from '../../endpoint/reply.ts'
import { as, withEtag } from '../../endpoint/representation.ts'
import { requestFilter } from '../../endpoint/request-filter.ts'
import { cache, compressed, noCache, produces, responseHeader } from '../../endpoint/responses.ts'
import { routes } from '../../endpoint/routes.ts'
import { withFilter } from '../../endpoint/with-filter.ts'
import type { DocsOAuthOptions, DocsPageOptions, ShownDocument } from './docs-page.ts'
import { pageHtml, pagePolicy } from './docs-page.ts'
import { pageStyles, startScript } from './start-script.ts'
import { rendererFile, rendererFiles, rendererRequirement, rendererVersion } from './swagger-ui.ts'

/** Throws a `TypeError` for unknown or invalid options. */
export const checkPageOptions = (options: DocsPageOptions): DocsPageOptions => {
  const known = ['title', 'oauth', 'persistAuthorization', 'connectSources'] as const
  const { oauth, connectSources } = checkOptions<DocsPageOptions>('openApiRoutes', known, options)
  checkList('openApiRoutes', 'connectSources', connectSources)
  for (const source of connectSources ?? [])
    if (/[\s;,]/.test(source))
      throw new TypeError(
        `openApiRoutes: invalid connectSources: expected origins such as https://login.example, got ${JSON.stringify(source)}`,
      )
  if (oauth !== undefined) {
    checkOptions<DocsOAuthOptions>('openApiRoutes', ['clientId', 'scopes', 'pkce'], oauth)
    checkList('openApiRoutes', 'scopes', oauth.scopes)
  }
  return options
}

/**
 * Creates the endpoints of the page. `documentOf` returns the document that the page shows, and `samplesOf` its text with generated
 * examples.
 */
export const docsRoutes = (
  options: DocsPageOptions,
  documentOf: (tree: CompiledTree) => ShownDocument,
  samplesOf: (tree: CompiledTree) => string,
) =>
  pipe(
    routes({
      html: pipe(
        path('/docs'),
        get(),
        produces(withEtag('strong')(html)),
        noCache(),
        // the authorize dialog communicates with a window that it opens
        responseHeader('Cross-Origin-Opener-Policy', 'same-origin-allow-popups'),
        responseHeader('X-Content-Type-Options', 'nosniff'),
        handleWithTree((tree) => async (_, { request }) => {
          const shown = documentOf(tree())
          return pipe(
            ok(pageHtml(shown, options, request.path, await rendererVersion())),
            withHeader('Content-Security-Policy', pagePolicy(shown.document, options)),
          )
        }),
      ),
      document: pipe(
        path('/docs/document.json'),
        get(),
        produces(withEtag('strong')(rawJson)),
        noCache(),
        compressed,
        handleWithTree((tree) => () => samplesOf(tree())),
      ),
      start: pipe(
        path('/docs/start.js'),
        get(),
        produces(pipe(text, as('text/javascript'), withEtag('strong'))),
        noCache(),
        handle(() => startScript),
      ),
      styles: pipe(
        path('/docs/page.css'),
        get(),
        produces(pipe(text, as('text/css'), withEtag('strong'))),
        noCache(),
        handle(() => pageStyles),
      ),
      file: pipe(
        path('/docs/{file}', { file: enumOf(...rendererFiles) }),
        get(),
        produces(file),
        // URLs in the page contain the version of the renderer
        cache({ maxAge: 86_400 }),
        handle(async ({ path: { file: name } }) =>
          pipe(ok(await rendererFile(name)), name.endsWith('.html') ? redirectHeaders : identity),
        ),
      ),
    }),
    withFilter(
      pipe(
        requestFilter(() => undefined),
        withRequirement(rendererRequirement),
      ),
    ),
  )

const identity: Modify = (original) => original

/** Headers of the page to which authorization servers redirect. It must have access to the window that opened it. */
const redirectHeaders: Modify = (original) =>
  pipe(
    original,
    withHeader('Content-Security-Policy', "default-src 'none'; script-src 'self'"),
    withHeader('Cross-Origin-Opener-Policy', 'unsafe-none'),
  )
