/** Values that may be missing: a parameter that is not sent, a member that is not there. */
import * as t from 'io-ts'

/** The value, or `undefined` when it is missing. */
export interface OptionalC<C extends t.Mixed> extends t.UnionC<[C, t.UndefinedC]> {}

/** Makes a parameter or member optional; without it, a missing one is refused with 400. */
export const optional = <C extends t.Mixed>(codec: C): OptionalC<C> =>
  t.union([codec, t.undefined], `${codec.name} or nothing`)

/** A codec that stands in a value of its own when there is none. */
export class WithDefaultType<C extends t.Mixed> extends t.Type<
  t.TypeOf<C>,
  t.OutputOf<C> | undefined
> {
  readonly _tag = 'WithDefaultType' as const
  readonly codec: C
  readonly byDefault: t.TypeOf<C>
  constructor(codec: C, byDefault: t.TypeOf<C>) {
    super(
      codec.name,
      codec.is,
      (value, context) =>
        value === undefined ? t.success(byDefault) : codec.validate(value, context),
      codec.encode,
    )
    this.codec = codec
    this.byDefault = byDefault
  }
}

/** Takes `byDefault` when the value is missing, and for a collection also when it is empty. */
export const withDefault = <C extends t.Mixed>(
  codec: C,
  byDefault: t.TypeOf<C>,
): WithDefaultType<C> => new WithDefaultType(codec, byDefault)
