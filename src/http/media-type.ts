/**
 * Parses and writes media types such as `text/html;charset=utf-8` and media ranges such as `text/*`. The weights that follow
 * media ranges in the `Accept` header are parsed by `accept.ts`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'

/** A media type or range. The type, the subtype, parameter names and the value of `charset` are in lower case. */
export interface MediaType {
  readonly type: string
  readonly subtype: string
  /** The parameters in their original order, without duplicate names. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
}

/**
 * Parses a media type or range. Returns `none` if the string is invalid. If a parameter is repeated, only the first value is
 * kept.
 *
 * ```text
 * media-type  = type "/" subtype parameters
 * media-range = ( "*" "/" "*" / type "/" "*" / type "/" subtype ) parameters
 * ```
 */
export const parse = (text: string): O.Option<MediaType> => {
  const [, type = '', subtype = '', rest = ''] = /^([^/]+)\/([^\t ;]+)([^]*)$/.exec(text) ?? []
  if (!Grammar.isToken(type) || !Grammar.isToken(subtype)) return O.none
  if (type === '*' && subtype !== '*') return O.none
  const parameters = Grammar.parseParameters(rest)
  return O.isNone(parameters)
    ? O.none
    : O.some({
        type: type.toLowerCase(),
        subtype: subtype.toLowerCase(),
        parameters: normalizeParameters(parameters.value),
      })
}

/** Writes a media type as a header value, without spaces. */
export const format = (mediaType: MediaType): string =>
  mediaType.parameters.reduce(
    (text, [name, value]) => `${text};${name}=${Grammar.quote(value)}`,
    essence(mediaType),
  )

/** Returns the media type without parameters, such as `text/html`. */
export const essence = ({ type, subtype }: MediaType): string => `${type}/${subtype}`

/** Whether a media type is a media range, such as `text/*`. */
export const isRange = ({ subtype }: MediaType): boolean => subtype === '*'

/**
 * Returns the specificity of a media range or media type as a number (RFC 9110, 12.5.1). The number is greater for a more specific
 * type, and increases with each parameter.
 */
export const specificity = ({ type, subtype, parameters }: MediaType): number =>
  type === '*' ? 1 : subtype === '*' ? 2 : 3 + parameters.length

/** Returns the value of a parameter. The name must be in lower case. */
export const parameter = ({ parameters }: MediaType, name: string): O.Option<string> =>
  O.fromNullable(parameters.find(([key]) => key === name)?.[1])

/**
 * Returns the structured syntax suffix, such as `json` for `application/vnd.x+json`. If a media type has multiple suffixes,
 * returns the last one.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6838#section-4.2.8
 */
export const suffix = ({ subtype }: MediaType): O.Option<string> =>
  O.fromNullable(/\+([^+]+)$/.exec(subtype)?.[1])

/**
 * Whether a range includes a media type or a narrower range. The media type must have all parameters of the range, with the same
 * values. Values are case-sensitive. `charset` and `q` are not compared, because they do not identify a format.
 */
export const includes = (range: MediaType, mediaType: MediaType): boolean =>
  (range.type === '*' || range.type === mediaType.type) &&
  (range.subtype === '*' || range.subtype === mediaType.subtype) &&
  range.parameters.every(
    ([name, value]) =>
      name === 'charset' ||
      name === 'q' ||
      mediaType.parameters.some(
        ([otherName, otherValue]) => otherName === name && otherValue === value,
      ),
  )

const normalizeParameters = (
  parameters: ReadonlyArray<Grammar.HeaderParameter>,
): ReadonlyArray<Grammar.HeaderParameter> =>
  parameters.length === 0
    ? parameters
    : [
        ...parameters.reduce(
          (unique, [name, value]) =>
            unique.has(name)
              ? unique
              : unique.set(name, name === 'charset' ? value.toLowerCase() : value),
          new Map<string, string>(),
        ),
      ]
