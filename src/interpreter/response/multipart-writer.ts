/**
 * Writes multipart forms. Each part has its own representation.
 *
 * All files and streams are opened before the head is sent. A missing file therefore results in an error response.
 */
import type { ChunkSource, Exchange } from '../exchange.ts'
import { isChunkSource, keepUntilSent } from '../exchange.ts'
import * as O from 'fp-ts/lib/Option.js'
import type { Codec } from '../../codec/codec.ts'
import type { FormDataPart } from '../../endpoint/multipart.ts'
import type { AnyRepresentation, OutputField } from '../../endpoint/representation.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import * as Boundary from '../../http/part-headers.ts'
import type { WrittenPart } from '../../body/multipart/write-parts.ts'
import { formPartHeaders, joinParts } from '../../body/multipart/write-parts.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import type { Encode } from '../../body/charset.ts'
import { charsetOfMediaType, encodingOf } from '../../body/charset.ts'
import type { BodyPlan, BodyOptions, VisibilityRules } from '../../body/body-plan.ts'
import { isTypedLater } from '../../body/body-plan.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import { isFilePart } from '../../endpoint/file.ts'
import type { DeferredResponse, WriteResponseBody, WriteContext } from './write-body.ts'
import { visibleWriter } from './write-body.ts'

export type EncodedPart = WrittenPart<string | Uint8Array | ChunkSource>

/**
 * Joins parts into a multipart body. The body is sent in chunks if at least one part is sent in chunks. In that case, `close` is
 * called when the body is closed.
 */
export const multipartBody = (
  parts: ReadonlyArray<EncodedPart>,
  boundary: string,
  close: () => void = () => undefined,
): ChunkSource | Uint8Array => {
  const segments = joinParts(parts, boundary).map((segment): Segment =>
    typeof segment === 'string' ? encoder.encode(segment) : segment,
  )
  if (!segments.every(isBytes)) return chunksOf(segments, close)
  const bytes = new ByteCollector()
  for (const segment of segments) bytes.add(segment)
  return bytes.take()
}

const encoder = new TextEncoder()

type Segment = Uint8Array | ChunkSource

const isBytes = (segment: Segment): segment is Uint8Array => !isChunkSource(segment)

/**
 * Returns a source that yields the chunks of all segments, in order. The length is known if the length of every segment is known.
 */
const chunksOf = (segments: ReadonlyArray<Segment>, close: () => void): ChunkSource => {
  const sources = segments.filter((segment) => isChunkSource(segment))
  const lengths = segments.map(({ length }) => length)
  let index = 0
  const next: ChunkSource['next'] = async () => {
    for (;;) {
      const segment = segments[index]
      if (segment === undefined) return { done: true, value: undefined }
      if (!isChunkSource(segment)) {
        index++
        return { done: false, value: segment }
      }
      const result = await segment.next()
      if (result.done !== true) return result
      segment.close()
      index++
    }
  }
  return {
    length: lengths.every((length) => length !== undefined)
      ? lengths.reduce((sum, length) => sum + length, 0)
      : undefined,
    isFile: sources.every((source) => source.isFile === true),
    next,
    close: () => {
      for (const source of sources) source.close()
      close()
    },
    free: (chunk) => {
      for (const source of sources) source.free?.(chunk)
    },
  }
}

type EncodedEntity = ReturnType<WriteResponseBody>

/** Writes parts in one representation. */
interface PartWriter {
  readonly contentType: string
  readonly isFile: boolean
  /**
   * Returns one body for each part. An entity is written as one part, unless a text codec encodes it as a list. In that case, each
   * element of the list is written as a separate part.
   */
  readonly write: (entity: unknown, context: WriteContext) => ReadonlyArray<EncodedEntity>
}

/** A part that has not been encoded yet. */
type PartDraft = Pick<FormDataPart, 'name' | 'entity' | 'representation' | 'fileName' | 'headers'>

/**
 * Returns a function that writes multipart forms. If `fields` is given, the function writes a record with these fields.
 * Otherwise, it writes a list of parts. `bodyWriterOf` creates the body writer for a part.
 */
export const multipartWriter = (
  fields: ReadonlyArray<OutputField> | undefined,
  options: BodyOptions,
  bodyWriterOf: (plan: BodyPlan) => WriteResponseBody,
): ((entity: unknown, context: WriteContext) => DeferredResponse) => {
  const writerOf = partWriters(options, bodyWriterOf)
  for (const { representation } of fields ?? []) writerOf(representation)
  return (entity, context) => {
    const drafts = fields === undefined ? listedParts(entity) : declaredParts(fields, entity)
    return async ({ status, headers }, exchange) => {
      const parts: EncodedPart[] = []
      for (const draft of drafts) {
        const writer = writerOf(withOwnCharset(draft))
        for (const body of writer.write(draft.entity, context))
          parts.push(await encodePart(draft, writer, body, exchange))
      }
      for (const part of parts) keepUntilSent(part, exchange)
      const boundary = Boundary.generateBoundary()
      const type = Headers.first(headers, 'content-type') ?? 'multipart/form-data'
      return {
        status,
        headers: [
          'Content-Type',
          `${type}; boundary=${boundary}`,
          ...Headers.without(headers, 'content-type'),
        ],
        body: multipartBody(parts, boundary),
      }
    }
  }
}

