/**
 * Writes the `Accept-Query` header: the media types of the queries that a resource accepts with the method QUERY.
 *
 * @see https://www.rfc-editor.org/rfc/rfc10008#section-3
 * @see https://www.rfc-editor.org/rfc/rfc9651
 */
import * as MediaType from './media-type.ts'

/**
 * Formats media types and ranges as a List of Tokens, or of Strings where a media type is not a Token. Parameters that a Structured Field
 * cannot represent are omitted.
 *
 * ```text
 * sf-list  = list-member *( OWS "," OWS list-member )
 * sf-token = ( ALPHA / "*" ) *( tchar / ":" / "/" )
 * key      = ( lcalpha / "*" ) *( lcalpha / DIGIT / "_" / "-" / "." / "*" )
 * ```
 */
export const format = (types: ReadonlyArray<MediaType.MediaType>): string =>
  [...new Set(types.map(formatMember))].join(', ')

const formatMember = (type: MediaType.MediaType): string =>
  type.parameters.reduce(
    (text, [name, value]) =>
      key.test(name) && printable.test(value) ? `${text};${name}=${formatItem(value)}` : text,
    formatItem(MediaType.essence(type)),
  )

const formatItem = (text: string): string =>
  token.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`

const token = /^[A-Za-z*][\w!#$%&'*+.^`|~:/-]*$/
const key = /^[a-z*][a-z\d_.*-]*$/
const printable = /^[\x20-\x7e]*$/
