/**
 * The type of body formats: how values of a representation are read and written as a whole, and the properties that
 * verification, encoding, the description of routes and the client use. Streamed bodies are read and written by the
 * interpreter and the client, because they need the exchange.
 */
import type { Codec } from '../codec/codec.ts'
import type { Visibility } from '../codec/visibility/visibility.ts'
import type { JsonRules } from '../endpoint/internal/json-rules.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { FormLimits } from './form-text.ts'
import type { JsonSettings } from './json/json-rules.ts'
import type { JsonReadSettings } from './json/read-json.ts'
import type { ReadBody } from './read-body.ts'
import type { XmlLimits } from './xml/read-xml.ts'
import type { VisibilityRules } from './visibility.ts'

export interface BodyFormat {
  /** The codec of the values; `undefined` for a format without one. */
  readonly codec: Codec | undefined
  /** Whether chunks are processed as they arrive, so that the body is never in memory as a whole. */
  readonly isStreamed: boolean
  /** Whether a value is written as text, which the data of an event must be. */
  readonly isTextual: boolean
  /** Whether a value may contain open files, which are closed when the response is not sent. */
  readonly mayContainFiles: boolean
  /** The charsets in which text of the format is written. */
  readonly charsets: Charsets
  /** The representations of data or parts inside a body. */
  readonly nested: ReadonlyArray<AnyRepresentation>
  /** Reason why a request body cannot have the format, after "it"; `undefined` if it can. */
  readonly cannotReceive: string | undefined
  /** Reason why a response cannot have the format, after "it"; `undefined` if it can. */
  readonly cannotSend: string | undefined
  /** Whether `value` may be written. A stream cannot be distinguished from another before it is read. */
  readonly accepts: (value: unknown) => boolean
  /** Prepares reading whole bodies; `undefined` for streamed formats and those that are only sent. */
  readonly reader: ((options: ReadOptions) => ReadBody) | undefined
  /** Prepares writing whole bodies; `undefined` for streamed formats and those that are only received. */
  readonly writer: ((options: WriteOptions) => WriteValue) | undefined
}

/**
 * The charsets in which text is written:
 *
 * - `binary`: none, because the application provides bytes
 * - `utf-8`: UTF-8 only, because the format requires it or its parts have charsets of their own
 * - `ascii`: UTF-8, and US-ASCII as a subset of it (RFC 8259, 8.1)
 * - `any`: UTF-8, US-ASCII and ISO-8859-1
 * - `custom`: those of `any`; a function of the application that returns bytes may use others
 */
export type Charsets = 'binary' | 'utf-8' | 'ascii' | 'any' | 'custom'

/** Writes a value. Throws a `TypeError` for a value that the format cannot represent. */
export type WriteValue = (value: unknown) => string | Uint8Array | undefined

/** Settings for reading, of a server or a client. */
export interface ReadOptions extends JsonReadSettings {
  /** The JSON library and functions of an operation; those of the settings if `undefined`. */
  readonly json: JsonRules | undefined
  readonly visibility: VisibilityRules | undefined
  readonly xml: XmlLimits
  readonly form: FormLimits
}

/** Settings for writing, of a server or a client. */
export interface WriteOptions extends JsonSettings {
  readonly json: JsonRules | undefined
  /** The members that the receiver may see. */
  readonly visibility: Visibility
}
