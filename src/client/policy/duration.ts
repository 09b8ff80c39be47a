/** Durations as programs write them down. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import { durationMillis } from '../../codec/duration-millis.ts'

/** A text such as `2s`, `500ms` or `PT1M30S`, or whole milliseconds; at most 24 days. */
export type Duration = string | number

/** Its milliseconds. Throws a `RangeError` for what is no duration, naming what it was given for. */
export const millisOf = (name: string, duration: Duration): number =>
  pipe(
    durationMillis.decode(duration),
    E.getOrElse((): number => {
      throw new RangeError(`${name} is ${durationMillis.name}, not ${JSON.stringify(duration)}`)
    }),
  )
