/** Writes the data of server-sent events, by a codec or in a representation. */
import type { Codec } from '../../../codec/codec.ts'
import { eventDataWriter } from '../../../codec/event-data.ts'
import { fullVisibility } from '../../../codec/visibility/visibility.ts'
import type { Event } from '../../../endpoint/sse.ts'
import type { EventData } from '../../../endpoint/representation.ts'
import type { BodyPlan, BodyOptions } from '../../../body/body-plan.ts'
import { bodyPlans } from '../../../body/create-body-plans.ts'
import { codecOfBody } from '../../../body/entity/select-body-plan.ts'
import { customJson } from '../../../body/json/json-rules.ts'
import { writeJson } from '../../../body/json/write-json.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { jsonSettings } from '../../json-settings.ts'
import { visibleWriter, writerForCaller } from '../visibility.ts'
import type { WriteBody, WriteContext } from '../write-body.ts'

/** Writes event data for one caller. */
export interface EventDataWriter {
  /** Throws a `TypeError` for data that cannot be written as text, and for invalid data with `fw.rest.check-results`. */
  readonly write: WriteText
  /** Messages for callers that see the same members. An event for many subscribers is written once. */
  readonly messages: MessageCache
  /** The messages for callers that see all members; `undefined` if members are hidden from the caller. */
  readonly unrestricted: UnrestrictedMessages | undefined
}

/** Messages with all members, and the codec that encodes their data. */
export interface UnrestrictedMessages {
  readonly codec: Codec
  readonly messages: MessageCache
}

/** Messages by event. */
export type MessageCache = WeakMap<Event<unknown>, string>

type WriteText = (value: unknown) => string

/** Prepares writing event data. `bodyWriterOf` creates the writer for data with a representation. */
export const eventDataWriterFor = (
  data: EventData,
  settings: Settings,
  options: BodyOptions,
  bodyWriterOf: (plan: BodyPlan) => WriteBody,
): ((context: WriteContext) => EventDataWriter) => {
  if (data._tag === 'Codec') return writerByCodec(data.codec, settings, options)
  const [plan] = bodyPlans([data], noProviders, options)
  return plan === undefined ? () => invalidData : writerByPlan(plan, bodyWriterOf(plan))
}

const writerByCodec = (
  codec: Codec,
  settings: Settings,
  { json, visibility: rules }: BodyOptions,
): ((context: WriteContext) => EventDataWriter) => {
  const unrestrictedWriters = new WeakSet<Function>()
  const writer = visibleWriter(codec, rules, (visibility) => {
    const writeElement = writeJson(codec, jsonSettings(settings), json, visibility)
    const write = validatingWriter(codec, settings, eventDataWriter(codec, writeElement))
    if (visibility === fullVisibility) unrestrictedWriters.add(write)
    return write
  })
  const hasDefaultJson = customJson(codec, json, jsonSettings(settings)) === undefined
  const unrestricted = hasDefaultJson ? { codec, messages: new WeakMap() } : undefined
  return memoizeByGroup(
    (context) => writerForCaller(writer, context),
    (write) => ({
      write,
      messages: new WeakMap(),
      unrestricted: unrestrictedWriters.has(write) ? unrestricted : undefined,
    }),
  )
}

const writerByPlan = (
  plan: BodyPlan,
  write: WriteBody,
): ((context: WriteContext) => EventDataWriter) => {
  const messagesFor = messageCaches(plan)
  return (context) => ({
    write: (value) => toText(write(value, context)),
    messages: messagesFor(context),
    unrestricted: undefined,
  })
}

/**
 * Returns the message cache for a caller. Callers that see the same members share one. Without a codec, or with an XML writer of
 * the application, each caller has its own, because the function may write different text for each.
 */
const messageCaches = (plan: BodyPlan): ((context: WriteContext) => MessageCache) => {
  const codec = codecOfBody(plan)
  const { format } = plan
  if (codec === undefined || (format._tag === 'Xml' && format.hasWriter)) return () => new WeakMap()
  const group = visibleWriter(codec, plan.visibility, () => () => undefined)
  return memoizeByGroup(
    (context) => writerForCaller(group, context),
    () => new WeakMap(),
  )
}

/** Creates one value for each group of callers. */
const memoizeByGroup = <G extends object, A>(
  groupOf: (context: WriteContext) => G,
  create: (group: G) => A,
): ((context: WriteContext) => A) => {
  const values = new WeakMap<G, A>()
  return (context) => {
    const group = groupOf(context)
    const existing = values.get(group)
    if (existing !== undefined) return existing
    const created = create(group)
    values.set(group, created)
    return created
  }
}

/** Returns `write`, or a function that also validates the data of each event, with `fw.rest.check-results`. */
const validatingWriter = (codec: Codec, settings: Settings, write: WriteText): WriteText =>
  settings['fw.rest.check-results']
    ? (value) => {
        if (!codec.is(value)) throw new TypeError(`invalid event data: must be ${codec.name}`)
        return write(value)
      }
    : write

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const toText = (written: unknown): string => {
  if (typeof written === 'string') return written
  if (written instanceof Uint8Array) return decoder.decode(written)
  throw new TypeError(`invalid event data: expected text, got ${typeof written}`)
}

/** The writer of invalid event data, which compilation has already rejected. */
const invalidData: EventDataWriter = {
  write: () => toText(undefined),
  messages: new WeakMap(),
  unrestricted: undefined,
}

/** Readers and writers that wrap an operation do not apply to event data. */
const noProviders: ReadonlyArray<never> = []
