/** Describes the operations in a route tree. */
import type { AnyFormPart } from '../endpoint/body.ts'
import { isFormPart } from '../endpoint/body.ts'
import { headerName } from '../endpoint/definition/header-name.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { Routes } from '../endpoint/routes.ts'
import { checkTree } from '../endpoint/internal/combinator.ts'
import type { Servable } from '../endpoint/tree/complete-tree.ts'
import { ConfigurationError, operationTitle } from '../endpoint/definition/configuration-error.ts'
import { defaultResponse } from '../endpoint/internal/default-response.ts'
import { codecOfSlot } from '../endpoint/tree/prefix-variables.ts'
import { compileTree } from '../compiler/compile.ts'
import * as Explain from '../compiler/explain.ts'
import type { Route } from '../compiler/flatten.ts'
import { flatten } from '../compiler/flatten.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import { verifyDeclarations } from '../compiler/verify/verify-route.ts'
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

/**
 * Describes what each operation of a tree declares for clients: its name, method, path, parameters, bodies and responses.
 *
 * The tree needs no handlers and no values of slots. Filters, mappers, conditions, limits and access rules are not described, so
 * that a contract and the service that implements it have the same description. Use this function to test that a service
 * implemented in parts has the paths of its contract. To describe everything that applies to an operation, use `describeRoutes`.
 *
 * Throws a `ConfigurationError` if a declaration is invalid.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, implementAll, int, path, prefix, produces, routes } from 'espalier'
 * import { describeContract } from 'espalier/node'
 *
 * const square = pipe(path('/square/{n}', { n: int }), get(), produces(int))
 * const numbers = routes({ square })
 * const contract = routes({ numbers: pipe(numbers, prefix('/api')) })
 * const implemented = implementAll(numbers, { square: ({ path: { n } }) => n * n })
 * const api = routes({ numbers: pipe(implemented, prefix('/api')) })
 *
 * assert.equal(describeContract(api), describeContract(contract))
 * assert.notEqual(describeContract(routes({ numbers: implemented })), describeContract(contract))
 * assert.deepEqual(describeContract(contract).split('\n'), [
 *   'GET /api/square/{n}  (numbers.square)',
 *   '  path n: int',
 *   '  responds 200 text/plain: int',
 * ])
 * ```
 */
export const describeContract = <T, R, E>(tree: Routes<T, R, E>): string => {
  checkTree('the root', tree)
  const { routes } = flatten(tree, '/')
  const errors = routes.flatMap(verifyDeclarations)
  if (errors.length > 0) throw new ConfigurationError(errors)
  return routes.map(describeDeclarations).join('\n\n')
}

const describeDeclarations = ({ name, template, prefixVariables, definition }: Route): string => {
  const { method, parameters, queryMap, bodies, responses } = definition
  const { response, declaredBy } = defaultResponse(definition)
  const all = declaredBy === 'produced' ? [response, ...responses] : responses
  return [
    operationTitle({ method, template, name }),
    ...prefixVariables.map(
      ({ name: variable, slot }) =>
        `  path ${variable}: ${codecOfSlot(slot).name}, fills the slot ${slot.key}`,
    ),
    ...Object.entries(parameters).flatMap(([group, declared]) =>
      Array.from(declared, ([key, codec]) =>
        isFormPart(codec)
          ? `  form ${key}: ${describePart(codec)}`
          : `  ${group} ${group === 'header' ? headerName(key) : key}: ${codec.name}`,
      ),
    ),
    ...(queryMap ? ['  query: all parameters as a map'] : []),
    ...bodies.map((body) => `  body ${describeBody(body)}`),
    ...all.flatMap(({ status, failure, representations }) => {
      const start = `  ${failure ? 'fails' : 'responds'} ${status}`
      return representations.length === 0
        ? [`${start} without a body`]
        : representations.map((body) => `${start} ${describeBody(body)}`)
    }),
  ].join('\n')
}

const describePart = ({ kind, representation, isOptional }: AnyFormPart): string =>
  [
    kind,
    ...(representation === undefined ? [] : [` ${describeBody(representation)}`]),
    ...(isOptional ? [', optional'] : []),
  ].join('')

const describeBody = ({ mediaType, format, language }: AnyRepresentation): string =>
  [
    mediaType,
    ...('codec' in format && format.codec !== undefined ? [`: ${format.codec.name}`] : []),
    ...(language === undefined ? [] : [`, language ${language}`]),
  ].join('')
