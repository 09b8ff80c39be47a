/** Describes the operations of a route tree. */
import type { Routes } from '../endpoint/routes.ts'
import { compileTree } from '../compiler/compile.ts'
import * as Explain from '../compiler/explain/explain.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { ApplicationProperties } from './settings/setting-source.ts'

/** Options of `explain`: settings by name, and the values that conditions read. */
export interface ExplainOptions extends SettingsInput {
  /** The configuration profile. Default: `prod`. */
  readonly profile?: string
  /** Application properties by name. */
  readonly properties?: ApplicationProperties
}

/**
 * Returns a text that lists each operation with its parameters, codecs and responses, followed by the routes that conditions exclude.
 *
 * Files and the environment are not read. Throws a `MistakesError` that lists all errors of the tree and the settings.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, path, produces, routes, text } from 'espalier'
 * import { explain } from 'espalier/node'
 *
 * const getTitle = pipe(
 *   path('/books/{id}', { id: int }),
 *   get(),
 *   produces(text),
 *   handle(({ path: { id } }) => `Volume ${id}`),
 * )
 *
 * assert.deepEqual(explain(routes({ getTitle })).split('\n'), [
 *   'GET /books/{id}  (getTitle)',
 *   '  path id: int',
 *   '  answers 200 text/plain;charset=UTF-8',
 * ])
 * ```
 */
export const explain = <T, E>(api: Routes<T, {}, E>, options: ExplainOptions = {}): string => {
  const { profile = 'prod', properties = {}, ...given } = options
  const sources = { profile, properties, given, environment: {}, directory: null }
  const loaded = loadSettings(sources)
  return Explain.describeTree(compileTree(api, loaded.settings, { configuration: loaded }))
}
