/** Writes HAL, which is JSON with links. Links are defined in the route tree or returned by handlers. */
import type { HalFormat } from '../../endpoint/representation.ts'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import type { LeafForm } from '../../codec/schema/position.ts'
import { declaredCodecs } from '../../codec/structure/undeclared-members.ts'
import * as Hal from '../../http/hal.ts'
import { codecBackEnd } from '../../compiler/settings/settings.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { hasReservedMember, reservedMembers, reservedMemberError } from '../../body/formats/hal.ts'
import type { VisibilityRules, BodyPlan } from '../../body/body-plan.ts'
import { visibleWriter, writeVisible, writeResult } from './write-body.ts'
import type { WriteContext, WriteResponseBody } from './write-body.ts'
import { unwrapHal, isHalCollection, isHalEntity } from '../../endpoint/hal.ts'
import { customJson, customSerializer } from '../../body/json/json-rules.ts'
import type { EntityShape } from '../../compiler/links/entity.ts'
import { shapeOf } from '../../compiler/links/entity.ts'
import { noLinks } from '../../compiler/links/link-table.ts'
import { jsonSettings } from '../json-settings.ts'
import { linkOrigin, visibleLinks } from './visible-links.ts'

/** Creates HAL documents for an entity type, as text or as objects. */
export interface HalDocuments<D> {
  /** Returns the document for an entity. `links` is not called if the entity is missing. */
  readonly entity: (
    value: unknown,
    links: () => ReadonlyArray<Hal.HalLink>,
    curies: Hal.Curies,
    context: WriteContext,
  ) => D
  /** Returns the document for a collection, with the elements in `_embedded`. */
  readonly collection: (
    name: string,
    elements: ReadonlyArray<D>,
    links: ReadonlyArray<Hal.HalLink>,
    curies: Hal.Curies,
  ) => D
  /** The document for a missing value. */
  readonly nothing: D
}

/** Returns the functions that create HAL documents for an entity type. */
export type HalDocumentsFactory<D> = (
  codec: Codec,
  settings: Settings,
  rules: VisibilityRules | undefined,
) => HalDocuments<D>

/** Creates documents as JSON text. In the document for an entity, `_links` is the last member. */
const halText: HalDocumentsFactory<string> = (codec, settings, rules) => {
  const { encode } = compileCodec(codec, 'drop', codecBackEnd(settings))
  const write = writeVisible(
    visibleWriter(codec, rules, (visibility) =>
      writeResult(
        'HAL entity',
        codec,
        compileCodec(codec, 'drop', codecBackEnd(settings), visibility).write,
        'null',
      ),
    ),
  )
  const mayHaveReserved = reservedMembers.some((name) => declaredCodecs(name)(codec).length > 0)
  return {
    nothing: 'null',
    entity: (value, links, curies, context) => {
      const text = write(value, context)
      if (text === 'null') return text
      if (!text.startsWith('{') || (mayHaveReserved && hasReservedMember(encode(value))))
        throw reservedMemberError()
      return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"_links":${Hal.format(links(), curies)}}`
    },
    collection: (name, elements, links, curies) =>
      `{"_embedded":{${JSON.stringify(name)}:[${elements.join()}]},"_links":${Hal.format(links, curies)}}`,
  }
}

/** Creates documents as objects. `numbers` is the form for numbers that the JSON library expects. */
const halObjects =
  (numbers: LeafForm): HalDocumentsFactory<unknown> =>
  (codec, settings, rules) => {
    const encode = writeVisible(
      visibleWriter(
        codec,
        rules,
        (visibility) =>
          compileCodec(codec, 'drop', codecBackEnd(settings), visibility, numbers).encode,
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

/**
 * Calls the `toJSON` method of a value, if the value has one. The method must be called before links are added, because they are
 * added to a copy, which might not have the method.
 */
const resolveToJson = (encoded: unknown): unknown =>
  typeof encoded === 'object' &&
  encoded !== null &&
  'toJSON' in encoded &&
  typeof encoded.toJSON === 'function'
    ? encoded.toJSON()
    : encoded

/** Returns a function that writes HAL. A custom JSON library receives the complete document as an object, including `_links`. */
export const writeHal = (
  { json, visibility: rules }: BodyPlan,
  format: HalFormat,
  settings: Settings,
): WriteResponseBody => {
  const { codec } = format
  const shape = shapeOf(codec)
  if (shape === undefined)
    return () => {
      throw new TypeError(
        `unsupported HAL entity: ${codec.name} must be an object or a collection of objects`,
      )
    }
  const custom = customJson(shape.codec, json, jsonSettings(settings))
  if (custom === undefined)
    return documentOf(shape, format, rules, halText(shape.codec, settings, rules))
  const createDocument = documentOf(
    shape,
    format,
    rules,
    halObjects(custom.numbers)(shape.codec, settings, rules),
  )
  const write = customSerializer(codec, custom)
  return (value, context) => write(createDocument(value, context)) ?? ''
}

const documentOf = <D>(
  shape: EntityShape,
  { collection, curies }: HalFormat,
  rules: VisibilityRules | undefined,
  documents: HalDocuments<D>,
): ((value: unknown, context: WriteContext) => D) => {
  const entityCodecs = [{ codec: shape.codec, rules }]
  const entityDocument = (entity: unknown, context: WriteContext, ownCuries: Hal.Curies): D => {
    const value = unwrapHal(entity)
    const links = (): ReadonlyArray<Hal.HalLink> => [
      ...visibleLinks(context.links ?? noLinks, shape.entity, value, entityCodecs, context),
      ...(isHalEntity(entity) ? entity.links : []),
    ]
    return documents.entity(value, links, ownCuries, context)
  }
  if (!shape.isCollection) return (value, context) => entityDocument(value, context, curies)
  return (value, context) => {
    const wrapper = isHalCollection(value) ? value : undefined
    const values = wrapper?.values ?? value
    if (values === null || !isIterable(values)) return documents.nothing
    // curies occur only once, in the document for the collection
    const elements = Array.from(values, (element) => entityDocument(element, context, {}))
    const { links = noLinks } = context
    const ownLinks = [...links.type(shape.entity, linkOrigin(context)), ...(wrapper?.links ?? [])]
    return documents.collection(wrapper?.name ?? collection, elements, ownLinks, curies)
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
