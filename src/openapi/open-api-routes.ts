/** Endpoints that serve the OpenAPI document of the tree that contains them, and a documentation page. */
import { pipe } from 'fp-ts/lib/function.js'
import { enumOf } from '../codec/scalar.ts'
import { optional } from '../codec/optional.ts'
import type { CompiledTree } from '../compiler/compile.ts'
import { handleWithTree } from '../compiler/compile.ts'
import { serverCategory } from '../compiler/settings/logger.ts'
import { rawJson, text } from '../endpoint/built-in-formats.ts'
import { hidden } from '../endpoint/documentation.ts'
import type { UnhandledEndpoint } from '../endpoint/endpoint.ts'
import type { HandledEndpoint } from '../endpoint/handle.ts'
import { checkOptions } from '../endpoint/internal/combinator.ts'
import { nonBlocking } from '../endpoint/operation-attributes.ts'
import { query } from '../endpoint/parameters.ts'
import { get, path } from '../endpoint/path.ts'
import { as, withEtag } from '../endpoint/representation.ts'
import { compressed, noCache, produces } from '../endpoint/responses.ts'
import type { Routes } from '../endpoint/routes.ts'
import { routes } from '../endpoint/routes.ts'
import { documentWithIssues, logIssues } from './describe-tree.ts'
import type { DocumentOptions, WithInfo } from './document-options.ts'
import { checkInfo, withServedOptions } from './document-options.ts'
import type { DocsPageOptions } from './page/docs-page.ts'
import { checkPageOptions, docsRoutes } from './page/docs-routes.ts'
import { withSamples } from './page/samples.ts'
import { yamlOf } from './yaml.ts'

/** Options for {@link openApiRoutes}. `version` is the version of documents for requests without a `version` parameter. */
export interface OpenApiRoutesOptions extends DocumentOptions {
  /** Options for the documentation page, or `false` to serve only the document. Default: `{}`. */
  readonly page?: DocsPageOptions | false
}

const versions = ['3.1', '3.2'] as const

type Version = (typeof versions)[number]

/**
 * Creates a tree with the operations `GET /openapi.json`, `GET /openapi.yaml` and `GET /docs`.
 *
 * The document describes the whole tree in which these operations are served, with path prefixes, inherited declarations and the
 * effects of filters. The operations of `openApiRoutes` are not part of it. The document is created before the
 * server starts listening. Defects, such as different codecs with one name, are then logged as warnings.
 *
 * The query parameter `version` selects the version of OpenAPI, as in `/openapi.json?version=3.2`. Filters, prefixes and access rules
 * apply as to other operations. Responses have an `ETag`, and are compressed if `fw.http.enable-compression` is set.
 *
 * `/docs` is a page that shows the document and sends requests to the operations. It requires the package `swagger-ui-dist`, and is
 * served from this package, without requests to other origins. If the package is missing, the configuration error `FW-FILTER-003` is
 * reported. The page has a `Content-Security-Policy` header that forbids inline scripts, inline styles and `eval`. Requests are
 * allowed to the origin of the page, to the servers of the document, and to the token endpoints and discovery documents of its
 * security schemes.
 *
 * All URLs in the page are relative. Unless `servers` or `fw.http.public-url` is set, the page sends requests to the server that it was
 * loaded from, with the path prefix that a proxy added.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { openApiRoutes } from 'espalier/openapi'
 * import { inMemory } from 'espalier/testing'
 *
 * const ping = pipe(
 *   path('/ping'),
 *   get(),
 *   produces(text),
 *   handle(() => 'pong'),
 * )
 * const docs = openApiRoutes({ info: { title: 'Ping', version: '1.0.0' } })
 * const send = inMemory(routes({ ping, docs }))
 *
 * const document = await send('http://localhost/openapi.json')
 * assert.match(await document.text(), /"operationId":"ping"/)
 *
 * const page = await send('http://localhost/docs')
 * assert.equal(page.headers.get('Content-Type'), 'text/html;charset=UTF-8')
 * ```
 */
export const openApiRoutes = (
  options: WithInfo<OpenApiRoutesOptions>,
): Routes<DocumentEndpoints> => {
  const { page = {}, ...documentOptions } = checkOptions<OpenApiRoutesOptions>(
    'openApiRoutes',
    ['info', 'servers', 'version', 'webhooks', 'tags', 'externalDocs', 'page'],
    checkInfo('openApiRoutes', options),
  )
  const defaultVersion = documentOptions.version ?? '3.1'
  const document = memoizeByTree((tree, version) => {
    const created = documentWithIssues(tree, { ...documentOptions, version })
    const log = tree.loggerOf(serverCategory)
    // other versions have the same defects
    if (version === defaultVersion) logIssues(created, tree.configuration.profile, log)
    return created.document
  })
  const samples = memoizeByTree((tree, version) =>
    JSON.stringify(withSamples(document(tree, version))),
  )
  const jsonOf = memoizeByTree((tree, version) => JSON.stringify(document(tree, version)))
  const yaml = memoizeByTree((tree, version) => yamlOf(document(tree, version)))
  const documents = {
    json: pipe(
      jsonDocument,
      handleWithTree(
        (tree) =>
          ({ query: { version = defaultVersion } }) =>
            jsonOf(tree(), version),
        // reports defects of the document before the first request
        (tree) => {
          try {
            document(tree, defaultVersion)
          } catch (err) {
            tree.loggerOf(serverCategory).error({ err }, 'Creating the OpenAPI document failed')
          }
        },
      ),
      withServedOptions(documentOptions),
    ),
    yaml: pipe(
      yamlDocument,
      handleWithTree(
        (tree) =>
          ({ query: { version = defaultVersion } }) =>
            yaml(tree(), version),
      ),
    ),
  }
  const api: Routes<DocumentEndpoints> =
    page === false
      ? routes(documents)
      : routes({
          ...documents,
          page: docsRoutes(
            checkPageOptions(page),
            (tree) => ({
              document: document(tree, defaultVersion),
              hasServers:
                documentOptions.servers !== undefined ||
                tree.settings['fw.http.public-url'] !== undefined,
            }),
            (tree) => samples(tree, defaultVersion),
          ),
        })
  return pipe(api, hidden(), nonBlocking)
}

/** Memoizes the results of a function, as long as their tree is in use. */
const memoizeByTree = <A>(create: ByVersion<A>): ByVersion<A> => {
  const results = new WeakMap<CompiledTree, Map<Version, A>>()
  return (tree, version) => {
    const byVersion = results.get(tree) ?? new Map<Version, A>()
    results.set(tree, byVersion)
    const result = byVersion.get(version) ?? create(tree, version)
    byVersion.set(version, result)
    return result
  }
}

type ByVersion<A> = (tree: CompiledTree, version: Version) => A

/** The query parameter of an operation, which selects the version of the document. */
const requestedVersion = { version: optional(enumOf(...versions)) }

const jsonDocument = pipe(
  path('/openapi.json'),
  get(),
  query(requestedVersion),
  produces(withEtag('strong')(rawJson)),
  noCache(),
  compressed,
)

const yamlDocument = pipe(
  path('/openapi.yaml'),
  get(),
  query(requestedVersion),
  produces(withEtag('strong')(as('application/yaml')(text))),
  noCache(),
  compressed,
)

// an interface would have to be exported by the package, because declarations of applications contain it
type DocumentEndpoints = {
  readonly json: Handled<typeof jsonDocument>
  readonly yaml: Handled<typeof yamlDocument>
}

type Handled<E> = E extends UnhandledEndpoint<infer S> ? HandledEndpoint<S> : never
