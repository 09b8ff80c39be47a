/** Properties of formats that are read without the functions of the formats, which a client may not have loaded. */
import type { AnyRepresentation, Format } from '../endpoint/representation.ts'
import type { BodyPlan } from './body-plan.ts'

/**
 * The charsets in which a format can write text:
 *
 * - `binary`: none, because the application provides bytes
 * - `utf-8`: UTF-8 only, because the format requires UTF-8 or because each part declares its own charset
 * - `ascii`: UTF-8 and US-ASCII, which is a subset of UTF-8 (RFC 8259, 8.1)
 * - `any`: UTF-8, US-ASCII and ISO-8859-1
 * - `custom`: the same charsets as `any`. An application function that returns bytes can use any charset.
 */
export type Charsets = 'binary' | 'utf-8' | 'ascii' | 'any' | 'custom'

/** Returns the charsets in which a format can write text. */
export const charsetsOf = (format: Format | BodyPlan['format']): Charsets => {
  switch (format._tag) {
    case 'Bytes':
    case 'ByteStream':
    case 'File':
    case 'FileBody':
      return 'binary'
    case 'Json':
    case 'RawJson':
    case 'Problem':
    case 'Hal':
    case 'Xml':
      return 'ascii'
    case 'Data':
      return format.isTextual ? 'ascii' : 'binary'
    case 'Text':
    case 'TextStream':
      return 'any'
    case 'Custom':
    case 'Entity':
    case 'Provider':
      return 'custom'
    default:
      return 'utf-8'
  }
}

/** Returns the representation of the data of an event stream, or the representations of the parts of a multipart form. */
export const nestedIn = (format: Format | BodyPlan['format']): ReadonlyArray<AnyRepresentation> => {
  switch (format._tag) {
    case 'EventStream':
      return format.data._tag === 'Codec' ? none : [format.data]
    case 'MultipartOutput':
      return (format.fields ?? none).map(({ representation }) => representation)
    default:
      return none
  }
}

const none: ReadonlyArray<never> = []
