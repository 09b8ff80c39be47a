/** Resources and operations: combinators that declare the path and the method of an endpoint. */
import type { AnySchema, SchemaOfText } from '../codec/standard-schema/schema-types.ts'
import * as t from 'io-ts'
import type {
  AnyCodec,
  CodecOfText,
  RejectedCodec,
  RecordOnly,
  RejectedRepresentation,
  RejectedStep,
  ScalarCodec,
} from '../codec/codec.ts'
import type { Definition, UnhandledEndpoint } from './endpoint.ts'
import {
  emptyDefinition,
  withConflict,
  withIssue,
  makeEndpoint,
  addParameters,
} from './endpoint.ts'
import type { Suspicious, TemplateError, VariablesOf } from './definition/template-types.ts'
import { combinator, combinatorFactory, isRecord, unknownOptions } from './internal/combinator.ts'
import type { Textual } from './parameters.ts'
import { describeValue } from './definition/describe-value.ts'
import { join, parse, variables } from './definition/path-template.ts'
import { isRight } from 'fp-ts/lib/Either.js'

/**
 * The type of a codec created by `segments`. It has no type parameter for the element codec, because codecs are
 * invariant in their type argument.
 */
export interface AnySegments extends AnyCodec {
  readonly _tag: 'SegmentsType'
}

/** A codec for a path variable: a codec for a single value, or `segments(codec)`. */
export type VariableCodec =
  | ScalarCodec
  | AnySegments
  | AnySchema
  | RejectedRepresentation<'use a codec of a single value, such as int'>

/** Codecs and schemas by variable name that accept text. */
export interface TextVariables {
  readonly [name: string]: (ScalarCodec & CodecOfText) | AnySegments | SchemaOfText
}

/** Codecs by variable name. */
export interface VariableCodecs {
  readonly [name: string]:
    | ScalarCodec
    | AnySegments
    | AnySchema
    | RejectedCodec<'use a codec of a single value, such as int, or segments(codec)'>
}

/** A record of codecs, and the remedy for a codec or a list. */
type VariableRecord =
  RecordOnly<"pass a record of codecs, as in path('/books/{id}', { id: int })"> & VariableCodecs

/**
 * A valid template without type parameters, or an error message. Nothing is assignable to it if `P` contains a type parameter, as in
 * `/${N}/{id}`, because a distributive conditional type is then deferred.
 */
type Literal<P extends string> = P extends Suspicious
  ? [TemplateError<P>] extends [never]
    ? P
    : TemplateError<P>
  : P

/** A template with type parameters, or an error message. The condition only makes the compiler infer `P`. */
type Generic<P extends string> = [P] extends [string] ? Checked<P>['template'] : P

/**
 * Because this condition is deferred if `P` contains a type parameter, the compiler then checks the template with the constraint of the type
 * parameter instead.
 */
type Checked<P extends string> = P extends Suspicious
  ? { readonly template: [TemplateError<P>] extends [never] ? P : TemplateError<P> }
  : { readonly template: P }

/**
 * The error messages for codecs whose variables do not occur in a template with a type parameter. Only these variables are
 * inputs, because TypeScript cannot compute the others.
 */
type NotIn<P extends string, C> = {
  readonly [
    K in keyof C
  ]: P extends `${string}{${'' | ' '}${K & string}${'' | ' '}${':' | '}'}${string}`
    ? unknown
    : `the path has no variable {${K & string}}: add it to the template or remove the codec`
}

/** The error messages for codecs of unknown variables. If a codec is invalid, `C` is `VariableCodecs`, with the key `string`. */
type NoSuchVariable<P extends string, C> = {
  readonly [K in Exclude<keyof C, VariablesOf<P>>]: string extends K
    ? unknown
    : `the path has no variable {${K & string}}: add it to the template or remove the codec`
}

/**
 * The codecs for the variables in a template. Variables without a declared codec use `t.string`. The record of codecs itself is part of
 * the type, so that editors find the declaration of a variable.
 */
