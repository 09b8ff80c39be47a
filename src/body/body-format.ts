/**
 * Defines the `BodyFormat` interface, which describes a format such as JSON, with the default properties of formats.
 *
 * A format contains functions that read and write bodies, and properties that describe the format. Server and client use the same
 * functions. Files and multipart bodies are read and written by the interpreter and the client instead, because these formats
 * require access to the request and response.
 */
import type { Codec } from '../codec/codec.ts'
import type { ValueKinds } from '../codec/structure/uninhabited.ts'
import type { Visibility } from '../codec/visibility/visibility.ts'
import type { JsonRules } from '../endpoint/definition/json-rules.ts'
import type { JsonSettings, JsonReadSettings } from './json/json-rules.ts'
import type { ReadBody } from './decode-body.ts'
import type { StreamFormat } from './stream/stream-format.ts'
import type { RequestFailure } from '../http/failure.ts'
import type { VisibilityRules } from './body-plan.ts'

/** Describes how bodies in one format are read and written. */
export interface BodyFormat {
  /** The codec for values in this format. `undefined` if the format does not use a codec. */
  readonly codec: Codec | undefined
  /** Whether bodies are processed chunk by chunk, without holding a whole body in memory. */
  readonly isStreamed: boolean
  /**
   * Reads and writes streams of elements. `undefined` if bodies are whole, or if they are read and written by other code, as is the
   * case for files and multipart bodies.
   */
  readonly stream: StreamFormat | undefined
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
  /** Whether the links in a HAL document are members of its value, if the codec describes them. Only clients read links. */
  readonly keepsLinks: boolean
  readonly xml: XmlLimits
  readonly form: FormLimits
}

/** The settings used by a server or client to write bodies. */
export interface BodyWriteOptions extends JsonSettings {
  readonly json: JsonRules | undefined
  /** The members that the receiver is allowed to see. */
  readonly visibility: Visibility
}

/** The limits of a form. `Infinity` disables a limit. */
export interface FormLimits {
  /** Maximum number of fields in a form. */
  readonly fields: number
  /** Name of the limit on the number of fields in error messages. */
  readonly fieldsName: string
  /** Maximum size of a decoded field name or value, in bytes. */
  readonly fieldSize: number
  /** Name of the limit on the size in error messages. */
  readonly fieldSizeName: string
}

/** The limits of XML documents. */
export interface XmlLimits {
  /** Maximum nesting depth of elements. */
  readonly depth: number
  /** Whether undeclared elements and attributes are validation errors. */
  readonly rejectsUndeclared: boolean
  /** Returns a failure if a body of `length` bytes exceeds the size limit, and `undefined` otherwise. */
  readonly sizeFailure: (length: number) => RequestFailure | undefined
}

/**
 * The default properties of formats whose bodies are read and written as a whole. By default, a format is textual, has no codec,
 * and can be sent and received.
 */
export const wholeBody: BodyFormat = {
  codec: undefined,
  isStreamed: false,
  stream: undefined,
  isTextual: true,
  mayContainFiles: false,
  cannotReceive: undefined,
  cannotSend: undefined,
  accepts: () => true,
  kinds: () => undefined,
  reader: undefined,
  writer: undefined,
}

/** The default properties of formats whose bodies are read and written in chunks. */
export const streamedBody: BodyFormat = {
  ...wholeBody,
  isStreamed: true,
  isTextual: false,
  accepts: (value) => typeof value === 'object' && value !== null,
  kinds: () => sourceKinds,
}

/** The kinds of the sources of a stream. A value with declared members, such as that of an object codec, is not a source. */
const sourceKinds: ValueKinds = new Set(['array', 'source'])

/** The value of `cannotReceive` for formats that can only be sent. */
export const onlySent = 'can only be sent, not received'

/** The value of `cannotSend` for formats that can only be received. */
export const onlyReceived = 'can only be received, not sent'

/** The kinds of values that are already text. */
export const stringKinds: ValueKinds = new Set(['string'])

/** Writes a string. Throws a `TypeError` for any other value. */
export const writeString: WriteValue = (value) => {
  if (typeof value === 'string') return value
  throw new TypeError('invalid text: expected a string')
}
