/** Writes the data of events, for who asks: by a codec, or as a representation says. */
import type { Codec } from '../../../codec/codec.ts'
import { eventDataWriter } from '../../../codec/event-data.ts'
import { fullVisibility } from '../../../codec/visibility/visibility.ts'
import type { Event } from '../../../endpoint/sse.ts'
import type { EventData } from '../../../endpoint/representation.ts'
import type { WriteContext } from '../write-context.ts'
import type { BodyPlan, BodyOptions } from '../../../body/body-plan.ts'
import { bodyPlans } from '../../../body/create-body-plans.ts'
import { customJson } from '../../../body/json/json-rules.ts'
import type { WriteBody } from '../deferred-response.ts'
import { visibleWriter, writerForCaller } from '../visibility.ts'
import { codecOfBody } from '../../../body/entity/select-body-plan.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { jsonSettings } from '../../json-settings.ts'
import { writeJson } from '../../../body/json/write-json.ts'

/** How data is written for somebody. */
export interface EventDataWriter {
  /** Throws a `TypeError` for data that has no text, or that is not of the declared type where that is checked. */
  readonly write: WriteText
  /** Messages for whoever sees the same; events that go to many are written once for all of them. */
  readonly messages: MessageCache
  /** Messages that hide no member, and the codec that encodes their data. */
  readonly open: SharedMessages | undefined
}

export interface SharedMessages {
  readonly codec: Codec
  readonly messages: MessageCache
}

export type MessageCache = WeakMap<Event<unknown>, string>

type WriteText = (value: unknown) => string

/** Prepares writing data; `writeOf` writes what has a representation. */
export const eventDataWriterFor = (
  data: EventData,
  settings: Settings,
  said: BodyOptions,
  writeOf: (content: BodyPlan) => WriteBody,
): ((asking: WriteContext) => EventDataWriter) => {
  if (data._tag === 'Codec') return byCodec(data.codec, settings, said)
  const [content] = bodyPlans([data], none, said)
  return content === undefined ? () => unwritten : byContent(content, writeOf(content))
}

const byCodec = (
  codec: Codec,
  settings: Settings,
  { json, visibility: projecting }: BodyOptions,
): ((asking: WriteContext) => EventDataWriter) => {
  const entire = new WeakSet<Function>()
  const text = visibleWriter(codec, projecting, (projection) => {
    const write = writeJson(codec, jsonSettings(settings), json, projection)
    const made = checking(codec, settings, eventDataWriter(codec, write))
    if (projection === fullVisibility) entire.add(made)
    return made
  })
  const isUsual = customJson(codec, json, jsonSettings(settings)) === undefined
  const open = isUsual ? { codec, messages: new WeakMap() } : undefined
  return forEach(
    (asking) => writerForCaller(text, asking),
    (write) => ({
      write,
      messages: new WeakMap(),
      open: entire.has(write) ? open : undefined,
    }),
  )
}

const byContent = (
  content: BodyPlan,
  write: WriteBody,
): ((asking: WriteContext) => EventDataWriter) => {
  const messagesFor = messagesOf(content)
  return (asking) => ({
    write: (value) => textOf(write(value, asking)),
    messages: messagesFor(asking),
    open: undefined,
  })
}

/** Whoever sees the same of a codec shares messages; a function of the application's own may tell any two apart. */
const messagesOf = (content: BodyPlan): ((asking: WriteContext) => MessageCache) => {
  const codec = codecOfBody(content)
  const { format } = content
  if (codec === undefined || (format._tag === 'Xml' && format.hasWriter)) return () => new WeakMap()
  const shown = visibleWriter(codec, content.visibility, () => () => undefined)
  return forEach(
    (asking) => writerForCaller(shown, asking),
    () => new WeakMap(),
  )
}

/** Makes something once for each group of those who ask. */
const forEach = <G extends object, A>(
  groupOf: (asking: WriteContext) => G,
  make: (group: G) => A,
): ((asking: WriteContext) => A) => {
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
        if (!codec.is(value)) throw new TypeError(`invalid event data: expected ${codec.name}`)
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
const unwritten: EventDataWriter = {
  write: () => textOf(undefined),
  messages: new WeakMap(),
  open: undefined,
}

/** Nobody is asked: what readers and writers around the operation take care of is a content of its own. */
const none: ReadonlyArray<never> = []
