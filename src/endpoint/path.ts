/** Resources and operations: the path and the method of an endpoint. */
import * as t from 'io-ts'
import type { AnyCodec, ScalarCodec } from '../codec/codec.ts'
import type { Definition, Endpoint } from './endpoint.ts'
import { emptyDefinition, withConflict, makeEndpoint, addParameters } from './endpoint.ts'
import type { VariablesOf } from './internal/path-template.ts'
import { join, parse, variables } from './internal/path-template.ts'
import { isRight } from 'fp-ts/lib/Either.js'

/** Any `segments(codec)`. Not generic in the codec, because codecs are invariant in their type argument. */
export interface AnySegments extends AnyCodec {
  readonly _tag: 'SegmentsType'
}

/** Codecs of path variables: a codec of a single value, or `segments(codec)`. */
export type VariableCodec = ScalarCodec | AnySegments

type VariableCodecs<P extends string> = { readonly [K in VariablesOf<P>]?: VariableCodec }
type NoSuchVariable<P extends string, C> = {
  readonly [K in Exclude<keyof C, VariablesOf<P>>]: `the path has no variable {${K & string}}`
}
/**
 * The codecs of a template's variables; `t.string` for a variable without one. The index removes the alias
 * from hovers.
 */
type Variables<P extends string, C> = [
  {
    readonly [K in VariablesOf<P>]: K extends keyof C
      ? C[K] extends VariableCodec
        ? C[K]
        : t.StringC
      : t.StringC
  },
][0]

/**
 * Declares a resource: a path template, and what all operations made from it share.
 *
 * Operations such as `get()` extend a resource without changing it. A variable is written `{name}` or
 * `{name:regex}` and decodes to a string, unless `codecs` has a codec for it. A value that its codec rejects
 * results in 404.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const book = pipe(path('/books/{id}', { id: int }), produces(text))
 * const title = pipe(
 *   book,
 *   get('/title/{language:[a-z]{2}}'),
 *   handle(({ path: { id, language } }) => `the title of ${id + 1} in ${language}`),
 * )
 * const send = inMemory(routes({ title }))
 * const found = await send('http://localhost/books/7/title/fr')
 *
 * assert.equal(await found.text(), 'the title of 8 in fr')
 * assert.equal((await send('http://localhost/books/vii/title/fr')).status, 404)
 * assert.equal((await send('http://localhost/books/7/title/fra')).status, 404)
 * ```
 */
export const path = <const P extends string, const C extends VariableCodecs<P> = {}>(
  template: P,
  codecs?: C & NoSuchVariable<P, C>,
): Endpoint<{ readonly path: Variables<P, C> }> =>
  makeEndpoint(extendPath(emptyDefinition, template, codecs ?? {}))

/** Appends a template to the path. An invalid template is kept, and reported when the tree is compiled. */
const extendPath = (
  definition: Definition,
  template: string,
  codecs: Readonly<Record<string, unknown>>,
): Definition => {
  const parsed = parse(template)
  const names = isRight(parsed) ? variables(parsed.right).map(({ name }) => name) : []
  const joined = join(definition.template, template)
  if (names.length === 0) return { ...definition, template: joined }
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  const own = names.map(
    (name) => [name, Object.hasOwn(codecs, name) ? codecs[name] : t.string] as const,
  )
  const added = addParameters(definition, 'path', own)
  const noted = twice.reduce(
    (sofar, name) => withConflict(sofar, `the path parameter "${name}" is declared twice`),
    added,
  )
  return { ...noted, template: joined }
}

/**
 * An endpoint that an operation with the template `P` can extend: without a method, and without a variable of
 * `P`. `& object` avoids a weak type, whose properties are all optional and of which the compiler requires
 * one.
 */
export interface Extendable<P extends string> {
  readonly path: {
    readonly [K in VariablesOf<P>]?: 'the path of the resource already has this variable'
  } & object
  readonly method?: 'the method is declared twice'
}

/** Makes an operation of a resource. Its template is appended to that of the resource. */
export interface MakeOperation<M extends string> {
  <const P extends string = '', const C extends VariableCodecs<P> = {}>(
    template?: P,
    codecs?: C & NoSuchVariable<P, C>,
  ): <S extends Extendable<P>>(
    resource: Endpoint<S>,
  ) => Endpoint<S & { readonly method: M; readonly path: Variables<P, C> }>
}

