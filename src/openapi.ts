/** The entry point `espalier/openapi`: OpenAPI documents of route trees. */

export { openApi } from './openapi/open-api.ts'
export type { OpenApiOptions } from './openapi/open-api.ts'
export type { UnwrappedInfo, WithInfo } from './openapi/document-options.ts'
export { openApiRoutes } from './openapi/open-api-routes.ts'
export type { OpenApiRoutesOptions } from './openapi/open-api-routes.ts'
export type { DocsOAuthOptions, DocsPageOptions } from './openapi/page/docs-page.ts'
export { mockServer } from './openapi/mock/mock-server.ts'
export type { MockServerOptions } from './openapi/mock/mock-server.ts'
export type * from './openapi/openapi-document.ts'
export type * from './endpoint/security-scheme.ts'
export type { JsonSchema, Discriminator, XmlObject } from './codec/json-schema.ts'
