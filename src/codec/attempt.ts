/** Parameters that the handler wants to judge by itself. */
import type { Either } from 'fp-ts/lib/Either.js'
import { isRight, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** What decoding gave: the errors or the value. */
export type Attempt<C extends t.Mixed> = Either<t.Errors, t.TypeOf<C>>

/** A codec that accepts everything and hands over what came of it. */
export class AttemptType<C extends t.Mixed> extends t.Type<Attempt<C>, t.OutputOf<C> | undefined> {
  readonly _tag = 'AttemptType' as const
  readonly codec: C
  constructor(codec: C) {
    super(
      codec.name,
      (value): value is Attempt<C> =>
        t.UnknownRecord.is(value) &&
        (value['_tag'] === 'Right'
          ? codec.is(value['right'])
          : value['_tag'] === 'Left' && t.UnknownArray.is(value['left'])),
      (value, context) => right(codec.validate(value, context)),
      (attempt) => (isRight(attempt) ? codec.encode(attempt.right) : undefined),
    )
    this.codec = codec
  }
}

/** Never refuses: the handler gets an `Either` of the decoding errors and the value. */
export const attempt = <C extends t.Mixed>(codec: C): AttemptType<C> => new AttemptType(codec)