/**
 * Makes an operation without a form, because the body of GET and HEAD requests has no meaning (RFC 9110,
 * 9.3.1).
 */
export interface MakeSafeOperation<M extends string> {
  <const P extends string = '', const C extends VariableCodecs<P> = {}>(
    template?: P,
    codecs?: C & NoSuchVariable<P, C>,
  ): <
    S extends Extendable<P> & {
      readonly form?: 'a form requires a method other than GET and HEAD'
    },
  >(
    resource: Endpoint<S>,
  ) => Endpoint<S & { readonly method: M; readonly formless: true; readonly path: Variables<P, C> }>
}

/**
 * Makes an operation with a custom method: any token, case-sensitive (RFC 9110, 9.1).
 *
 * `serve` accepts only the methods of `http.METHODS`; any other is a configuration error (`FW-ROUTE-006`).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { handle, method, path, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const purge = pipe(
 *   path('/cache'),
 *   method('PURGE')(),
 *   handle(() => {}),
 * )
 * const send = inMemory(routes({ purge }))
 * const status = async (verb: string) =>
 *   (await send('http://localhost/cache', { method: verb })).status
 *
 * assert.equal(await status('PURGE'), 204)
 * assert.equal(await status('purge'), 501) // methods are case-sensitive
 * ```
 */
export const method =
  <M extends string>(name: M): MakeOperation<M> =>
  (template, codecs) =>
  (resource) =>
    makeEndpoint(operation(resource.definition, name, template, codecs))

const operation = (
  resource: Definition,
  name: string,
  template = '',
  codecs: Readonly<Record<string, unknown>> = {},
): Definition => {
  const definition = extendPath(resource, template, codecs)
  return resource.method === undefined
    ? { ...definition, method: name }
    : withConflict(definition, `the method is declared twice, as ${resource.method} and as ${name}`)
}

/**
 * Makes a GET operation, which reads a resource (RFC 9110, 9.3.1).
 *
 * It also serves HEAD requests, unless the path has an operation for HEAD. A path without an operation for the
 * request's method responds with 405 and `Allow`. A method that is neither standard nor declared anywhere in
 * the tree results in 501.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const readNote = pipe(
 *   path('/note'),
 *   get(),
 *   produces(text),
 *   handle(() => 'water the pears'),
 * )
 * const request = inMemory(routes({ readNote }))
 * const send = (method: string) => request('http://localhost/note', { method })
 *
 * assert.equal(await (await send('GET')).text(), 'water the pears')
 * assert.equal((await send('HEAD')).headers.get('Content-Length'), '15')
 * assert.equal((await send('POST')).status, 405)
 * ```
 */
export const get: MakeSafeOperation<'GET'> = (template, codecs) => (resource) =>
  makeEndpoint(operation(resource.definition, 'GET', template, codecs))

/**
 * Makes a HEAD operation: the headers of GET without a body (RFC 9110, 9.3.2). Needed only where it is cheaper
 * than GET, which otherwise serves HEAD requests.
 */
export const head: MakeSafeOperation<'HEAD'> = (template, codecs) => (resource) =>
  makeEndpoint(operation(resource.definition, 'HEAD', template, codecs))

/** Makes a POST operation, which processes the body, typically to create a resource (RFC 9110, 9.3.3). */
export const post: MakeOperation<'POST'> = method('POST')

/**
 * Makes a PUT operation, which creates or replaces a resource (RFC 9110, 9.3.4).
 *
 * A request with `Content-Range` results in 400 (RFC 9110, 14.5), unless the operation declares that header
 * with `header`.
 */
export const put: MakeOperation<'PUT'> = method('PUT')

/** Makes a DELETE operation, which removes a resource (RFC 9110, 9.3.5). */
export const del: MakeOperation<'DELETE'> = method('DELETE')

/** Makes a PATCH operation, which modifies a part of a resource (RFC 5789). */
export const patch: MakeOperation<'PATCH'> = method('PATCH')

/**
 * Makes an OPTIONS operation, which describes the communication options of a resource (RFC 9110, 9.3.7). Paths
 * without one respond with 204 and `Allow`.
 */
export const options: MakeOperation<'OPTIONS'> = method('OPTIONS')
