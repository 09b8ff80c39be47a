/** Durations as programs write them down. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import { durationMillis } from '../../codec/duration-millis.ts'
import type { Duration } from '../../endpoint/limits.ts'

/** Its milliseconds. Throws a `RangeError` for what is no duration, naming what it was given for. */
export const millisOf = (name: string, duration: Duration): number =>
  pipe(
    durationMillis.decode(duration),
    E.getOrElse((): number => {
      throw new RangeError(`${name} is ${durationMillis.name}, not ${JSON.stringify(duration)}`)
    }),
  )
