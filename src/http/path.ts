/**
 * The path of a request: its segments, each decoded on its own, and the matrix parameters that stand behind them.
 *
 * There is one normal form, and everything that looks at a path looks at it: segments are split at `/` before anything is
 * decoded, so `%2F` stays inside its segment; they are decoded once; dot segments and empty ones are segments like others.
 *
 * ```text
 * path    = 1*( "/" segment )
 * segment = text *( ";" name [ "=" value ] )      matrix parameters, RFC 3986, 3.3
 * ```
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.3
 */
import type { Pair } from './form.ts'
import * as Percent from './percent.ts'

export interface Segment {
  /** Decoded, without matrix parameters. */
  readonly text: string
  /** As received, without matrix parameters. */
  readonly raw: string
  /** What followed the first `;`, as received. */
  readonly parameters: string
}

/** The segments of a path that begins with `/`; `undefined` when one cannot be decoded. `/` has one segment, the empty one. */
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

/** The matrix parameters of a path, those of later segments first, as received; a name is looked up from the end of the path. */
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