// A second alias would cost 4 instantiations.
type Variables<P extends string, C> = P extends Suspicious
  ? [TemplateError<P>] extends [never]
    ? VariablesOf<P> extends keyof C
      ? C
      : C & { readonly [K in Exclude<VariablesOf<P>, keyof C>]: t.StringC }
    : { readonly [name: string]: t.AnyC } // causes no further errors in the handler
  : VariablesOf<P> extends keyof C
    ? C
    : C & { readonly [K in Exclude<VariablesOf<P>, keyof C>]: t.StringC }

/**
 * Declares a resource: a path template, and the declarations that all operations on the resource share.
 *
 * Operations such as `get()` extend a resource without changing it. A variable is written as `{name}` or
 * `{name:regex}`. Its value is a string, unless `codecs` contains a codec for the variable. A value rejected by the
 * codec results in a 404 response.
 *
 * In generic code, a template can contain a type parameter, as in `path(`/${name}/{id}`, { id: int })`. The input then
 * contains only the variables that have a codec.
 *
 * Templates in the syntax of other frameworks are type errors and configuration errors (`FW-ROUTE-001`): `:id`, `[id]`, `<id>`, `(group)`, `*`,
 * `{id?}`, `{id:int}`, `{...rest}`. To match such a segment literally, percent-encode its first character, as in `/%2A`.
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
export function path<const P extends string, const C extends TextVariables = {}>(
  template: Literal<P>,
  codecs?: C & NoSuchVariable<P, C>,
): UnhandledEndpoint<{ readonly path: Variables<P, C> }>
export function path<const P extends string, const C extends TextVariables = {}>(
  template: Generic<P>,
  codecs?: C & NotIn<P, C>,
): UnhandledEndpoint<{ readonly path: C }>
export function path<const P extends string, const C extends VariableRecord>(
  template: Literal<P>,
  codecs: C & NoSuchVariable<P, C> & Textual<C>,
): UnhandledEndpoint<{ readonly path: Variables<P, C> }>
export function path(template: string, codecs: Readonly<Record<string, unknown>> = {}): unknown {
  return makeEndpoint(extendPath(emptyDefinition, template, codecs))
}

/**
 * Appends a template to the path of a definition. An invalid template is kept, and is reported when the tree is
 * compiled.
 */
const extendPath = (
  definition: Definition,
  template: string,
  codecs: Readonly<Record<string, unknown>>,
): Definition => {
  if (typeof template !== 'string')
    return withIssue(
      definition,
      'FW-ROUTE-001',
      `invalid path template: expected a string, got ${describeValue(template)}`,
    )
  if (!isRecord(codecs))
    return withIssue(
      { ...definition, template: join(definition.template, template) },
      'FW-PARAM-001',
      "pass a record of codecs, as in path('/books/{id}', { id: int })",
    )
  const parsed = parse(template)
  const names = isRight(parsed) ? variables(parsed.right).map(({ name }) => name) : []
  const unknown = isRight(parsed) ? unknownOptions(names, codecs) : []
  const joined = join(definition.template, template)
  if (unknown.length > 0)
    return unknown.reduce(
      (current, name) =>
        withIssue(
          current,
          'FW-PARAM-001',
          `${template === '' ? 'the path' : template} has no variable {${name}}: add it to the template or remove the codec`,
        ),
      { ...definition, template: joined },
    )
  if (names.length === 0) return { ...definition, template: joined }
  const duplicates = names.filter((name, index) => names.indexOf(name) !== index)
  const codecsByName = names.map(
    (name) => [name, Object.hasOwn(codecs, name) ? codecs[name] : t.string] as const,
  )
  const added = addParameters(definition, 'path', codecsByName)
  const result = duplicates.reduce(
    (current, name) => withConflict(current, `the path parameter "${name}" is declared twice`),
    added,
  )
  return { ...result, template: joined }
}

/** Constrains the resource that an operation can extend. The resource must not have a method. */
export interface ExtendableResource {
  readonly path: object
  readonly method?: 'the method is declared twice: keep one'
}

/** Constrains the resource that a GET or HEAD operation can extend. */
export interface FormlessResource extends ExtendableResource {
  readonly form?: 'a form requires a method other than GET or HEAD'
}

