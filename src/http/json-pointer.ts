/**
 * JSON pointers: the place of a value within a JSON document, as a URI fragment. Written only: nothing here follows one.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6901#section-6
 */

/**
 * Writes the names and indices that lead to a value; no segments are the whole document. Half of a surrogate pair,
 * which UTF-8 cannot hold, becomes U+FFFD.
 *
 * ```text
 * []            #
 * ['']          #/
 * ['a/b', 'é']  #/a~1b/%C3%A9
 * ```
 */
export const format = (segments: ReadonlyArray<string>): string =>
  `#${segments.map((segment) => `/${escape(segment)}`).join('')}`

/** `encodeURI` leaves what a fragment may hold, and the `#` that it may not. */
const escape = (segment: string): string =>
  plain.test(segment)
    ? segment
    : encodeURI(
        segment
          .replaceAll('~', '~0')
          .replaceAll('/', '~1')
          .replaceAll(/\p{Cs}/gu, '\ufffd'),
      ).replaceAll('#', '%23')

/** What most names and all indices are: nothing to escape. */
const plain = /^[\w.-]*$/
