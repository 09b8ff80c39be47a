/** Codecs that reject undeclared members. */
import * as t from 'io-ts'
import { compileCodec } from './compiled/compiled-codec.ts'
import { interpretedBackEnd } from './compiled/interpreted-back-end.ts'
import { RestrictedEncodingError } from './structure/restricted-member.ts'
import { restrictionsIn } from './visibility/restrictions.ts'

/** A codec that always rejects undeclared members, regardless of the settings. */
export class StrictType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'ExactlyType' as const
  readonly codec: C
  constructor(codec: C) {
    // compiled on first use, because a recursive codec may not be defined yet
    const { validate, encode } = compileCodec(codec, 'reject', interpretedBackEnd)
    super(codec.name, codec.is, validate, (value) => {
      if (restrictionsIn(codec).length > 0) throw new RestrictedEncodingError()
      return encode(value)
    })
    this.codec = codec
  }
}

/**
 * Rejects undeclared members at any depth when decoding, and strips them when encoding. Without `strict`, undeclared members
 * are stripped in both directions by default.
 *
 * To reject undeclared members in all JSON and XML request bodies, use the setting
 * `fw.rest.jsonlib.fail-on-unknown-properties`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import * as t from 'io-ts'
 * import { strict, int, list } from 'espalier'
 *
 * const Line = strict(t.type({ points: list(t.type({ x: int })) }))
 *
 * assert.deepEqual(Line.decode({ points: [{ x: 1 }] }), E.right({ points: [{ x: 1 }] }))
 * assert.ok(E.isLeft(Line.decode({ points: [{ x: 1, y: 2 }] })))
 * ```
 */
export const strict = <C extends t.Mixed>(codec: C): StrictType<C> => new StrictType(codec)
