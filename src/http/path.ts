/**
 * Splits request paths into segments and matrix parameters.
 *
 * A path is split at `/` before the segments are decoded, so `%2F` remains part of a segment. Each segment is decoded once. Dot
 * segments and empty segments are not removed.
 *
 * ```text
 * path    = 1*( "/" segment )
 * segment = text *( ";" name [ "=" value ] )      matrix parameters, RFC 3986, 3.3
 * ```
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.3
 */
import type { Pair } from './percent.ts'
import * as Percent from './percent.ts'

export interface Segment {
  /** The decoded segment, without matrix parameters. */
  readonly text: string
  /** The segment as received, without matrix parameters. */
  readonly raw: string
  /** The matrix parameters as received: the text after the first `;`. */
  readonly parameters: string
}

/** Splits a path that starts with `/`. Returns `undefined` if a segment cannot be decoded. The path `/` has one empty segment. */
export const split = (path: string): ReadonlyArray<Segment> | undefined => {
  const segments: Segment[] = []
  for (const part of path.slice(1).split('/')) {
    const semicolon = part.indexOf(';')
    const raw = semicolon < 0 ? part : part.slice(0, semicolon)
    const text = Percent.decode(raw)
    if (text === undefined) return undefined
    segments.push({ text, raw, parameters: semicolon < 0 ? '' : part.slice(semicolon + 1) })
  }
  return segments
}

/**
 * Returns the matrix parameters of all segments in a path, as received. Parameters from later segments come first and take
 * precedence.
 */
export const matrix = (segments: ReadonlyArray<Segment>): ReadonlyArray<Pair> =>
  segments.toReversed().flatMap(({ parameters }) =>
    parameters
      .split(';')
      .filter((parameter) => parameter !== '')
      .map((parameter): Pair => {
        const equals = parameter.indexOf('=')
        return equals < 0
          ? [parameter, undefined]
          : [parameter.slice(0, equals), parameter.slice(equals + 1)]
      }),
  )
