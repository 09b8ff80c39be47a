/** Writes the data of events: by a codec, or as a representation says. */
import type { Codec } from '../../codec/codec.ts'
import { dataText } from '../../codec/data-text.ts'
import { whole as everything } from '../../codec/projection.ts'
import type { AnyRepresentation, EventData } from '../../endpoint/representation.ts'
import type { Asking } from '../asking.ts'
import type { ContentPlan, Said } from '../content-plan.ts'
import { contentsOf } from '../contents.ts'
import type { Projected } from '../projecting.ts'
import { projected } from '../projecting.ts'
import type { Settings } from '../settings.ts'
import type { WriteJson } from '../write-json.ts'
import { writeJson } from '../write-json.ts'

/** Data as text. */
export type Text = (value: unknown) => string

/** Writes data that has a representation. */
export type WriteOf = (content: ContentPlan) => (value: unknown, asking: Asking) => unknown

/** How data is written, for who asks. */
export interface WrittenData {
  readonly text: Projected<string>
  /** Whether one of these ways hides nothing. */
  readonly isWhole: (write: Text) => boolean
}

/** Prepares writing data. It throws a `TypeError` for data that has no text, or that is not of the declared type where that is checked. */
export const eventData = (
  data: EventData,
  settings: Settings,
  said: Said,
  writeOf: WriteOf,
): WrittenData => {
  if (data._tag === 'Codec') return byCodec(data.codec, settings, said, dataText)
  const [content] = contentsOf([data], none, said)
  if (content?.format._tag === 'Json')
    return byCodec(
      content.format.codec,
      settings,
      content,
      (_, write) => (value) => write(value) ?? '',
    )
  const write = content === undefined ? unwritten : writeOf(content)
  return {
    text: { _tag: 'ByAsker', writeFor: (asking) => (value) => textOf(write(value, asking)) },
    isWhole: () => false,
  }
}

/** Prepares writing by a codec, once for each projection. */
const byCodec = (
  codec: Codec,
  settings: Settings,
  { json, projecting }: Said,
  textBy: (codec: Codec, write: WriteJson) => Text,
): WrittenData => {
  const whole = new WeakSet<Text>()
  const text = projected(codec, projecting, (projection) => {
    const write = writeJson(codec, settings, json, projection)
    const made = checking(codec, settings, textBy(codec, write))
    if (projection === everything) whole.add(made)
    return made
  })
  return { text, isWhole: (write) => whole.has(write) }
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
const checking = (codec: Codec, settings: Settings, write: Text): Text =>
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
