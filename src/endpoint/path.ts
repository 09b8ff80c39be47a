/** Where: a resource and its operations. */
import * as t from 'io-ts'
import type { AnyCodec, ScalarCodec } from '../codec/codec.ts'
import type { Definition, Endpoint } from './endpoint.ts'
import { emptyDefinition, withConflict, makeEndpoint, addParameters } from './endpoint.ts'
import type { VariablesOf } from './internal/path-template.ts'
import { join, parse, variables } from './internal/path-template.ts'
import { isRight } from 'fp-ts/lib/Either.js'

/** Any `segments(codec)`: a type argument would have to be that of the codec exactly, because codecs are invariant. */
export interface AnySegments extends AnyCodec {
  readonly _tag: 'SegmentsType'
}

/** What a variable may be decoded by: a codec of one value, or `segments(codec)`. */
export type VariableCodec = ScalarCodec | AnySegments

type VariableCodecs<P extends string> = { readonly [K in VariablesOf<P>]?: VariableCodec }
type NoSuchVariable<P extends string, C> = {
  readonly [K in Exclude<keyof C, VariablesOf<P>>]: `the path has no variable {${K & string}}`
}
/** A variable without a codec is a string, so it needs no declaration. The index takes the alias off what a hover shows. */
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
 * A resource: a path, and what its operations share. It has no method, so it cannot be handled; it is not changed by
 * the operations made from it.
 *
 * A variable without a codec is a string. A value that its codec refuses means that there is no such resource: 404.
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
 * const call = inMemory(routes({ title }))
 * const found = await call(new Request('http://localhost/books/7/title/fr'))
 *
 * assert.equal(await found.text(), 'the title of 8 in fr')
 * assert.equal((await call(new Request('http://localhost/books/vii/title/fr'))).status, 404)
 * assert.equal((await call(new Request('http://localhost/books/7/title/fra'))).status, 404)
 * ```
 */
export const path = <const P extends string, const C extends VariableCodecs<P> = {}>(
  template: P,
  codecs?: C & NoSuchVariable<P, C>,
): Endpoint<{ readonly path: Variables<P, C> }> =>
  makeEndpoint(extendPath(emptyDefinition, template, codecs ?? {}))

/** The definition with a further template. A template that cannot be parsed is kept: compiling the tree reports it. */
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

/** An endpoint of which an operation can be made. No variable of the operation is one of the resource's. (`& object`: otherwise every property is optional, and the compiler asks for one in common.) */
export interface Extendable<P extends string> {
  readonly path: {
    readonly [K in VariablesOf<P>]?: 'the resource has this variable already'
  } & object
  readonly method?: 'the method is declared twice'
}

/** Makes an operation of a resource: it may go further down the path. */
export interface MakeOperation<M extends string> {
  <const P extends string = '', const C extends VariableCodecs<P> = {}>(
    template?: P,
    codecs?: C & NoSuchVariable<P, C>,
  ): <S extends Extendable<P>>(
    resource: Endpoint<S>,
  ) => Endpoint<S & { readonly method: M; readonly path: Variables<P, C> }>
}

/** An operation whose requests have no form: neither GET nor HEAD gives content a meaning (RFC 9110, 9.3.1). */
export interface MakeSafeOperation<M extends string> {
  <const P extends string = '', const C extends VariableCodecs<P> = {}>(
    template?: P,
    codecs?: C & NoSuchVariable<P, C>,
  ): <
    S extends Extendable<P> & { readonly form?: 'a form needs a method other than GET and HEAD' },
  >(
    resource: Endpoint<S>,
  ) => Endpoint<S & { readonly method: M; readonly formless: true; readonly path: Variables<P, C> }>
}

/**
 * An operation with a method of one's own: any token (RFC 9110, 9.1), case-sensitive.
 *
 * Behind `node:http` only the methods in `http.METHODS` can arrive; another one is refused when the tree is served.
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
 * const call = inMemory(routes({ purge }))
 * const status = async (verb: string) =>
 *   (await call(new Request('http://localhost/cache', { method: verb }))).status
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
 * Transfers a representation; changes nothing (RFC 9110, 9.3.1). HEAD is answered from it unless an operation for HEAD
 * is declared. A method for which a path has no operation is refused with 405 and `Allow`; one that
 * is neither standard (RFC 9110, PATCH) nor declared anywhere in the tree, with 501.
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
 * const call = inMemory(routes({ readNote }))
 * const send = (method: string) => call(new Request('http://localhost/note', { method }))
 *
 * assert.equal(await (await send('GET')).text(), 'water the pears')
 * assert.equal((await send('HEAD')).headers.get('Content-Length'), '15')
 * assert.equal((await send('POST')).status, 405)
 * ```
 */
export const get: MakeSafeOperation<'GET'> = (template, codecs) => (resource) =>
  makeEndpoint(operation(resource.definition, 'GET', template, codecs))

/**
 * What GET would answer, without the content (RFC 9110, 9.3.2). Worth declaring only where it is cheaper to answer than
 * GET.
 */
export const head: MakeSafeOperation<'HEAD'> = (template, codecs) => (resource) =>
  makeEndpoint(operation(resource.definition, 'HEAD', template, codecs))

/** Processes the content, typically by creating a resource (RFC 9110, 9.3.3). */
export const post: MakeOperation<'POST'> = method('POST')

/**
 * Creates or replaces the resource; idempotent (RFC 9110, 9.3.4). A request with `Content-Range` gets 400 (RFC 9110, 14.5),
 * unless the operation supports partial updates and declares that header with `header`.
 */
export const put: MakeOperation<'PUT'> = method('PUT')

/** Removes the resource; saying it twice changes nothing more (RFC 9110, 9.3.5). */
export const del: MakeOperation<'DELETE'> = method('DELETE')

/** Changes a part of the resource (RFC 5789). */
export const patch: MakeOperation<'PATCH'> = method('PATCH')

/**
 * Describes how to talk to the resource (RFC 9110, 9.3.7). Answered from the tree, with 204 and `Allow`, unless
 * declared.
 */
export const options: MakeOperation<'OPTIONS'> = method('OPTIONS')
