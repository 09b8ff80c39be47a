/** Describes the operations in a route tree. */
import type { Servable } from '../endpoint/internal/complete-tree.ts'
import { compileTree } from '../compiler/compile.ts'
import * as Explain from '../compiler/explain.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { ApplicationProperties } from './settings/setting-source.ts'

/** Options for `describeRoutes`: settings by name, and the profile and properties used to evaluate conditions. */
export interface DescribeRoutesOptions extends SettingsInput {
  /** The configuration profile. Default: `prod`. */
  readonly profile?: string
  /** Application properties by name. */
  readonly properties?: ApplicationProperties
}

/**
 * Describes each operation with its parameters, codecs and responses. Routes excluded by conditions are listed at the end.
 *
 * Configuration files and environment variables are not read. Throws a `ConfigurationError` that lists all errors in the tree and
 * the settings.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, path, produces, routes, text } from 'espalier'
 * import { describeRoutes } from 'espalier/node'
 *
 * const getTitle = pipe(
 *   path('/books/{id}', { id: int }),
 *   get(),
 *   produces(text),
 *   handle(({ path: { id } }) => `Volume ${id}`),
 * )
 *
 * assert.deepEqual(describeRoutes(routes({ getTitle })).split('\n'), [
 *   'GET /books/{id}  (getTitle)',
 *   '  path id: int',
 *   '  responds 200 text/plain;charset=UTF-8',
 * ])
 * ```
 */
export const describeRoutes = <T, R extends {}, E>(
  api: Servable<T, R, E>,
  options: DescribeRoutesOptions = {},
): string => {
  const { profile = 'prod', properties = {}, ...settings } = options
  const sources = { profile, properties, settings, environment: {}, directory: null }
  const loaded = loadSettings(sources)
  return Explain.describeTree(compileTree(api, loaded.settings, { configuration: loaded }))
}
