/** Where: a resource and its operations. */
import * as t from 'io-ts'
import type { AnyCodec, ScalarCodec } from '../codec/codec.ts'
import type { Definition, Endpoint } from './endpoint.ts'
import { blank, contradicted, define, withParameters } from './endpoint.ts'
import type { VariablesOf } from './template.ts'
import { join, parse, variables } from './template.ts'
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
 * A resource: a path, and what its operations share. It has no method, so it cannot be handled; it is not changed by the
 * operations made from it.
 *
 * A variable without a codec is a string. A value that its codec refuses means that there is no such resource: 404.
 */
export const path = <const P extends string, const C extends VariableCodecs<P> = {}>(
  template: P,
  codecs?: C & NoSuchVariable<P, C>,
): Endpoint<{ readonly path: Variables<P, C> }> => define(under(blank, template, codecs ?? {}))

/** The definition with a further template. A template that cannot be parsed is kept: compiling the tree reports it. */
const under = (
  definition: Definition,
  template: string,
  codecs: Readonly<Record<string, unknown>>,
): Definition => {
  const parsed = parse(template)
  const names = isRight(parsed) ? variables(parsed.right).map(({ name }) => name) : []
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  const own = names.map(
    (name) => [name, Object.hasOwn(codecs, name) ? codecs[name] : t.string] as const,
  )
  const added = withParameters(definition, 'path', own)
  const noted = twice.reduce(
    (sofar, name) => contradicted(sofar, `the path parameter "${name}" is declared twice`),
    added,
  )
  return { ...noted, template: join(definition.template, template) }
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
 */
export const method =
  <M extends string>(name: M): MakeOperation<M> =>
  (template, codecs) =>
  (resource) =>
    define(operation(resource.definition, name, template, codecs))

const operation = (
  resource: Definition,
  name: string,
  template = '',
  codecs: Readonly<Record<string, unknown>> = {},
): Definition => {
  const definition = under(resource, template, codecs)
  return resource.method === undefined
    ? { ...definition, method: name }
    : contradicted(definition, `the method is declared twice, as ${resource.method} and as ${name}`)
}

/** Transfers a representation; changes nothing. HEAD is answered from it unless an operation for HEAD is declared. */
export const get: MakeSafeOperation<'GET'> = (template, codecs) => (resource) =>
  define(operation(resource.definition, 'GET', template, codecs))

/** What GET would answer, without the content. */
export const head: MakeSafeOperation<'HEAD'> = (template, codecs) => (resource) =>
  define(operation(resource.definition, 'HEAD', template, codecs))

/** Processes the content, typically by creating a resource. */
export const post: MakeOperation<'POST'> = method('POST')

/** Creates or replaces the resource; saying it twice changes nothing more. */
export const put: MakeOperation<'PUT'> = method('PUT')

/** Removes the resource; saying it twice changes nothing more. */
export const del: MakeOperation<'DELETE'> = method('DELETE')

/** Changes a part of the resource (RFC 5789). */
export const patch: MakeOperation<'PATCH'> = method('PATCH')

/** Describes how to talk to the resource. Answered from the tree unless declared. */
export const options: MakeOperation<'OPTIONS'> = method('OPTIONS')
