/** What a tree would serve, without serving it. */
import type { Routes } from '../endpoint/routes.ts'
import { compileTree } from '../compiler/compile.ts'
import * as Explain from '../compiler/explain/explain.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { ApplicationProperties } from './settings/setting-source.ts'

/** Settings under their own names, and what conditions ask for. */
export interface ExplainOptions extends SettingsInput {
  /** `prod` by default. */
  readonly profile?: string
  /** Properties of the application, by name. */
  readonly properties?: ApplicationProperties
}

/**
 * Every operation in words: what it reads and by which codec, what it answers; then what is left out under its conditions,
 * and what they have found. Neither files nor the environment are read.
 * Throws a `MistakesError` that lists everything that is wrong with the tree or with the settings.
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
  return Explain.explain(compileTree(api, loaded.settings, { configuration: loaded }))
}
