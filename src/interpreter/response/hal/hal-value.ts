/** Documents in HAL as values, for whoever writes JSON otherwise than the language does. */
import * as t from 'io-ts'
import type { Codec } from '../../../codec/codec.ts'
import { compileCodec } from '../../../codec/generated/compiled-codec.ts'
import * as Hal from '../../../http/hal.ts'
import { codecBackEnd } from '../../../compiler/settings/settings.ts'
import type { HalWriterFactory } from './hal-writer.ts'
import { hasReservedMember, reservedMemberError } from '../../../body/hal-reserved.ts'
import { visibleWriter, writeVisible } from '../visibility.ts'

/** `form` encodes the values of a codec as the library in force wants them. */
export const halValue =
  (form: Codec): HalWriterFactory<unknown> =>
  (codec, settings, projecting) => {
    const encode = writeVisible(
      visibleWriter(
        codec,
        projecting,
        (projection) => compileCodec(form, 'drop', codecBackEnd(settings), projection).encode,
      ),
    )
    return {
      nothing: null,
      entity: (value, links, curies, asking) => {
        const encoded = jsonOf(encode(value, asking)) ?? null
        if (encoded === null) return null
        if (!t.UnknownRecord.is(encoded) || hasReservedMember(encoded)) throw reservedMemberError()
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
