/**
 * Defines the interface for body formats such as JSON. A format reads and writes whole bodies. It also has properties for
 * verification, text encoding, route descriptions and the client.
 *
 * Streamed bodies are read and written by the interpreter and the client, because streaming requires access to the request and
 * response.
 */
import type { Codec } from '../codec/codec.ts'
import type { Visibility } from '../codec/visibility/visibility.ts'
import type { JsonRules } from '../endpoint/internal/json-rules.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { FormLimits } from './form-text.ts'
import type { JsonSettings, JsonReadSettings } from './json/json-rules.ts'
import type { ReadBody } from './read-body.ts'
import type { XmlLimits } from './read-xml.ts'
import type { VisibilityRules } from './body-plan.ts'

/** The properties and functions of a body format. */
export interface BodyFormat {
  /** The codec for the values, or `undefined` if the format has no codec. */
  readonly codec: Codec | undefined
  /** Whether chunks are processed as they arrive, so that the whole body is never in memory. */
  readonly isStreamed: boolean
  /** Whether values are written as text. Only such a format can be used for event data. */
  readonly isTextual: boolean
  /** Whether a value may contain open files. The framework closes these files if the response is not sent. */
  readonly mayContainFiles: boolean
  /** The charsets in which text in this format can be written. */
  readonly charsets: Charsets
  /** The representations that are nested in a body, for event data or parts. */
  readonly nested: ReadonlyArray<AnyRepresentation>
  /**
   * The reason why a request body cannot have this format, such as `is only sent, so it cannot be a body`. `undefined` if a
   * request body can have this format.
   */
  readonly cannotReceive: string | undefined
  /**
   * The reason why a response cannot have this format, such as `is only received, so it cannot be sent`. `undefined` if a
   * response can have this format.
   */
  readonly cannotSend: string | undefined
  /** Whether `value` can be written in this format. Elements in a stream are not checked. */
  readonly accepts: (value: unknown) => boolean
  /** Creates a function that reads whole bodies. `undefined` if the format is streamed or is only sent. */
  readonly reader: ((options: BodyReadOptions) => ReadBody) | undefined
  /** Creates a function that writes whole bodies. `undefined` if the format is streamed or is only received. */
  readonly writer: ((options: BodyWriteOptions) => WriteValue) | undefined
}

/**
 * The charsets in which text can be written:
 *
 * - `binary`: none, because the application provides bytes
 * - `utf-8`: UTF-8 only, because the format requires UTF-8 or because each part has a separate charset
 * - `ascii`: UTF-8 and US-ASCII, which is a subset of UTF-8 (RFC 8259, 8.1)
 * - `any`: UTF-8, US-ASCII and ISO-8859-1
 * - `custom`: the same charsets as `any`. An application function that returns bytes may use other charsets.
 */
export type Charsets = 'binary' | 'utf-8' | 'ascii' | 'any' | 'custom'

/** Writes a value. Throws a `TypeError` if the format cannot represent the value. */
export type WriteValue = (value: unknown) => string | Uint8Array | undefined

/** The settings that a server or a client uses for reading bodies. */
export interface BodyReadOptions extends JsonReadSettings {
  /** The JSON library and functions that an operation declares. By default, the library in the settings is used. */
  readonly json: JsonRules | undefined
  readonly visibility: VisibilityRules | undefined
  readonly xml: XmlLimits
  readonly form: FormLimits
}

/** The settings that a server or a client uses for writing bodies. */
export interface BodyWriteOptions extends JsonSettings {
  readonly json: JsonRules | undefined
  /** The members that the receiver may see. */
  readonly visibility: Visibility
}
