/** Determines the parts of an OpenAPI document that are not derived from operations: its title, version and servers. */
import type { AnyNode } from '../endpoint/routes.ts'
import type { DocumentOptions } from '../openapi/document-options.ts'
import { findServedOptions } from '../openapi/document-options.ts'
import { usageError } from './arguments.ts'
import { nearestPackage } from './nearest-package.ts'

/** The arguments that replace members of the document. */
export interface DocumentArguments {
  readonly version?: string | undefined
  readonly title?: string | undefined
  readonly 'api-version'?: string | undefined
  readonly server?: ReadonlyArray<string> | undefined
}

/**
 * Returns the options for the document of a tree. Arguments take precedence over the options of `openApiRoutes` in the tree. Without
 * both, the title, version and description are those of the nearest `package.json` of the module that exports the tree.
 */
export const documentOptions = (
  { version, title, 'api-version': apiVersion, server }: DocumentArguments,
  tree: AnyNode,
  file: string,
): DocumentOptions => {
  const served = findServedOptions(tree)
  return {
    ...served,
    ...(version === undefined ? {} : { version: parseVersion(version) }),
    info: {
      ...(served?.info ?? infoOfPackage(file)),
      ...(title === undefined ? {} : { title }),
      ...(apiVersion === undefined ? {} : { version: apiVersion }),
    },
    ...(server === undefined ? {} : { servers: server.map((url) => ({ url })) }),
  }
}

const parseVersion = (version: string): '3.1' | '3.2' => {
  if (version === '3.1' || version === '3.2') return version
  throw usageError('openapi', `invalid --version ${version}: expected 3.1 or 3.2`)
}

/** OpenAPI requires a title and a version. The default values do not depend on the directory, so that the document is reproducible. */
const infoOfPackage = (file: string): DocumentOptions['info'] => {
  const { name = 'API', version = '0.0.0', description } = nearestPackage(file)
  return { title: name, version, ...(description === undefined ? {} : { description }) }
}