/**
 * Constrains the path of the resource that an operation with the template `P` can extend. The path must not contain any of
 * the variables in `P`. `& object` prevents a weak type (a type with only optional properties). For a weak type, the
 * compiler would require a value to have at least one of the properties.
 */
export interface Extendable<P extends string> {
  readonly path: {
    readonly [
      K in VariablesOf<P>
    ]?: 'the path of the resource already has this variable: rename one of them'
  } & object
}

/**
 * A parameter of an operation that no value has. TypeScript selects it for an operation that is passed to `pipe` without
 * being called, so that the error message ends in `Remedy`.
 */
export interface NotCalled<Remedy extends string> {
  readonly parentheses: Remedy
}

/** An error message for a template, or for the resource if the operation is not called. */
type RejectedOperand<X> = X extends string
  ? TemplateError<X>
  : X & NotCalled<"the operation is not called: add parentheses, as in get() or method('REPORT')()">

/** A handler that is an argument of an operation, as in other frameworks. */
type MisplacedHandler = (...input: never) => unknown

/**
 * A function that adds a method to a resource of the type `R`. The other members do not exist. With them, the error message for an
 * operation in place of an endpoint, as in `pipe(get('/books'), …)`, ends in the remedy.
 */
export interface AddOperation<R, Added> extends StepWithoutEndpoint {
  <S extends R>(resource: UnhandledEndpoint<S>): UnhandledEndpoint<S & Added>
}

interface StepWithoutEndpoint {
  readonly _tag?: undefined
  readonly definition?: undefined
  readonly _S?: undefined
  readonly _R?: undefined
  readonly step?: true
}

/**
 * A function that turns a resource into an operation. The template of the operation is appended to the template of
 * the resource.
 */
export interface MakeOperation<M extends string> {
  (): AddOperation<ExtendableResource, { readonly method: M }>
  <const P extends string, const C extends TextVariables = {}>(
    template: Literal<P>,
    codecs?: C & NoSuchVariable<P, C>,
  ): AddOperation<
    ExtendableResource & Extendable<P>,
    { readonly method: M; readonly path: Variables<P, C> }
  >
  (handler: MisplacedHandler): RejectedStep<'add the handler with handle(…)'>
  (
    template: string,
    handler: MisplacedHandler,
  ): RejectedStep<"write pipe(path('/x'), get(), produces(…), handle(…))">
  <const P extends string, const C extends TextVariables = {}>(
    template: Generic<P>,
    codecs?: C & NotIn<P, C>,
  ): AddOperation<ExtendableResource, { readonly method: M; readonly path: C }>
  <const P extends string, const C extends VariableRecord>(
    template: Literal<P>,
    codecs: C & NoSuchVariable<P, C> & Textual<C>,
  ): AddOperation<
    ExtendableResource & Extendable<P>,
    { readonly method: M; readonly path: Variables<P, C> }
  >
  <const X>(rejected: RejectedOperand<X>): never
}

/**
 * A function that turns a resource into a GET or HEAD operation. Such an operation cannot have a form, because a body
 * has no defined semantics in a GET or HEAD request (RFC 9110, 9.3.1).
 */
export interface MakeSafeOperation<M extends string> {
  (): AddOperation<FormlessResource, { readonly method: M; readonly formless: true }>
  <const P extends string, const C extends TextVariables = {}>(
    template: Literal<P>,
    codecs?: C & NoSuchVariable<P, C>,
  ): AddOperation<
    FormlessResource & Extendable<P>,
    { readonly method: M; readonly formless: true; readonly path: Variables<P, C> }
  >
  (handler: MisplacedHandler): RejectedStep<'add the handler with handle(…)'>
  (
    template: string,
    handler: MisplacedHandler,
  ): RejectedStep<"write pipe(path('/x'), get(), produces(…), handle(…))">
  <const P extends string, const C extends TextVariables = {}>(
    template: Generic<P>,
    codecs?: C & NotIn<P, C>,
  ): AddOperation<
    FormlessResource,
    { readonly method: M; readonly formless: true; readonly path: C }
  >
  <const P extends string, const C extends VariableRecord>(
    template: Literal<P>,
    codecs: C & NoSuchVariable<P, C> & Textual<C>,
  ): AddOperation<
    FormlessResource & Extendable<P>,
    { readonly method: M; readonly formless: true; readonly path: Variables<P, C> }
  >
  <const X>(rejected: RejectedOperand<X>): never
}

