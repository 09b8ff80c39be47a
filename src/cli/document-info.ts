/** Determines the members of an OpenAPI document that are not derived from operations: its title, version and servers. */
import type { AnyNode } from '../endpoint/routes.ts'
import type { DocumentOptions } from '../openapi/open-api.ts'
import { nearestPackage } from './nearest-package.ts'

/** The arguments that replace members of the document. */
export interface InfoArguments {
  readonly title?: string | undefined
  readonly 'api-version'?: string | undefined
  readonly server?: ReadonlyArray<string> | undefined
}

/** Returns the options with which a tree serves its own document, or `undefined` if it serves none. */
export type FindDocumentOptions = (tree: AnyNode) => Omit<DocumentOptions, 'version'> | undefined

/**
 * Returns the options for the document of a tree. Arguments take precedence over the options of `openApiRoutes` in the tree. Without
 * both, the title, version and description are those of the nearest `package.json` of the module that exports the tree.
 */
export const documentOptions = (
  { title, 'api-version': version, server }: InfoArguments,
  served: ReturnType<FindDocumentOptions>,
  file: string,
): Omit<DocumentOptions, 'version'> => ({
  ...served,
  info: {
    ...(served?.info ?? infoOfPackage(file)),
    ...(title === undefined ? {} : { title }),
    ...(version === undefined ? {} : { version }),
  },
  ...(server === undefined ? {} : { servers: server.map((url) => ({ url })) }),
})

/** OpenAPI requires a title and a version. The default values do not depend on the directory, so that the document is reproducible. */
const infoOfPackage = (file: string): DocumentOptions['info'] => {
  const { name = 'API', version = '0.0.0', description } = nearestPackage(file)
  return { title: name, version, ...(description === undefined ? {} : { description }) }
}
