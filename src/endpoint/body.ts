/** What an operation reads from the content of a request: a body or a form, declared once. */
import type { ParameterCodec } from '../codec/codec.ts'
import type { AnyFormPart } from './form-part.ts'
import type { Endpoint } from './endpoint.ts'
import { contradicted, define, withParameters } from './endpoint.ts'
import type { Add } from './mistaken.ts'
import type { Representable } from './representation.ts'
import { represented } from './representation.ts'

/** An endpoint that can be given a body. */
export interface Bodiless {
  readonly path: object
  readonly body?: 'the body is declared twice'
  readonly form?: 'the request has a form, so it cannot have a body too'
}

/**
 * The content of the request: one value with its alternative representations, of which `Content-Type` selects one; without
 * that field the first is assumed. Another media type is refused with 415, a value that the codec refuses with 400.
 * A codec of a single value (`body(int)`) reads `text/plain`.
 */
export const body =
  <M extends readonly [Representable, ...ReadonlyArray<Representable>]>(...alternatives: M) =>
  <S extends Bodiless>({ definition }: Endpoint<S>): Endpoint<S & { readonly body: M[number] }> =>
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
 * Fields of a form, `application/x-www-form-urlencoded`. Adds up when said again. Missing or refused fields are refused
 * with 400, a field larger than `fw.http.limits.max-form-attribute-size` with 413.
 */
export const form =
  <F extends FormCodecs>(codecs: F) =>
  <S extends Formable>({ definition }: Endpoint<S>): Endpoint<Add<S, 'form', F>> =>
    define(withParameters(definition, 'form', Object.entries(codecs)))
