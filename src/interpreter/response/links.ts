/**
 * Resolves the links of entities, and writes HAL, which is JSON with links. Links are defined in the route tree or returned by handlers.
 * A link is omitted if it contains the value of a member that is hidden from the caller.
 */
import type { HalFormat } from '../../endpoint/representation.ts'
import * as t from 'io-ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import * as Hal from '../../http/hal.ts'
import { codecBackEnd } from '../../compiler/settings/settings.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { hasReservedMember, reservedMemberError } from '../../body/formats/hal.ts'
import type { BodyPlan, VisibilityRules } from '../../body/body-plan.ts'
import { visibleWriter, writeResult, callerVisibility } from './write-body.ts'
import type { WriteContext, WriteResponseBody } from './write-body.ts'
import { unwrapHal, isHalCollection, isHalEntity } from '../../endpoint/hal.ts'
import { customJson, customSerializer } from '../../body/json/json-rules.ts'
import { shapeOf } from '../../compiler/links/entity.ts'
import { noLinks } from '../../compiler/links/link-table.ts'
import { jsonSettings } from '../json-settings.ts'
import type { AnySchema } from '../../codec/standard-schema/schema-types.ts'
import type { AnyCodec, Codec } from '../../codec/codec.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { hidesMember } from '../../codec/visibility/visibility.ts'
import type { Links } from '../../endpoint/links.ts'
import { toCodec } from '../../endpoint/representation.ts'
import type { Link } from '../../http/link.ts'
import { defaultVisibility } from '../../body/body-plan.ts'
import type { IsHidden, LinkOrigin, LinkTable } from '../../compiler/links/link-table.ts'
import type { RequestInfo } from '../request-info.ts'
import { serverUrl } from '../exchange.ts'

/** A codec that encodes an entity, and the visibility rules for this codec. */
export interface VisibleEntity {
  readonly codec: Codec
  readonly rules: VisibilityRules | undefined
}

/**
 * Returns the links for an entity, except those that contain the value of a hidden member. A member is hidden if at least one of
 * `codecs` hides it from the caller.
 */
export const visibleLinks = (
  links: LinkTable,
  entity: Codec | undefined,
  value: unknown,
  codecs: ReadonlyArray<VisibleEntity>,
  context: Pick<WriteContext, 'exchange' | 'authenticated' | 'prefixValues'>,
): ReadonlyArray<Link> =>
  links.instance(entity, linkOrigin(context), value, hiddenMembers(codecs, context))

/** Returns the properties of a request that its links depend on. */
export const linkOrigin = ({
  exchange,
  prefixValues,
}: Pick<WriteContext, 'exchange' | 'prefixValues'>): LinkOrigin => ({
  server: serverUrl(exchange),
  slots: prefixValues,
})

const hiddenMembers = (
  codecs: ReadonlyArray<VisibleEntity>,
  context: Pick<WriteContext, 'authenticated'>,
): IsHidden => {
  const predicates = codecs
    .filter(({ codec }) => restrictionsIn(codec).length > 0)
    .map(({ codec, rules = defaultVisibility }) =>
      hidesMember([codec], callerVisibility(codec, rules, context)),
    )
  return (member) => predicates.some((isHidden) => isHidden(member))
}

/**
 * Creates the object returned by `linksOf(context)`. Handlers and filters use it to resolve the links declared in the route tree.
 */
export const contextLinks = (request: RequestInfo): Links => {
  const { links } = request.program
  const find = (entity: AnyCodec | AnySchema | string): ReturnType<typeof links.find> =>
    links.find(typeof entity === 'string' ? entity : toCodec(entity))
  return {
    type: (entity) => links.type(find(entity), linkOrigin(request)),
    instance: (entity: AnyCodec | AnySchema | string, value: unknown) => {
      const codec = find(entity)
      const rules = request.operation?.plan.chain.entities.visibility
      const codecs = codec === undefined ? [] : [{ codec, rules }]
      return visibleLinks(links, codec, value, codecs, request)
    },
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
  const encode = visibleWriter(shape.codec, rules, (visibility) =>
    writeResult(
      'HAL entity',
      shape.codec,
      compileCodec(shape.codec, 'drop', codecBackEnd(settings), visibility, custom?.numbers).encode,
      null,
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
