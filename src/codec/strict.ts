/** Codecs that reject undeclared members. */
import * as t from 'io-ts'
import type { Codec } from './codec.ts'
import { exactForm } from './structure/exact-form.ts'
import { RestrictedEncodingError } from './visibility/restricted-member.ts'
import { restrictionsIn } from './visibility/restrictions.ts'

/** A codec that rejects undeclared members, regardless of settings. */
export class ExactlyType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'ExactlyType' as const
  readonly codec: C
  constructor(codec: C) {
    // created on first use, because a recursive codec may not be defined yet
    const form = (): Codec => exactForm(codec, 'reject')
    super(
      codec.name,
      codec.is,
      (value, context) => form().validate(value, context),
      (value) => {
        if (restrictionsIn(codec).length > 0) throw new RestrictedEncodingError()
        return form().encode(value)
      },
    )
    this.codec = codec
  }
}

/**
 * Rejects undeclared members at any depth while decoding, and strips them while encoding. Without it, undeclared members are
 * stripped.
 *
 * The setting `fw.rest.jsonlib.fail-on-unknown-properties` does the same for all JSON bodies.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import * as t from 'io-ts'
 * import { exact, int, list } from 'espalier'
 *
 * const Line = exact(t.type({ points: list(t.type({ x: int })) }))
 *
 * assert.deepEqual(Line.decode({ points: [{ x: 1 }] }), E.right({ points: [{ x: 1 }] }))
 * assert.ok(E.isLeft(Line.decode({ points: [{ x: 1, y: 2 }] })))
 * ```
 */
export const exact = <C extends t.Mixed>(codec: C): ExactlyType<C> => new ExactlyType(codec)
