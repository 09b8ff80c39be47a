/** Writes values in HAL: JSON with the links of the tree, and of the values themselves. */
import { unwrapHal, isHalCollection, isHalEntity } from '../../../endpoint/hal.ts'
import type * as Hal from '../../../http/hal.ts'
import type { Asking } from '../write-context.ts'
import type { ContentPlan } from '../../../body/content-plan.ts'
import { unusual } from '../../../body/json/json-rules.ts'
import type { Making } from './hal-writer.ts'
import { asText } from './hal-text.ts'
import { asValue } from './hal-value.ts'
import type { Shape } from '../../../compiler/links/entity.ts'
import { shapeOf } from '../../../compiler/links/entity.ts'
import { shownLinks } from '../../links/visible-links.ts'
import { noLinks } from '../../../compiler/links/link-table.ts'
import { serverOf } from '../../links/server-url.ts'
import type { Write } from '../deferred-response.ts'
import type { Projecting } from '../../../body/visibility.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { serializing } from '../../../body/json/write-json.ts'
import { usualJson } from '../../json-settings.ts'

type Format = Extract<ContentPlan['format'], { readonly _tag: 'Hal' }>

export const isHal = ({ format }: ContentPlan): boolean => format._tag === 'Hal'

/** Prepares writing a content in HAL. A library or function for JSON is given the whole document, its links as a member. */
export const halWriter = (
  { json, projecting }: ContentPlan,
  format: Format,
  settings: Settings,
): Write => {
  const { codec } = format
  const shape = shapeOf(codec)
  if (shape === undefined)
    return () => {
      throw new TypeError(`${codec.name} is neither an object nor a collection of objects`)
    }
  const otherwise = unusual(shape.codec, json, usualJson(settings))
  if (otherwise === undefined)
    return documents(shape, format, projecting, asText(shape.codec, settings, projecting))
  const document = documents(
    shape,
    format,
    projecting,
    asValue(otherwise.form)(shape.codec, settings, projecting),
  )
  const write = serializing(codec, otherwise)
  return (value, asking) => write(document(value, asking)) ?? ''
}

const documents = <D>(
  shape: Shape,
  { collection, curies }: Format,
  projecting: Projecting | undefined,
  making: Making<D>,
): ((value: unknown, asking: Asking) => D) => {
  const shown = [{ codec: shape.codec, projecting }]
  const linked = (one: unknown, asking: Asking, short: Hal.Curies): D => {
    const value = unwrapHal(one)
    const links = (): ReadonlyArray<Hal.HalLink> => [
      ...shownLinks(asking.links ?? noLinks, shape.entity, value, shown, asking),
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
    const around = [...links.type(shape.entity, serverOf(exchange)), ...(own?.links ?? [])]
    return making.collection(own?.name ?? collection, elements, around, curies)
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value

/** What writes an alternative. */
interface Writer {
  readonly alternative: ContentPlan | undefined
  readonly write: Write
  readonly writeAs: (contentType: string) => Write
}

const isBeside = ({ alternative }: Writer): boolean =>
  alternative === undefined || !isHal(alternative)

/** Writers of which those beside HAL are given the value alone, where a handler may return it with links of its own. */
export const besideHal = <W extends Writer>(writers: ReadonlyArray<W>): ReadonlyArray<W> => {
  if (writers.every(isBeside)) return writers
  return writers.map((writer) => {
    if (!isBeside(writer)) return writer
    const write: Write = (value, asking) => writer.write(unwrapHal(value), asking)
    const writeAs: Writer['writeAs'] = (type) => {
      const typed = writer.writeAs(type)
      return (value, asking) => typed(unwrapHal(value), asking)
    }
    return { ...writer, write, writeAs }
  })
}