/** Returns the representation of a part. If the part has a `Content-Type` header, the charset in this header is used. */
const withOwnCharset = ({ representation, headers }: PartDraft): AnyRepresentation => {
  const ownType = Headers.first(headers, 'content-type')
  return ownType === undefined || charsetOf(ownType) === charsetOf(representation.mediaType)
    ? representation
    : { ...representation, mediaType: ownType }
}

const charsetOf = (mediaType: string): string | undefined =>
  O.match(() => undefined, charsetOfMediaType)(MediaType.parse(mediaType))

/** Encodes the body of a part and adds the headers of the part. Headers set by the handler take precedence. */
const encodePart = async (
  draft: PartDraft,
  { contentType, isFile }: PartWriter,
  body: EncodedEntity,
  exchange: Exchange,
): Promise<EncodedPart> => {
  const { name, entity, headers: ownHeaders } = draft
  const fileName = draft.fileName ?? (isFile ? (fileNameOf(entity) ?? name) : undefined)
  // preconditions and ranges apply to responses with status 200, but not to parts
  const head = { status: 0, headers: ['Content-Type', contentType] }
  const encoded = typeof body === 'function' ? await body(head, exchange) : { ...head, body }
  const resolvedType = Headers.first(encoded.headers, 'content-type') ?? contentType
  return {
    headers: formPartHeaders(name, fileName, resolvedType, ownHeaders),
    body: encoded.body ?? '',
  }
}

/**
 * Creates a function that returns the writer for a representation. Each writer is created once and kept for the lifetime of its
 * representation.
 */
const partWriters = (
  options: BodyOptions,
  bodyWriterOf: (plan: BodyPlan) => WriteResponseBody,
): ((representation: AnyRepresentation) => PartWriter) => {
  const writers = new WeakMap<AnyRepresentation, PartWriter>()
  const createWriter = (representation: AnyRepresentation): PartWriter => {
    const [plan] = bodyPlans([representation], [], options)
    if (plan === undefined)
      throw new TypeError(
        `invalid media type for a part: ${JSON.stringify(representation.mediaType)}`,
      )
    const { format, contentType } = plan
    const write = bodyWriterOf(plan)
    const encode = encodingOf(plan)
    return {
      contentType: isTypedLater(plan) ? contentType : concreteType(contentType),
      isFile: isTypedLater(plan),
      write:
        format._tag === 'Text' && format.codec !== undefined
          ? textPartWriter(format.codec, plan.visibility, encode)
          : (entity, context) => [write(entity, context)],
    }
  }
  return (representation) => {
    const existing = writers.get(representation)
    if (existing !== undefined) return existing
    const created = createWriter(representation)
    writers.set(representation, created)
    return created
  }
}

const concreteType = (contentType: string): string =>
  contentType.includes('*') ? 'application/octet-stream' : contentType

/**
 * Returns a function that writes text parts. If the codec encodes the entity as a list, the function writes one part per element.
 */
const textPartWriter = (
  codec: Codec,
  rules: VisibilityRules | undefined,
  encode: Encode | undefined,
): PartWriter['write'] =>
  visibleWriter(codec, rules, () => (entity) => {
    const encoded: unknown = codec.encode(entity)
    const values: ReadonlyArray<unknown> = Array.isArray(encoded) ? encoded : [encoded]
    const texts = values.filter(isPresent).map(String)
    return encode === undefined ? texts : texts.map(encode)
  })

const isPresent = (value: unknown): boolean => value !== undefined && value !== null

const listedParts = (entity: unknown): ReadonlyArray<PartDraft> => {
  const parts: ReadonlyArray<unknown> = Array.isArray(entity) ? entity : [entity]
  return parts
    .map((part) => (isFormDataPart(part) ? part : invalidEntity('a list of parts')))
    .filter((part) => isPresent(part.entity))
}

const declaredParts = (
  fields: ReadonlyArray<OutputField>,
  entity: unknown,
): ReadonlyArray<PartDraft> => {
  if (typeof entity !== 'object' || entity === null) return invalidEntity('a record of fields')
  const valuesByName = new Map<string, unknown>(Object.entries(entity))
  return fields.flatMap(({ name, representation, isRepeated }) => {
    const value = valuesByName.get(name)
    const values: ReadonlyArray<unknown> = isRepeated && Array.isArray(value) ? value : [value]
    return values.filter(isPresent).map((element) => ({
      name,
      entity: element,
      representation,
      fileName: undefined,
      headers: [],
    }))
  })
}

const invalidEntity = (expected: string): never => {
  throw new TypeError(`invalid multipart response: expected ${expected}`)
}

const isFormDataPart = (value: unknown): value is FormDataPart =>
  typeof value === 'object' && value !== null && '_tag' in value && value._tag === 'FormDataPart'

/** Returns the base name of a file, or `undefined` for a file that the application opened. */
export const fileNameOf = (source: unknown): string | undefined =>
  typeof source === 'string'
    ? source.replace(/^.*[/\\]/s, '')
    : typeof source === 'object' && source !== null && isFilePart(source)
      ? fileNameOf(source.file)
      : undefined
