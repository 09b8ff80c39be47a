/** Writes HAL: JSON with the links of the route tree, and with the links that a handler adds. */
import { unwrapHal, isHalCollection, isHalEntity } from '../../../endpoint/hal.ts'
import type * as Hal from '../../../http/hal.ts'
import type { BodyPlan } from '../../../body/body-plan.ts'
import { customJson } from '../../../body/json/json-rules.ts'
import { customSerializer } from '../../../body/json/write-json.ts'
import type { VisibilityRules } from '../../../body/visibility.ts'
import type { EntityShape } from '../../../compiler/links/entity.ts'
import { shapeOf } from '../../../compiler/links/entity.ts'
import { noLinks } from '../../../compiler/links/link-table.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { serverUrl } from '../../exchange.ts'
import { jsonSettings } from '../../json-settings.ts'
import { visibleLinks } from '../../links/visible-links.ts'
import type { WriteBody, WriteContext } from '../write-body.ts'
import type { HalDocuments } from './hal-documents.ts'
import { halObjects, halText } from './hal-documents.ts'

type HalFormat = Extract<BodyPlan['format'], { readonly _tag: 'Hal' }>

/** Whether a body is written as HAL. */
export const isHal = ({ format }: BodyPlan): boolean => format._tag === 'Hal'

/** Prepares writing HAL. A custom JSON library receives the complete document as an object, including `_links`. */
export const writeHal = (
  { json, visibility: rules }: BodyPlan,
  format: HalFormat,
  settings: Settings,
): WriteBody => {
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
    halObjects(custom.form)(shape.codec, settings, rules),
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
  const shown = [{ codec: shape.codec, rules }]
  const entityDocument = (entity: unknown, context: WriteContext, ownCuries: Hal.Curies): D => {
    const value = unwrapHal(entity)
    const links = (): ReadonlyArray<Hal.HalLink> => [
      ...visibleLinks(context.links ?? noLinks, shape.entity, value, shown, context),
      ...(isHalEntity(entity) ? entity.links : []),
    ]
    return documents.entity(value, links, ownCuries, context)
  }
  if (!shape.isCollection) return (value, context) => entityDocument(value, context, curies)
  return (value, context) => {
    const wrapper = isHalCollection(value) ? value : undefined
    const values = wrapper?.values ?? value
    if (values === null || !isIterable(values)) return documents.nothing
    // curies occur once, in the document of the collection
    const elements = Array.from(values, (element) => entityDocument(element, context, {}))
    const { exchange, links = noLinks } = context
    const ownLinks = [...links.type(shape.entity, serverUrl(exchange)), ...(wrapper?.links ?? [])]
    return documents.collection(wrapper?.name ?? collection, elements, ownLinks, curies)
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value

/** The part of a body writer that this file reads. */
interface Writer {
  readonly alternative: BodyPlan | undefined
  readonly write: WriteBody
  readonly writeAs: (contentType: string) => WriteBody
}

const writesNoHal = ({ alternative }: Writer): boolean =>
  alternative === undefined || !isHal(alternative)

/**
 * Adapts the other writers of an operation with a HAL representation: they write the values of `halEntity` and `halCollection`
 * without links.
 */
export const unwrapBesideHal = <W extends Writer>(writers: ReadonlyArray<W>): ReadonlyArray<W> => {
  if (writers.every(writesNoHal)) return writers
  return writers.map((writer) => {
    if (!writesNoHal(writer)) return writer
    const write: WriteBody = (value, context) => writer.write(unwrapHal(value), context)
    const writeAs: Writer['writeAs'] = (contentType) => {
      const writeTyped = writer.writeAs(contentType)
      return (value, context) => writeTyped(unwrapHal(value), context)
    }
    return { ...writer, write, writeAs }
  })
}
