/**
 * Media types, and media ranges, which include several media types: `text/html;charset=utf-8`, `text/*`. Weights are parsed by
 * `accept.ts`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'

/** A media type or range. Type, subtype, parameter names and the value of `charset` are in lower case. */
export interface MediaType {
  readonly type: string
  readonly subtype: string
  /** In the order of the text, without duplicate names. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
}

/**
 * Parses a media type or range. Returns `none` for an invalid one. Keeps the first of several parameters with the same name.
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

/** Returns the media type without its parameters: `text/html`. */
export const essence = ({ type, subtype }: MediaType): string => `${type}/${subtype}`

/** Whether it is a range: `text/*`, or that of all types. */
export const isRange = ({ subtype }: MediaType): boolean => subtype === '*'

/** Returns the specificity of a range or media type, which is greater with each parameter (RFC 9110, 12.5.1). */
export const specificity = ({ type, subtype, parameters }: MediaType): number =>
  type === '*' ? 1 : subtype === '*' ? 2 : 3 + parameters.length

/** Returns the value of the parameter with a name in lower case. */
export const parameter = ({ parameters }: MediaType, name: string): O.Option<string> =>
  O.fromNullable(parameters.find(([key]) => key === name)?.[1])

/**
 * Returns the structured syntax suffix: `json` for `application/vnd.x+json`. Returns the last of several suffixes.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6838#section-4.2.8
 */
export const suffix = ({ subtype }: MediaType): O.Option<string> =>
  O.fromNullable(/\+([^+]+)$/.exec(subtype)?.[1])

/**
 * Whether a range includes a media type or a narrower range. The media type must have each parameter of the range with the
 * same value, case-sensitively. `charset` and `q` are not compared, because they do not identify a format.
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