/**
 * Declares an operation with a custom method. The method can be any token, and is case-sensitive (RFC 9110, 9.1).
 *
 * A method is served if the connection allows it. `inMemory` and typed clients allow any method, and so does `serve` if
 * `fw.http.connection` is `direct`. By default, `serve` uses `node:http`, which allows only the methods listed in `http.METHODS`. For
 * any other method, it reports a configuration error (`FW-ROUTE-006`).
 *
 * QUERY has the semantics of RFC 10008. A request without `Content-Type` results in a 400 response if the operation declares a body.
 * Responses to GET, HEAD, OPTIONS and QUERY list the media types of the query in `Accept-Query`. Preconditions and ranges apply as for
 * GET.
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
export const method = combinatorFactory('method', <M extends string>(name: M): MakeOperation<M> =>
  anyMethod(name, `method(${JSON.stringify(name)})`),
)

const anyMethod = <M extends string>(name: M, combinatorName: string): MakeOperation<M> =>
  // the interface describes the types of the steps
  makeOperation(name, combinatorName) as MakeOperation<M>

/** Like {@link anyMethod}, for a method without forms. */
const safeMethod = <M extends string>(name: M, combinatorName: string): MakeSafeOperation<M> =>
  // the interface describes the types of the steps
  makeOperation(name, combinatorName) as MakeSafeOperation<M>

const makeOperation = (name: string, combinatorName: string): unknown =>
  combinator(
    combinatorName,
    'Endpoint',
    (template?: string, codecs?: Readonly<Record<string, unknown>>) =>
      (resource: { readonly definition: Definition }) =>
        makeEndpoint(operation(resource.definition, name, template, codecs)),
  )

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
 * Declares a GET operation, which reads a resource (RFC 9110, 9.3.1).
 *
 * The operation also handles HEAD requests, unless the path has a HEAD operation. If a path has no operation for the
 * request method, the response is 405 with an `Allow` header. A method that is neither standard nor declared anywhere
 * in the tree results in a 501 response.
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
export const get: MakeSafeOperation<'GET'> = safeMethod('GET', 'get')

/**
 * Declares a HEAD operation, which returns the headers of a GET response without the body (RFC 9110, 9.3.2). By
 * default, the GET operation handles HEAD requests. Declare a HEAD operation only if it can handle these requests
 * at a lower cost than the GET operation.
 */
export const head: MakeSafeOperation<'HEAD'> = safeMethod('HEAD', 'head')

/** Declares a POST operation, which processes the body, typically to create a resource (RFC 9110, 9.3.3). */
export const post: MakeOperation<'POST'> = anyMethod('POST', 'post')

/**
 * Declares a PUT operation, which creates or replaces a resource (RFC 9110, 9.3.4).
 *
 * A request with a `Content-Range` header results in 400 (RFC 9110, 14.5), unless the operation declares this header
 * with `header`.
 */
export const put: MakeOperation<'PUT'> = anyMethod('PUT', 'put')

/** Declares a DELETE operation, which removes a resource (RFC 9110, 9.3.5). */
export const del: MakeOperation<'DELETE'> = anyMethod('DELETE', 'del')

/** Declares a PATCH operation, which modifies a part of a resource (RFC 5789). */
export const patch: MakeOperation<'PATCH'> = anyMethod('PATCH', 'patch')

/**
 * Declares an OPTIONS operation, which describes the communication options of a resource (RFC 9110, 9.3.7). If a path
 * has no OPTIONS operation, the response is 204 with an `Allow` header.
 */
export const options: MakeOperation<'OPTIONS'> = anyMethod('OPTIONS', 'options')
