/**
 * Defines the `BodyFormat` interface, which describes a format such as JSON.
 *
 * A format contains functions that read and write whole bodies, and properties that describe the format. Streamed bodies are read
 * and written by the interpreter and the client instead, because streaming requires access to the request and response.
 */
import type { Codec } from '../codec/codec.ts'
import type { ValueKinds } from '../codec/structure/uninhabited.ts'
import type { Visibility } from '../codec/visibility/visibility.ts'
import type { JsonRules } from '../endpoint/internal/json-rules.ts'
import type { FormLimits } from './form-text.ts'
import type { JsonSettings, JsonReadSettings } from './json/json-rules.ts'
import type { ReadBody, ReadBodyInSteps } from './read-body.ts'
import type { XmlLimits } from './read-xml.ts'
import type { VisibilityRules } from './body-plan.ts'

/** Describes how bodies in one format are read and written. */
export interface BodyFormat {
  /** The codec for values in this format. `undefined` if the format does not use a codec. */
  readonly codec: Codec | undefined
  /** Whether bodies are processed chunk by chunk, without holding a whole body in memory. */
  readonly isStreamed: boolean
  /** Whether values are written as text. Only textual formats can be used for event data. */
  readonly isTextual: boolean
  /** Whether a value can contain open files. The framework closes these files if the response is not sent. */
  readonly mayContainFiles: boolean
  /**
   * A phrase that states why request bodies cannot have this format, for example, `can only be sent, not received`. `undefined`
   * if request bodies can have this format.
   */
  readonly cannotReceive: string | undefined
  /**
   * A phrase that states why responses cannot have this format, for example, `can only be received, not sent`. `undefined` if
   * responses can have this format.
   */
  readonly cannotSend: string | undefined
  /** Whether `value` can be written in this format. The elements of a stream are not checked. */
  readonly accepts: (value: unknown) => boolean
  /**
   * Returns the kinds of the values that can be written in this format, or `undefined` if they are not known. Representations of a
   * response must have a kind in common.
   */
  readonly kinds: () => ValueKinds | undefined
  /**
   * Creates a function that reads whole bodies. `undefined` if bodies in this format cannot be received, or if they are read by
   * other code, as is the case for streams and entities.
   */
  readonly reader: ((options: BodyReadOptions) => ReadBody) | undefined
  /**
   * Creates a function that reads large bodies in steps, so that a server can process other requests between the steps. `undefined`
   * if bodies in this format are always read at once.
   */
  readonly steppedReader: ((options: BodyReadOptions) => ReadBodyInSteps) | undefined
  /**
   * Creates a function that writes whole bodies. `undefined` if bodies in this format cannot be sent, or if they are written by
   * other code, as is the case for streams and entities.
   */
  readonly writer: ((options: BodyWriteOptions) => WriteValue) | undefined
}

/**
 * Writes a value as text or bytes. Returns `undefined` if the value has no JSON representation. Throws a `TypeError` if the value
 * is invalid.
 */
export type WriteValue = (value: unknown) => string | Uint8Array | undefined

/** The settings used by a server or client to read bodies. */
export interface BodyReadOptions extends JsonReadSettings {
  /**
   * The JSON library and custom functions declared for an operation. If no library is declared, the library in the settings is
   * used.
   */
  readonly json: JsonRules | undefined
  readonly visibility: VisibilityRules | undefined
  readonly xml: XmlLimits
  readonly form: FormLimits
}

/** The settings used by a server or client to write bodies. */
export interface BodyWriteOptions extends JsonSettings {
  readonly json: JsonRules | undefined
  /** The members that the receiver is allowed to see. */
  readonly visibility: Visibility
}
