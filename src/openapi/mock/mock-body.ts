/** Generates the bodies of responses, for each format of representations. */
import { isFile, isHal } from '../../endpoint/representation.ts'
import type { Codec } from '../../codec/codec.ts'
import type { OpenHandle } from '../../endpoint/file.ts'
import { formDataPart } from '../../endpoint/multipart.ts'
import type { AnyRepresentation, EventData, OutputField } from '../../endpoint/representation.ts'
import { event } from '../../endpoint/sse.ts'
import { text } from '../../endpoint/built-in-formats.ts'
import type { GenerateValue, KnownMembers } from './codec-values.ts'
import type { Random } from './random.ts'
import { sentence } from './sample-text.ts'

/** When the events of a stream are sent. */
export interface EventSchedule {
  /** Milliseconds between two events. `0` for streams that end after a few events. */
  readonly interval: number
  /** Signals on which a stream ends. */
  readonly signals?: ReadonlyArray<AbortSignal>
}

/** The values of a request that determine a generated body. */
export interface BodyRequest {
  readonly random: Random
  readonly known: KnownMembers
  readonly schedule: EventSchedule
  /** The name of the form field that contains the body. */
  readonly field?: string
}

/** A generated body. */
export interface MockBody {
  readonly entity: unknown
  /** The media type, if the representation declares only a range. */
  readonly contentType?: string
}

/** Returns a body, or `undefined` if no value can be generated. */
export type CreateBody = (request: BodyRequest) => MockBody | undefined

/** Number of elements in generated streams. */
const streamLength = 3

/** Returns a function that creates the bodies of a representation. `valuesOf` returns the generator of a codec. */
export const bodyOf = (
  representation: AnyRepresentation,
  valuesOf: (codec: Codec) => GenerateValue,
): CreateBody => {
  const { format, mediaType } = representation
  if (isHal(format)) return valueBody(valuesOf(format.codec))
  if (isFile(format))
    return ({ random }) => {
      const file = sampleFile(mediaType, random)
      return {
        entity: openInMemory(file.bytes),
        ...(mediaType.includes('*') ? { contentType: file.mediaType } : {}),
      }
    }
  switch (format._tag) {
    case 'Json':
    case 'Problem':
    case 'Xml':
    case 'Data':
    case 'Entity':
      return valueBody(valuesOf(format.codec))
    case 'Text':
      return format.codec === undefined
        ? ({ random }) => ({ entity: sentence(random) })
        : valueBody(valuesOf(format.codec))
    case 'RawJson':
      return ({ random }) => ({ entity: JSON.stringify({ text: sentence(random) }) })
    case 'FormMap':
      return ({ random }) => ({ entity: new Map([['text', [sentence(random)]]]) })
    case 'Bytes':
      return ({ random }) => ({ entity: sampleFile(mediaType, random).bytes })
    case 'ByteStream':
      return ({ random }) => ({ entity: [sampleFile(mediaType, random).bytes] })
    case 'TextStream':
      return ({ random }) => ({
        entity: indexes.map((index) => `${sentence(random.fork(index))}\n`),
      })
    case 'JsonStream': {
      const generate = valuesOf(format.codec)
      return ({ random }) =>
        entityOf(allOf(indexes.map((index) => generate(random.fork(index))?.value)))
    }
    case 'EventStream':
      return eventBody(dataOf(format.data, valuesOf))
    case 'MultipartOutput':
      return multipartBody(format.fields, valuesOf)
    case 'Custom':
    case 'FileBody':
    case 'MultipartInput':
    case 'MultipartStream':
      return () => undefined
  }
}

const indexes: ReadonlyArray<number> = Array.from({ length: streamLength }, (_, index) => index)

const valueBody =
  (generate: GenerateValue): CreateBody =>
  ({ random, known, field }) => {
    const generated = generate(random, known, field)
    return generated === undefined ? undefined : { entity: generated.value }
  }

const entityOf = (entity: unknown): MockBody | undefined =>
  entity === undefined ? undefined : { entity }

const allOf = (values: ReadonlyArray<unknown>): ReadonlyArray<unknown> | undefined =>
  values.includes(undefined) ? undefined : values

/** Returns a function that creates the data of an event. */
const dataOf = (
  data: EventData,
  valuesOf: (codec: Codec) => GenerateValue,
): ((random: Random) => unknown) => {
  if (data._tag === 'Representation') {
    const create = bodyOf(data, valuesOf)
    return (random) => create({ random, known: new Map(), schedule: { interval: 0 } })?.entity
  }
  const generate = valuesOf(data.codec)
  return (random) => generate(random)?.value
}

