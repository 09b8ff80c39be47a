/** What a tree would serve, without serving it. */
import type { Routes } from '../endpoint/routes.ts'
import { compile } from '../interpreter/compile.ts'
import * as Explain from '../interpreter/explain.ts'
import type { SettingsInput } from '../interpreter/settings.ts'
import { expanding } from './settings/expand.ts'
import { loadSettings } from './settings/load.ts'

/**
 * Every operation in words: what it reads and by which codec, what it answers. Neither files nor the environment are read.
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
export const explain = <T, E>(api: Routes<T, {}, E>, given: SettingsInput = {}): string => {
  const { settings, property } = loadSettings({ given, environment: {}, directory: null })
  return Explain.explain(compile(api, settings, { expand: expanding(property) }))
}
