/**
 * Media types, and the media ranges that stand for several of them: `text/html;charset=utf-8`, `text/*`. Weights are
 * not part of them: see `quality.ts` and `accept.ts`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'

/** Everything that is case-insensitive is in lower case: type, subtype, parameter names and the value of `charset`. */
export interface MediaType {
  readonly type: string
  readonly subtype: string
  /** In the order of the text, each name once. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
}

/**
 * Reads a media type or range; `none` when the text is neither. Of parameters with the same name the first is kept.
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
        parameters: normalize(parameters.value),
      })
}

/** Writes a media type as a header carries it, without spaces. */
export const format = (mediaType: MediaType): string =>
  mediaType.parameters.reduce(
    (text, [name, value]) => `${text};${name}=${Grammar.quote(value)}`,
    essence(mediaType),
  )

/** The media type without its parameters: `text/html`. */
export const essence = ({ type, subtype }: MediaType): string => `${type}/${subtype}`

/** Whether it stands for several media types: `text/*` or the range of all. */
export const isRange = ({ subtype }: MediaType): boolean => subtype === '*'

/** How little it leaves open: a range least, and each parameter more than none (RFC 9110, 12.5.1). */
export const specificity = ({ type, subtype, parameters }: MediaType): number =>
  type === '*' ? 1 : subtype === '*' ? 2 : 3 + parameters.length

/** The value of a parameter, whose name is given in lower case. */
export const parameter = ({ parameters }: MediaType, name: string): O.Option<string> =>
  O.fromNullable(parameters.find(([own]) => own === name)?.[1])

/**
 * The structured syntax suffix: `json` of `application/vnd.x+json`; of several the last.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6838#section-4.2.8
 */
export const suffix = ({ subtype }: MediaType): O.Option<string> =>
  O.fromNullable(/\+([^+]+)$/.exec(subtype)?.[1])

/**
 * Whether a range covers a media type or a narrower range. Each parameter of the range must be there with the same
 * value, letter for letter; `charset` and `q` are not compared, for they do not tell one format from another.
 */
export const includes = (range: MediaType, mediaType: MediaType): boolean =>
  (range.type === '*' || range.type === mediaType.type) &&
  (range.subtype === '*' || range.subtype === mediaType.subtype) &&
  range.parameters.every(
    ([name, value]) =>
      name === 'charset' ||
      name === 'q' ||
      mediaType.parameters.some(([own, given]) => own === name && given === value),
  )

const normalize = (
  parameters: ReadonlyArray<Grammar.HeaderParameter>,
): ReadonlyArray<Grammar.HeaderParameter> =>
  parameters.length === 0
    ? parameters
    : [
        ...parameters.reduce(
          (kept, [name, value]) =>
            kept.has(name)
              ? kept
              : kept.set(name, name === 'charset' ? value.toLowerCase() : value),
          new Map<string, string>(),
        ),
      ]
