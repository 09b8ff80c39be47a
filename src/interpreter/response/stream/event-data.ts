/** Writes the data of events, for who asks: by a codec, or as a representation says. */
import type { Codec } from '../../../codec/codec.ts'
import { eventDataWriter } from '../../../codec/event-data.ts'
import { fullVisibility } from '../../../codec/visibility/visibility.ts'
import type { Event } from '../../../endpoint/sse.ts'
import type { EventData } from '../../../endpoint/representation.ts'
import type { Asking } from '../write-context.ts'
import type { ContentPlan, Said } from '../../../body/content-plan.ts'
import { contentsOf } from '../../../body/contents.ts'
import { unusual } from '../../../body/json/json-rules.ts'
import type { Write } from '../deferred-response.ts'
import { projected, writeFor } from '../visibility.ts'
import { codecOf } from '../../../body/entity/provided.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { usualJson } from '../../json-settings.ts'
import { writeJson } from '../../../body/json/write-json.ts'

/** How data is written for somebody. */
export interface DataWriter {
  /** Throws a `TypeError` for data that has no text, or that is not of the declared type where that is checked. */
  readonly write: WriteText
  /** Messages for whoever sees the same; events that go to many are written once for all of them. */
  readonly messages: Messages
  /** Messages that hide no member, and the codec that encodes their data. */
  readonly open: OpenMessages | undefined
}

export interface OpenMessages {
  readonly codec: Codec
  readonly messages: Messages
}

export type Messages = WeakMap<Event<unknown>, string>

type WriteText = (value: unknown) => string

/** Prepares writing data; `writeOf` writes what has a representation. */
export const eventData = (
  data: EventData,
  settings: Settings,
  said: Said,
  writeOf: (content: ContentPlan) => Write,
): ((asking: Asking) => DataWriter) => {
  if (data._tag === 'Codec') return byCodec(data.codec, settings, said)
  const [content] = contentsOf([data], none, said)
  return content === undefined ? () => unwritten : byContent(content, writeOf(content))
}

const byCodec = (
  codec: Codec,
  settings: Settings,
  { json, projecting }: Said,
): ((asking: Asking) => DataWriter) => {
  const entire = new WeakSet<Function>()
  const text = projected(codec, projecting, (projection) => {
    const write = writeJson(codec, usualJson(settings), json, projection)
    const made = checking(codec, settings, eventDataWriter(codec, write))
    if (projection === fullVisibility) entire.add(made)
    return made
  })
  const isUsual = unusual(codec, json, usualJson(settings)) === undefined
  const open = isUsual ? { codec, messages: new WeakMap() } : undefined
  return forEach(
    (asking) => writeFor(text, asking),
    (write) => ({
      write,
      messages: new WeakMap(),
      open: entire.has(write) ? open : undefined,
    }),
  )
}

const byContent = (content: ContentPlan, write: Write): ((asking: Asking) => DataWriter) => {
  const messagesFor = messagesOf(content)
  return (asking) => ({
    write: (value) => textOf(write(value, asking)),
    messages: messagesFor(asking),
    open: undefined,
  })
}

/** Whoever sees the same of a codec shares messages; a function of the application's own may tell any two apart. */
const messagesOf = (content: ContentPlan): ((asking: Asking) => Messages) => {
  const codec = codecOf(content)
  const { format } = content
  if (codec === undefined || (format._tag === 'Xml' && format.hasWriter)) return () => new WeakMap()
  const shown = projected(codec, content.projecting, () => () => undefined)
  return forEach(
    (asking) => writeFor(shown, asking),
    () => new WeakMap(),
  )
}

/** Makes something once for each group of those who ask. */
const forEach = <G extends object, A>(
  groupOf: (asking: Asking) => G,
  make: (group: G) => A,
): ((asking: Asking) => A) => {
  const known = new WeakMap<G, A>()
  return (asking) => {
    const group = groupOf(asking)
    const before = known.get(group)
    if (before !== undefined) return before
    const made = make(group)
    known.set(group, made)
    return made
  }
}

/** `fw.rest.check-results`, for each element. */
const checking = (codec: Codec, settings: Settings, write: WriteText): WriteText =>
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
const unwritten: DataWriter = {
  write: () => textOf(undefined),
  messages: new WeakMap(),
  open: undefined,
}

/** Nobody is asked: what readers and writers around the operation take care of is a content of its own. */
const none: ReadonlyArray<never> = []
