/** Writes HAL, which is JSON with links. Links are defined in the route tree or returned by handlers. */
import type { HalFormat } from '../../endpoint/representation.ts'
import * as t from 'io-ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import * as Hal from '../../http/hal.ts'
import { codecBackEnd } from '../../compiler/settings/settings.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { hasReservedMember, reservedMemberError } from '../../body/formats/hal.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { visibleWriter, writeVisible, writeResult } from './write-body.ts'
import type { WriteContext, WriteResponseBody } from './write-body.ts'
import { unwrapHal, isHalCollection, isHalEntity } from '../../endpoint/hal.ts'
import { customJson, customSerializer } from '../../body/json/json-rules.ts'
import { shapeOf } from '../../compiler/links/entity.ts'
import { noLinks } from '../../compiler/links/link-table.ts'
import { jsonSettings } from '../json-settings.ts'
import { linkOrigin, visibleLinks } from './visible-links.ts'

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

/**
 * Returns a function that writes HAL. The JSON library receives the complete document as an object, in which `_links` is the last member.
 */
export const writeHal = (
  { json, visibility: rules }: BodyPlan,
  { codec, collection, curies }: HalFormat,
  settings: Settings,
): WriteResponseBody => {
  const shape = shapeOf(codec)
  if (shape === undefined)
    return () => {
      throw new TypeError(
        `unsupported HAL entity: ${codec.name} must be an object or a collection of objects`,
      )
    }
  const custom = customJson(shape.codec, json, jsonSettings(settings))
  const serialize = custom === undefined ? JSON.stringify : customSerializer(codec, custom)
  const encode = writeVisible(
    visibleWriter(shape.codec, rules, (visibility) =>
      writeResult(
        'HAL entity',
        shape.codec,
        compileCodec(shape.codec, 'drop', codecBackEnd(settings), visibility, custom?.numbers)
          .encode,
        null,
      ),
    ),
  )
  const entityCodecs = [{ codec: shape.codec, rules }]
  const entityDocument = (
    entity: unknown,
    context: WriteContext,
    ownCuries: Hal.Curies,
  ): unknown => {
    const value = unwrapHal(entity)
    const encoded = resolveToJson(encode(value, context)) ?? null
    if (encoded === null) return null
    if (!t.UnknownRecord.is(encoded) || hasReservedMember(encoded)) throw reservedMemberError()
    const links = [
      ...visibleLinks(context.links ?? noLinks, shape.entity, value, entityCodecs, context),
      ...(isHalEntity(entity) ? entity.links : []),
    ]
    return { ...encoded, _links: Hal.toObject(links, ownCuries) }
  }
  const document = (value: unknown, context: WriteContext): unknown => {
    if (!shape.isCollection) return entityDocument(value, context, curies)
    const wrapper = isHalCollection(value) ? value : undefined
    const values = wrapper?.values ?? value
    if (values === null || !isIterable(values)) return null
    // curies occur only once, in the document for the collection
    const elements = Array.from(values, (element) => entityDocument(element, context, {}))
    const { links = noLinks } = context
    const ownLinks = [...links.type(shape.entity, linkOrigin(context)), ...(wrapper?.links ?? [])]
    return {
      _embedded: { [wrapper?.name ?? collection]: elements },
      _links: Hal.toObject(ownLinks, curies),
    }
  }
  return (value, context) => serialize(document(value, context)) ?? ''
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
