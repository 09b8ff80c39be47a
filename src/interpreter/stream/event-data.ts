/** Writes the data of events, for who asks: by a codec, or as a representation says. */
import type { Codec } from '../../codec/codec.ts'
import { dataText } from '../../codec/data-text.ts'
import { whole } from '../../codec/projection.ts'
import { isAnyRestricted } from '../../codec/restricted.ts'
import type { Event } from '../../endpoint/event.ts'
import type { AnyRepresentation, EventData } from '../../endpoint/representation.ts'
import type { Asking } from '../asking.ts'
import { backEnd } from '../back-end.ts'
import type { ContentPlan } from '../content-plan.ts'
import { contentsOf } from '../contents.ts'
import type { Said } from '../entities.ts'
import type { Write } from '../opening.ts'
import type { Projecting } from '../projecting.ts'
import { projected, writeFor } from '../projecting.ts'
import { codecOf } from '../provided.ts'
import type { Settings } from '../settings.ts'

/** How data is written for somebody. */
export interface DataWriter {
  /** Throws a `TypeError` for data that has no text, or that is not of the declared type where that is checked. */
  readonly write: WriteText
  /** What this codec has written already is sent as it is: nothing of it is hidden. */
  readonly shared: Codec | undefined
  /** The messages of events that go to many, which are written once for all who see the same. */
  readonly messages: Messages
}

type WriteText = (value: unknown) => string
type Messages = WeakMap<Event<unknown>, string>

/** Prepares writing data; `writeOf` writes what has a representation. */
export const eventData = (
  data: EventData,
  settings: Settings,
  said: Said,
  writeOf: (content: ContentPlan) => Write,
): ((asking: Asking) => DataWriter) => {
  if (data._tag === 'Codec') return byCodec(data.codec, settings, said.projecting)
  const [content] = contentsOf([data], none, said)
  return content === undefined ? () => unwritten : byContent(content, writeOf(content))
}

const byCodec = (
  codec: Codec,
  settings: Settings,
  projecting: Projecting | undefined,
): ((asking: Asking) => DataWriter) => {
  const entire = new WeakSet<WriteText>()
  const text = projected(codec, projecting, (projection) => {
    const made = checking(codec, settings, dataText(codec, backEnd(settings), projection))
    if (projection === whole) entire.add(made)
    return made
  })
  const known = new WeakMap<WriteText, DataWriter>()
  return (asking) => {
    const write = writeFor(text, asking)
    const before = known.get(write)
    if (before !== undefined) return before
    const shared = entire.has(write) ? codec : undefined
    const made = { write, shared, messages: new WeakMap() }
    known.set(write, made)
    return made
  }
}

const byContent = (content: ContentPlan, write: Write): ((asking: Asking) => DataWriter) => {
  const messagesFor = messagesOf(content)
  return (asking) => ({
    write: (value) => textOf(write(value, asking)),
    shared: undefined,
    messages: messagesFor(asking),
  })
}

/** Whoever sees the same of a codec shares messages; a function of the application's own may tell any two apart. */
const messagesOf = (content: ContentPlan): ((asking: Asking) => Messages) => {
  const codec = codecOf(content)
  if (codec !== undefined) {
    const shown = projected(codec, content.projecting, () => () => undefined)
    const known = new WeakMap<(value: unknown) => undefined, Messages>()
    return (asking) => {
      const group = writeFor(shown, asking)
      const before = known.get(group)
      if (before !== undefined) return before
      const made: Messages = new WeakMap()
      known.set(group, made)
      return made
    }
  }
  const common: Messages = new WeakMap()
  return () => (isAnyRestricted() ? new WeakMap() : common)
}

/** Whether what is sent so is a text, as the data of an event is. */
export const isTextual = ({ format }: AnyRepresentation): boolean => textual.has(format._tag)

const textual: ReadonlySet<AnyRepresentation['format']['_tag']> = new Set([
  'Json',
  'RawJson',
  'Text',
  'Xml',
  'FormMap',
  'Custom',
])

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
  shared: undefined,
  messages: new WeakMap(),
}

/** Nobody is asked: what readers and writers around the operation take care of is a content of its own. */
const none: ReadonlyArray<never> = []
