/** Writes values in HAL: JSON with the links of the tree, and of the values themselves. */
import { unwrapHal, isHalCollection, isHalEntity } from '../../../endpoint/hal.ts'
import type * as Hal from '../../../http/hal.ts'
import type { WriteContext } from '../write-context.ts'
import type { BodyPlan } from '../../../body/body-plan.ts'
import { customJson } from '../../../body/json/json-rules.ts'
import type { HalWriter } from './hal-writer.ts'
import { halText } from './hal-text.ts'
import { halValue } from './hal-value.ts'
import type { EntityShape } from '../../../compiler/links/entity.ts'
import { shapeOf } from '../../../compiler/links/entity.ts'
import { visibleLinks } from '../../links/visible-links.ts'
import { noLinks } from '../../../compiler/links/link-table.ts'
import { serverUrl } from '../../links/server-url.ts'
import type { WriteBody } from '../deferred-response.ts'
import type { VisibilityRules } from '../../../body/visibility.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { customSerializer } from '../../../body/json/write-json.ts'
import { jsonSettings } from '../../json-settings.ts'

type Format = Extract<BodyPlan['format'], { readonly _tag: 'Hal' }>

export const isHal = ({ format }: BodyPlan): boolean => format._tag === 'Hal'

/** Prepares writing a content in HAL. A library or function for JSON is given the whole document, its links as a member. */
export const writeHal = (
  { json, visibility: projecting }: BodyPlan,
  format: Format,
  settings: Settings,
): WriteBody => {
  const { codec } = format
  const shape = shapeOf(codec)
  if (shape === undefined)
    return () => {
      throw new TypeError(`${codec.name} is neither an object nor a collection of objects`)
    }
  const otherwise = customJson(shape.codec, json, jsonSettings(settings))
  if (otherwise === undefined)
    return documents(shape, format, projecting, halText(shape.codec, settings, projecting))
  const document = documents(
    shape,
    format,
    projecting,
    halValue(otherwise.form)(shape.codec, settings, projecting),
  )
  const write = customSerializer(codec, otherwise)
  return (value, asking) => write(document(value, asking)) ?? ''
}

const documents = <D>(
  shape: EntityShape,
  { collection, curies }: Format,
  projecting: VisibilityRules | undefined,
  making: HalWriter<D>,
): ((value: unknown, asking: WriteContext) => D) => {
  const shown = [{ codec: shape.codec, projecting }]
  const linked = (one: unknown, asking: WriteContext, short: Hal.Curies): D => {
    const value = unwrapHal(one)
    const links = (): ReadonlyArray<Hal.HalLink> => [
      ...visibleLinks(asking.links ?? noLinks, shape.entity, value, shown, asking),
      ...(isHalEntity(one) ? one.links : []),
    ]
    return making.entity(value, links, short, asking)
  }
  if (!shape.isCollection) return (value, asking) => linked(value, asking, curies)
  return (value, asking) => {
    const own = isHalCollection(value) ? value : undefined
    const all = own?.values ?? value
    if (all === null || !isIterable(all)) return making.nothing
    const elements = Array.from(all, (one) => linked(one, asking, {}))
    const { exchange, links = noLinks } = asking
    const around = [...links.type(shape.entity, serverUrl(exchange)), ...(own?.links ?? [])]
    return making.collection(own?.name ?? collection, elements, around, curies)
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value

/** What writes an alternative. */
interface Writer {
  readonly alternative: BodyPlan | undefined
  readonly write: WriteBody
  readonly writeAs: (contentType: string) => WriteBody
}

const isBeside = ({ alternative }: Writer): boolean =>
  alternative === undefined || !isHal(alternative)

/** Writers of which those beside HAL are given the value alone, where a handler may return it with links of its own. */
export const unwrapBesideHal = <W extends Writer>(writers: ReadonlyArray<W>): ReadonlyArray<W> => {
  if (writers.every(isBeside)) return writers
  return writers.map((writer) => {
    if (!isBeside(writer)) return writer
    const write: WriteBody = (value, asking) => writer.write(unwrapHal(value), asking)
    const writeAs: Writer['writeAs'] = (type) => {
      const typed = writer.writeAs(type)
      return (value, asking) => typed(unwrapHal(value), asking)
    }
    return { ...writer, write, writeAs }
  })
}
