/**
 * Writes multipart forms, each part in its own representation.
 *
 * All files and streams are opened before the head is sent, so that a missing file still results in an error response.
 */
import * as O from 'fp-ts/lib/Option.js'
import type { Codec } from '../../../codec/codec.ts'
import type { FormDataPart } from '../../../endpoint/multipart-output.ts'
import type { AnyRepresentation, OutputField } from '../../../endpoint/representation.ts'
import * as Boundary from '../../../http/boundary.ts'
import * as ContentDisposition from '../../../http/content-disposition.ts'
import * as Headers from '../../../http/headers.ts'
import * as MediaType from '../../../http/media-type.ts'
import type { Encode } from '../../../body/text/charset.ts'
import { charsetOfMediaType, encodingOf } from '../../../body/text/charset.ts'
import type { BodyPlan, BodyOptions } from '../../../body/body-plan.ts'
import { bodyPlans } from '../../../body/create-body-plans.ts'
import type { Exchange } from '../../exchange.ts'
import { keepUntilSent } from '../../exchange.ts'
import { fileNameOf } from '../file/file-content.ts'
import type { DeferredResponse, WriteBody, WriteContext } from '../write-body.ts'
import type { VisibilityRules } from '../../../body/visibility.ts'
import { visibleWriter, writeVisible } from '../visibility.ts'
import type { EncodedPart } from './multipart-body.ts'
import { multipartBody } from './multipart-body.ts'

type EncodedEntity = ReturnType<WriteBody>

/** Writes the parts of one representation. */
interface PartWriter {
  readonly contentType: string
  readonly isFile: boolean
  /** Returns one body per part: one, or one per element for a text codec that encodes to a list. */
  readonly write: (entity: unknown, context: WriteContext) => ReadonlyArray<EncodedEntity>
}

/** A part that is not written yet. */
type PartDraft = Pick<FormDataPart, 'name' | 'entity' | 'representation' | 'fileName' | 'headers'>

/**
 * Prepares writing a record of declared fields, or, without `fields`, the list of parts that a handler returns. `bodyWriterOf`
 * creates the writer of a part.
 */
export const multipartWriter = (
  fields: ReadonlyArray<OutputField> | undefined,
  options: BodyOptions,
  bodyWriterOf: (plan: BodyPlan) => WriteBody,
): ((entity: unknown, context: WriteContext) => DeferredResponse) => {
  const writerOf = partWriters(options, bodyWriterOf)
  for (const { representation } of fields ?? []) writerOf(representation)
  return (entity, context) => {
    const drafts = fields === undefined ? listedParts(entity) : declaredParts(fields, entity)
    return async ({ status, headers }, exchange) => {
      const partExchange = withoutRequestHeaders(exchange)
      const parts: EncodedPart[] = []
      for (const draft of drafts) {
        const writer = writerOf(withOwnCharset(draft))
        for (const body of writer.write(draft.entity, context))
          parts.push(await encodePart(draft, writer, body, partExchange))
      }
      for (const part of parts) keepUntilSent(part, exchange)
      const boundary = Boundary.generate()
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

/** Returns the representation of a part, in the charset of the part's own `Content-Type` header. */
const withOwnCharset = ({ representation, headers }: PartDraft): AnyRepresentation => {
  const ownType = Headers.first(headers, 'content-type')
  return ownType === undefined || charsetOf(ownType) === charsetOf(representation.mediaType)
    ? representation
    : { ...representation, mediaType: ownType }
}

const charsetOf = (mediaType: string): string | undefined =>
  O.match(() => undefined, charsetOfMediaType)(MediaType.parse(mediaType))

/** Completes the headers and the body of a part. Headers that the handler has set take precedence. */
const encodePart = async (
  draft: PartDraft,
  { contentType, isFile }: PartWriter,
  body: EncodedEntity,
  exchange: Exchange,
): Promise<EncodedPart> => {
  const { name, entity, headers: ownHeaders } = draft
  const fileName = draft.fileName ?? (isFile ? (fileNameOf(entity) ?? name) : undefined)
  const disposition = ContentDisposition.formData(name, fileName)
  const headers = [...unlessSet(ownHeaders, 'Content-Disposition', disposition), ...ownHeaders]
  if (typeof body !== 'function')
    return { headers: [...headers, ...unlessSet(ownHeaders, 'Content-Type', contentType)], body }
  const response = await body({ status: 200, headers: ['Content-Type', contentType] }, exchange)
  const resolvedType = Headers.first(response.headers, 'content-type') ?? contentType
  return {
    headers: [...headers, ...unlessSet(ownHeaders, 'Content-Type', resolvedType)],
    body: response.body ?? '',
  }
}

const unlessSet = (ownHeaders: Headers.Headers, name: string, value: string): Headers.Headers =>
  Headers.first(ownHeaders, name.toLowerCase()) === undefined ? [name, value] : []

/** Creates one writer per representation and keeps it as long as the representation exists. */
const partWriters = (
  options: BodyOptions,
  bodyWriterOf: (plan: BodyPlan) => WriteBody,
): ((representation: AnyRepresentation) => PartWriter) => {
  const writers = new WeakMap<AnyRepresentation, PartWriter>()
  const createWriter = (representation: AnyRepresentation): PartWriter => {
    const [plan] = bodyPlans([representation], [], options)
    if (plan === undefined)
      throw new TypeError(
        `invalid media type of a part: ${JSON.stringify(representation.mediaType)}`,
      )
    const { format, contentType } = plan
    const write = bodyWriterOf(plan)
    const encode = encodingOf(plan)
    return {
      contentType: format._tag === 'File' ? contentType : concreteType(contentType),
      isFile: format._tag === 'File',
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

/** Prepares writing text parts. A codec that encodes to a list writes one part per element. */
const textPartWriter = (
  codec: Codec,
  rules: VisibilityRules | undefined,
  encode: Encode | undefined,
): PartWriter['write'] =>
  writeVisible(
    visibleWriter(codec, rules, () => (entity) => {
      const encoded: unknown = codec.encode(entity)
      const values: ReadonlyArray<unknown> = Array.isArray(encoded) ? encoded : [encoded]
      const texts = values.filter(isPresent).map(String)
      return encode === undefined ? texts : texts.map(encode)
    }),
  )

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
    return values
      .filter(isPresent)
      .map((one) => ({ name, entity: one, representation, fileName: undefined, headers: [] }))
  })
}

const invalidEntity = (expected: string): never => {
  throw new TypeError(`invalid multipart response: expected ${expected}`)
}

const isFormDataPart = (value: unknown): value is FormDataPart =>
  typeof value === 'object' && value !== null && '_tag' in value && value._tag === 'FormDataPart'

/** Returns the exchange without request headers, because preconditions and ranges do not apply to parts. */
const withoutRequestHeaders = (exchange: Exchange): Exchange => ({
  method: exchange.method,
  path: exchange.path,
  query: exchange.query,
  headers: [],
  platform: exchange.platform,
  origin: () => exchange.origin(),
  prefix: () => exchange.prefix(),
  readBody: (limit, then) => exchange.readBody(limit, then),
  streamBody: (limit) => exchange.streamBody(limit),
  signal: () => exchange.signal(),
  clientAddress: () => exchange.clientAddress(),
  onEnd: (then) => exchange.onEnd(then),
  send: (response) => exchange.send(response),
})
