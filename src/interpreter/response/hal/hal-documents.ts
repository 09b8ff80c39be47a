/** Creates HAL documents: as JSON text, or as objects for custom JSON libraries. */
import * as t from 'io-ts'
import type { Codec } from '../../../codec/codec.ts'
import { compileCodec } from '../../../codec/generated/compiled-codec.ts'
import { declaredCodecs } from '../../../codec/structure/declared-members.ts'
import * as Hal from '../../../http/hal.ts'
import { codecBackEnd } from '../../../compiler/settings/settings.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import {
  hasReservedMember,
  reservedMembers,
  reservedMemberError,
} from '../../../body/hal-reserved.ts'
import type { VisibilityRules } from '../../../body/visibility.ts'
import { visibleWriter, writeVisible } from '../visibility.ts'
import type { WriteContext } from '../write-body.ts'

/** Creates the documents of an entity type, as text or as objects. */
export interface HalDocuments<D> {
  /** Returns the document of an entity. `links` is not called for a missing entity. */
  readonly entity: (
    value: unknown,
    links: () => ReadonlyArray<Hal.HalLink>,
    curies: Hal.Curies,
    context: WriteContext,
  ) => D
  /** Returns the document of a collection, with its elements in `_embedded`. */
  readonly collection: (
    name: string,
    elements: ReadonlyArray<D>,
    links: ReadonlyArray<Hal.HalLink>,
    curies: Hal.Curies,
  ) => D
  /** The document of a missing value. */
  readonly nothing: D
}

/** Prepares the documents of an entity type. */
export type HalDocumentsFactory<D> = (
  codec: Codec,
  settings: Settings,
  rules: VisibilityRules | undefined,
) => HalDocuments<D>

/** Creates documents as text: the JSON text of an entity, with `_links` as its last member. */
export const halText: HalDocumentsFactory<string> = (codec, settings, rules) => {
  const { encode } = compileCodec(codec, 'drop', codecBackEnd(settings))
  const write = writeVisible(
    visibleWriter(
      codec,
      rules,
      (visibility) => compileCodec(codec, 'drop', codecBackEnd(settings), visibility).write,
    ),
  )
  const mayHaveReserved = reservedMembers.some((name) => declaredCodecs(name)(codec).length > 0)
  return {
    nothing: 'null',
    entity: (value, links, curies, context) => {
      const text = write(value, context) ?? 'null'
      if (text === 'null') return text
      if (!text.startsWith('{') || (mayHaveReserved && hasReservedMember(encode(value))))
        throw reservedMemberError()
      return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"_links":${Hal.format(links(), curies)}}`
    },
    collection: (name, elements, links, curies) =>
      `{"_embedded":{${JSON.stringify(name)}:[${elements.join()}]},"_links":${Hal.format(links, curies)}}`,
  }
}

/** Creates documents as objects. `encodedForm` encodes entities in the form that the JSON library expects. */
export const halObjects =
  (encodedForm: Codec): HalDocumentsFactory<unknown> =>
  (codec, settings, rules) => {
    const encode = writeVisible(
      visibleWriter(
        codec,
        rules,
        (visibility) =>
          compileCodec(encodedForm, 'drop', codecBackEnd(settings), visibility).encode,
      ),
    )
    return {
      nothing: null,
      entity: (value, links, curies, context) => {
        const encoded = resolveToJson(encode(value, context)) ?? null
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

/** Calls `toJSON`, if it exists. The copy of an object, with its links, would no longer have that method. */
const resolveToJson = (encoded: unknown): unknown =>
  typeof encoded === 'object' &&
  encoded !== null &&
  'toJSON' in encoded &&
  typeof encoded.toJSON === 'function'
    ? encoded.toJSON()
    : encoded
