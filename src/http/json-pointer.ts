/**
 * JSON pointers as URI fragments: the location of a value within a JSON document.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6901#section-6
 */

/**
 * Writes the pointer to a value from the names and indices that lead to it. An empty list is the whole document. Lone
 * surrogates become U+FFFD.
 *
 * ```text
 * []            #
 * ['']          #/
 * ['a/b', 'é']  #/a~1b/%C3%A9
 * ```
 */
export const format = (segments: ReadonlyArray<string>): string =>
  `#${segments.map((segment) => `/${escape(segment)}`).join('')}`

/** `encodeURI` escapes every character that a fragment cannot contain, except `#`. */
const escape = (segment: string): string =>
  plain.test(segment)
    ? segment
    : encodeURI(
        segment
          .replaceAll('~', '~0')
          .replaceAll('/', '~1')
          .replaceAll(/\p{Cs}/gu, '\ufffd'),
      ).replaceAll('#', '%23')

/** Most names and all indices need no escaping. */
const plain = /^[\w.-]*$/
