/** Writes values in HAL: JSON with the links of the tree, and of the values themselves. */
import { compiled } from '../codec/compiled/compiled.ts'
import { declaredAt } from '../codec/declared.ts'
import { bare, isHalCollection, isHalEntity } from '../endpoint/hal-wrapper.ts'
import * as Hal from '../http/hal.ts'
import type { Asking } from './asking.ts'
import { backEnd } from './back-end.ts'
import type { ContentPlan } from '../content/content-plan.ts'
import { shapeOf } from './links/entity.ts'
import { shownLinks } from './links/hidden.ts'
import { noLinks } from './links/link-table.ts'
import { serverOf } from './links/server.ts'
import { projected, written } from './projecting.ts'
import type { Settings } from './settings.ts'
import type { Writer } from './write-content.ts'

type Format = Extract<ContentPlan['format'], { readonly _tag: 'Hal' }>

export const isHal = ({ format }: ContentPlan): boolean => format._tag === 'Hal'

/** Names that HAL keeps for itself (draft-kelly-json-hal, section 4.1). */
export const reserved: ReadonlyArray<string> = ['_links', '_embedded']

/** Prepares writing a content in HAL. */
export const halWriter = (
  content: ContentPlan,
  { codec, collection, curies }: Format,
  settings: Settings,
): Writer['write'] => {
  const shape = shapeOf(codec)
  if (shape === undefined)
    return () => {
      throw new TypeError(`${codec.name} is neither an object nor a collection of objects`)
    }
  const { projecting } = content
  const { encode } = compiled(shape.codec, 'drop', backEnd(settings))
  const write = written(
    projected(
      shape.codec,
      projecting,
      (projection) => compiled(shape.codec, 'drop', backEnd(settings), projection).write,
    ),
  )
  const shown = [{ codec: shape.codec, projecting }]
  const isOpen = reserved.some((name) => declaredAt(name)(shape.codec).length > 0)
  const linked = (one: unknown, asking: Asking, short: Hal.Curies): string => {
    const value = bare(one)
    const text = write(value, asking) ?? 'null'
    if (text === 'null') return text
    if (!text.startsWith('{') || (isOpen && hasReserved(encode(value))))
      throw new TypeError(`what is sent in HAL is an object without ${reserved.join(' and ')}`)
    const all = [
      ...shownLinks(asking.links ?? noLinks, shape.entity, value, shown, asking),
      ...(isHalEntity(one) ? one.links : []),
    ]
    return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"_links":${Hal.format(all, short)}}`
  }
  if (!shape.isCollection) return (value, asking) => linked(value, asking, curies)
  return (value, asking) => {
    const own = isHalCollection(value) ? value : undefined
    const all = own?.values ?? value
    if (all === null || !isIterable(all)) return 'null'
    const elements = Array.from(all, (one) => linked(one, asking, {}))
    const { exchange, links = noLinks } = asking
    const around = [...links.type(shape.entity, serverOf(exchange)), ...(own?.links ?? [])]
    const name = JSON.stringify(own?.name ?? collection)
    return `{"_embedded":{${name}:[${elements.join()}]},"_links":${Hal.format(around, curies)}}`
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value

const hasReserved = (encoded: unknown): boolean =>
  typeof encoded === 'object' &&
  encoded !== null &&
  reserved.some((name) => Object.hasOwn(encoded, name))

const isBeside = ({ alternative }: Writer): boolean =>
  alternative === undefined || !isHal(alternative)

/** Writers of which those beside HAL are given the value alone, where a handler may return it with links of its own. */
export const besideHal = (writers: ReadonlyArray<Writer>): ReadonlyArray<Writer> => {
  return writers.every(isBeside)
    ? writers
    : writers.map((writer) =>
        isBeside(writer)
          ? { ...writer, write: (value, asking) => writer.write(bare(value), asking) }
          : writer,
      )
}