const eventBody =
  (create: (random: Random) => unknown): CreateBody =>
  ({ random, schedule }) => {
    const eventAt = (index: number): unknown =>
      event(undefined, create(random.fork(index)), { id: String(index + 1) })
    if (create(random.fork(0)) === undefined) return undefined
    return {
      entity: schedule.interval > 0 ? scheduledEvents(eventAt, schedule) : indexes.map(eventAt),
    }
  }

const multipartBody = (
  fields: ReadonlyArray<OutputField> | undefined,
  valuesOf: (codec: Codec) => GenerateValue,
): CreateBody => {
  if (fields === undefined)
    return ({ random }) => ({ entity: [formDataPart('text', sentence(random), text)] })
  const creators = fields.map(({ name, representation, isRepeated }) => ({
    name,
    isRepeated,
    create: bodyOf(representation, valuesOf),
  }))
  return (request) => {
    const members = creators.map(({ name, isRepeated, create }) => {
      const random = request.random.fork(name)
      const of = (key: number): unknown =>
        create({ ...request, random: random.fork(key), field: name })?.entity
      return [name, isRepeated ? allOf([of(0), of(1)]) : of(0)] as const
    })
    return members.some(([, value]) => value === undefined)
      ? undefined
      : { entity: Object.fromEntries(members) }
  }
}

/** Yields one event immediately, and further events at an interval, until one of the signals is aborted. */
async function* scheduledEvents(
  eventAt: (index: number) => unknown,
  { interval, signals = [] }: EventSchedule,
): AsyncGenerator<unknown, void, never> {
  const isAborted = (): boolean => signals.some(({ aborted }) => aborted)
  for (let index = 0; !isAborted(); index++) {
    yield eventAt(index)
    await delay(interval, signals)
  }
}

/** Resolves after `time` milliseconds, or as soon as one of the signals is aborted. */
const delay = (time: number, signals: ReadonlyArray<AbortSignal>): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, time)
    for (const signal of signals) signal.addEventListener('abort', end)
    if (signals.some(({ aborted }) => aborted)) end()
  })

/** The content of a file and its media type. */
interface SampleFile {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

const utf8 = (content: string): Uint8Array => new TextEncoder().encode(content)

const base64 = (content: string): Uint8Array =>
  Uint8Array.from(atob(content), (character) => character.charCodeAt(0))

/** Images of one pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const svg = (random: Random): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#${random.integer(100, 999)}" d="M0 0h9v9H0z"/></svg>`

/** Returns a file with a media type in the range `declared`. Types without a sample contain text. */
const sampleFile = (declared: string, random: Random): SampleFile => {
  const [essence = ''] = declared.split(';', 1)
  const range = essence.trim().toLowerCase()
  switch (range) {
    case 'image/*':
    case 'image/png':
      return { mediaType: 'image/png', bytes: base64(png) }
    case 'image/gif':
      return { mediaType: range, bytes: base64(gif) }
    case 'image/svg+xml':
      return { mediaType: range, bytes: utf8(svg(random)) }
    case 'text/csv':
      return { mediaType: range, bytes: utf8(`id,text\r\n1,${sentence(random)}\r\n`) }
    case 'text/html':
      return { mediaType: range, bytes: utf8(`<!doctype html><p>${sentence(random)}</p>`) }
    case '*/*':
    case 'text/*':
      return { mediaType: 'text/plain;charset=UTF-8', bytes: utf8(`${sentence(random)}\n`) }
    default:
      return {
        mediaType: range.endsWith('/*') ? range.replace('*', 'octet-stream') : declared,
        bytes: utf8(isJson(range) ? '{}' : `${sentence(random)}\n`),
      }
  }
}

const isJson = (essence: string): boolean =>
  essence === 'application/json' || essence.endsWith('+json')

/** Returns an open file whose content is in memory. */
const openInMemory = (bytes: Uint8Array): OpenHandle => ({
  stat: async () => ({ size: bytes.length, mtimeMs: 0, isFile: () => true }),
  read: async (buffer, offset, length, position) => {
    const part = bytes.subarray(position, position + length)
    buffer.set(part, offset)
    return { bytesRead: part.length }
  },
  close: async () => undefined,
})
