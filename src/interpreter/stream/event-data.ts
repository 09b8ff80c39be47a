/** Writes the data of events: by a codec, or as a representation says. */
import type { Codec } from '../../codec/codec.ts'
import { dataText } from '../../codec/data-text.ts'
import type { JsonRules } from '../../endpoint/json-rules.ts'
import type { AnyRepresentation, EventData } from '../../endpoint/representation.ts'
import type { Asking } from '../asking.ts'
import type { ContentPlan } from '../content-plan.ts'
import { contentsOf } from '../contents.ts'
import type { Settings } from '../settings.ts'
import { writeJson } from '../write-json.ts'

type Write = (value: unknown, asking: Asking) => string

/** Prepares writing data. Throws a `TypeError` for data that has no text, or that is not of the declared type where that is checked. */
export const eventData = (
  data: EventData,
  settings: Settings,
  writeOf: (content: ContentPlan) => (value: unknown, asking: Asking) => unknown,
  rules?: JsonRules,
): Write => {
  if (data._tag === 'Codec')
    return checking(
      data.codec,
      settings,
      dataText(data.codec, writeJson(data.codec, settings, rules)),
    )
  const [content] = contentsOf([data], none)
  const write = content === undefined ? unwritten : writeOf(content)
  return (value, asking) => textOf(write(value, asking))
}

/** Whether what is sent so is a text, as the data of an event is. */
export const isTextual = ({ format }: AnyRepresentation): boolean => textual.has(format._tag)

const textual: ReadonlySet<AnyRepresentation['format']['_tag']> = new Set([
  'Json',
  'RawJson',
  'Text',
  'FormMap',
  'Custom',
])

/** `fw.rest.check-results`, for each element. */
const checking = (
  codec: Codec,
  settings: Settings,
  write: (value: unknown) => string,
): ((value: unknown) => string) =>
  settings['fw.rest.check-results']
    ? (value) => {
        if (!codec.is(value)) throw new TypeError(`the data of an event has to be: ${codec.name}`)
        return write(value)
      }
    : write

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const textOf = (written: unknown): string => {
  if (typeof written === 'string') return written
  if (written instanceof Uint8Array) return decoder.decode(written)
  throw new TypeError(`the data of an event is ${typeof written}`)
}

/** `verify` refuses what leads here. */
const unwritten = (): undefined => undefined

/** Nobody is asked: what readers and writers around the operation take care of is a content of its own. */
const none: ReadonlyArray<never> = []
