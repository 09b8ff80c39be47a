/** Documents in HAL as values, for whoever writes JSON otherwise than the language does. */
import * as t from 'io-ts'
import type { Codec } from '../../../codec/codec.ts'
import { compileCodec } from '../../../codec/generated/compiled-codec.ts'
import * as Hal from '../../../http/hal.ts'
import { backEnd } from '../../../compiler/settings/codec-back-end.ts'
import type { Make } from './hal-writer.ts'
import { hasReserved, unfit } from '../../../body/hal-reserved.ts'
import { projected, written } from '../visibility.ts'

/** `form` encodes the values of a codec as the library in force wants them. */
export const asValue =
  (form: Codec): Make<unknown> =>
  (codec, settings, projecting) => {
    const encode = written(
      projected(
        codec,
        projecting,
        (projection) => compileCodec(form, 'drop', backEnd(settings), projection).encode,
      ),
    )
    return {
      nothing: null,
      entity: (value, links, curies, asking) => {
        const encoded = jsonOf(encode(value, asking)) ?? null
        if (encoded === null) return null
        if (!t.UnknownRecord.is(encoded) || hasReserved(encoded)) throw unfit()
        return { ...encoded, _links: Hal.toObject(links(), curies) }
      },
      collection: (name, elements, links, curies) => ({
        _embedded: { [name]: elements },
        _links: Hal.toObject(links, curies),
      }),
    }
  }

/** An object says itself what its JSON is, where it can: a copy of it could not. */
const jsonOf = (encoded: unknown): unknown =>
  typeof encoded === 'object' &&
  encoded !== null &&
  'toJSON' in encoded &&
  typeof encoded.toJSON === 'function'
    ? encoded.toJSON()
    : encoded
