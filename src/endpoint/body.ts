/** What an operation reads from the content of a request: a body or a form, declared once. */
import type { ParameterCodec } from '../codec/codec.ts'
import type { AnyFormPart } from './form.ts'
import type { Endpoint } from './endpoint.ts'
import { contradicted, define, withParameters } from './endpoint.ts'
import type { Add } from './internal/declaration-errors.ts'
import type { Received, Representable } from './representation.ts'
import { represented } from './representation.ts'

/** An endpoint that can be given a body. */
export interface Bodiless {
  readonly path: object
  readonly body?: 'the body is declared twice'
  readonly form?: 'the request has a form, so it cannot have a body too'
}

/**
 * The content of the request: one value with its alternative representations, of which `Content-Type` selects one;
 * without that field the first is assumed. Another media type is refused with 415, a value that the codec refuses with
 * 400, more octets than `fw.http.limits.max-parsed-body-size` (or `limits`) with 413. A codec of a single value (`body(int)`) reads
 * `text/plain`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, int, json, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const double = pipe(
 *   path('/double'),
 *   post(),
 *   body(int, json(int)),
 *   produces(int),
 *   handle(({ body: number }) => 2 * number),
 * )
 * const call = inMemory(routes({ double }))
 * const send = (type: string, content: string) => {
 *   const sent = new Blob([content], { type })
 *   return call(new Request('http://localhost/double', { method: 'POST', body: sent }))
 * }
 *
 * assert.equal(await (await send('application/json', '21')).text(), '42')
 * assert.equal((await send('application/json', '"21"')).status, 400)
 * assert.equal((await send('text/csv', '21')).status, 415)
 * ```
 */
export const body =
  <M extends readonly [Representable, ...ReadonlyArray<Representable>]>(...alternatives: M) =>
  <S extends Bodiless>({
    definition,
  }: Endpoint<S>): Endpoint<S & { readonly body: Received<M[number]> }> =>
    define({
      ...(definition.bodies.length === 0
        ? definition
        : contradicted(definition, 'the body is declared twice')),
      bodies: alternatives.map(represented),
    })

/** Fields of a form. A file or structured part makes it multipart. */
export interface FormCodecs {
  readonly [name: string]: ParameterCodec | AnyFormPart
}

/** An endpoint that can be given a form. */
export interface Formable {
  readonly path: object
  readonly body?: 'the request has a body, so it cannot have a form too'
  readonly formless?: 'a form needs a method other than GET and HEAD'
}

/**
 * Fields of a form, `application/x-www-form-urlencoded` or `multipart/form-data`; one with a file or a structured part (`upload`,
 * `part` and their like) is multipart only. Adds up when said again. Missing or refused fields are refused with 400, another
 * media type with 415, and a name or value larger than `fw.http.limits.max-form-attribute-size` octets with 413.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { form, handle, int, path, post, produces, routes, string, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const order = pipe(
 *   path('/orders'),
 *   post(),
 *   form({ isbn: string, copies: int }),
 *   produces(text),
 *   handle(({ form: { isbn, copies } }) => `${copies} of ${isbn}`),
 * )
 * const call = inMemory(routes({ order }))
 * const send = (body: URLSearchParams) =>
 *   call(new Request('http://localhost/orders', { method: 'POST', body }))
 *
 * assert.equal(await (await send(new URLSearchParams('isbn=0-13&copies=2'))).text(), '2 of 0-13')
 * assert.equal((await send(new URLSearchParams('isbn=0-13'))).status, 400)
 * ```
 */
export const form =
  <F extends FormCodecs>(codecs: F) =>
  <S extends Formable>({ definition }: Endpoint<S>): Endpoint<Add<S, 'form', F>> =>
    define(withParameters(definition, 'form', Object.entries(codecs)))
