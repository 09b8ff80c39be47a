/** Sends forms: parts, each by its representation. Files and streams are open before the head is sent. */
import * as O from 'fp-ts/lib/Option.js'
import type { Codec } from '../../../codec/codec.ts'
import type { FormDataPart } from '../../../endpoint/multipart-output.ts'
import type { AnyRepresentation, OutputField } from '../../../endpoint/representation.ts'
import * as Boundary from '../../../http/boundary.ts'
import * as ContentDisposition from '../../../http/content-disposition.ts'
import * as Headers from '../../../http/headers.ts'
import * as MediaType from '../../../http/media-type.ts'
import type { WriteContext } from '../write-context.ts'
import type { Encode } from '../../../body/text/charset.ts'
import { charsetOfMediaType, encodingOf } from '../../../body/text/charset.ts'
import type { BodyPlan, BodyOptions } from '../../../body/body-plan.ts'
import { bodyPlans } from '../../../body/create-body-plans.ts'
import type { Exchange } from '../../exchange.ts'
import { nameOf } from '../file/file-content.ts'
import type { DeferredResponse } from '../deferred-response.ts'
import type { VisibilityRules } from '../../../body/visibility.ts'
import { visibleWriter, writeVisible } from '../visibility.ts'
import { keepUntilSent } from '../keep-until-sent.ts'
import type { SentPart } from './multipart-body.ts'
import { multipartBody } from './multipart-body.ts'

/** How a value is written. */
type Write = (value: unknown, asking: WriteContext) => string | Uint8Array | DeferredResponse

interface Writer {
  readonly contentType: string
  readonly isFile: boolean
  /** The parts of a value: as a rule one, but one for each element where the codec is one of several. */
  readonly write: (
    entity: unknown,
    asking: WriteContext,
  ) => ReadonlyArray<string | Uint8Array | DeferredResponse>
}

/** A part before it is written. */
type Draft = Pick<FormDataPart, 'name' | 'entity' | 'representation' | 'fileName' | 'headers'>

/** Prepares sending the parts of a record of fields, or those that a handler returns; `writeOf` writes each. */
export const multipartWriter = (
  fields: ReadonlyArray<OutputField> | undefined,
  said: BodyOptions,
  writeOf: (content: BodyPlan) => Write,
): ((entity: unknown, asking: WriteContext) => DeferredResponse) => {
  const writerOf = writers(said, writeOf)
  for (const { representation } of fields ?? []) writerOf(representation)
  return (entity, asking) => {
    const drafts = fields === undefined ? given(entity) : recorded(fields, entity)
    return async ({ status, headers }, exchange) => {
      const inside = within(exchange)
      const parts: SentPart[] = []
      for (const draft of drafts) {
        const writer = writerOf(retyped(draft))
        for (const content of writer.write(draft.entity, asking))
          parts.push(await partOf(draft, writer, content, inside))
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

/** The representation of a part, in the charset of a `Content-Type` among its own headers. */
const retyped = ({ representation, headers }: Draft): AnyRepresentation => {
  const own = Headers.first(headers, 'content-type')
  return own === undefined || charsetOf(own) === charsetOf(representation.mediaType)
    ? representation
    : { ...representation, mediaType: own }
}

const charsetOf = (mediaType: string): string | undefined =>
  O.match(() => undefined, charsetOfMediaType)(MediaType.parse(mediaType))

const partOf = async (
  draft: Draft,
  { contentType, isFile }: Writer,
  content: string | Uint8Array | DeferredResponse,
  exchange: Exchange,
): Promise<SentPart> => {
  const { name, entity, headers: own } = draft
  const fileName = draft.fileName ?? (isFile ? (nameOf(entity) ?? name) : undefined)
  const fields = [
    ...saidUnless(own, 'Content-Disposition', ContentDisposition.formData(name, fileName)),
    ...own,
  ]
  if (typeof content !== 'function')
    return { headers: [...fields, ...saidUnless(own, 'Content-Type', contentType)], body: content }
  const opened = await content({ status: 200, headers: ['Content-Type', contentType] }, exchange)
  const type = Headers.first(opened.headers, 'content-type') ?? contentType
  return {
    headers: [...fields, ...saidUnless(own, 'Content-Type', type)],
    body: opened.body ?? '',
  }
}

const saidUnless = (own: Headers.Headers, name: string, value: string): Headers.Headers =>
  Headers.first(own, name.toLowerCase()) === undefined ? [name, value] : []

/** Writers are prepared once for each representation, and kept as long as that is. */
const writers = (
  said: BodyOptions,
  writeOf: (content: BodyPlan) => Write,
): ((representation: AnyRepresentation) => Writer) => {
  const known = new WeakMap<AnyRepresentation, Writer>()
  const make = (representation: AnyRepresentation): Writer => {
    const [content] = bodyPlans([representation], [], said)
    if (content === undefined)
      throw new TypeError(`${JSON.stringify(representation.mediaType)} is not a media type`)
    const { format, contentType } = content
    const write = writeOf(content)
    const encode = encodingOf(content)
    return {
      contentType: format._tag === 'File' ? contentType : concrete(contentType),
      isFile: format._tag === 'File',
      write:
        format._tag === 'Text' && format.codec !== undefined
          ? textsOf(format.codec, content.visibility, encode)
          : (entity, asking) => [write(entity, asking)],
    }
  }
  return (representation) => {
    const before = known.get(representation)
    if (before !== undefined) return before
    const made = make(representation)
    known.set(representation, made)
    return made
  }
}

const concrete = (contentType: string): string =>
  contentType.includes('*') ? 'application/octet-stream' : contentType

/** A codec of several values gives several texts. */
const textsOf = (
  codec: Codec,
  projecting: VisibilityRules | undefined,
  encode: Encode | undefined,
): Writer['write'] =>
  writeVisible(
    visibleWriter(codec, projecting, () => (entity) => {
      const encoded: unknown = codec.encode(entity)
      const texts: ReadonlyArray<unknown> = Array.isArray(encoded) ? encoded : [encoded]
      const all = texts.filter(isThere).map(String)
      return encode === undefined ? all : all.map(encode)
    }),
  )

const isThere = (value: unknown): boolean => value !== undefined && value !== null

const given = (entity: unknown): ReadonlyArray<Draft> => {
  const parts: ReadonlyArray<unknown> = Array.isArray(entity) ? entity : [entity]
  return parts
    .map((one) => (isFormDataPart(one) ? one : refused('a list of parts is produced')))
    .filter((one) => isThere(one.entity))
}

const recorded = (fields: ReadonlyArray<OutputField>, entity: unknown): ReadonlyArray<Draft> => {
  if (typeof entity !== 'object' || entity === null)
    return refused('a record of fields is produced')
  const values = new Map<string, unknown>(Object.entries(entity))
  return fields.flatMap(({ name, representation, isRepeated }) => {
    const value = values.get(name)
    const all: ReadonlyArray<unknown> = isRepeated && Array.isArray(value) ? value : [value]
    return all
      .filter(isThere)
      .map((one) => ({ name, entity: one, representation, fileName: undefined, headers: [] }))
  })
}

const refused = (where: string): never => {
  throw new TypeError(`the handler returned something else where ${where}`)
}

const isFormDataPart = (value: unknown): value is FormDataPart =>
  typeof value === 'object' && value !== null && '_tag' in value && value._tag === 'FormDataPart'

/** The exchange as parts see it: what the client said of the whole concerns none of them. */
const within = (exchange: Exchange): Exchange => ({
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
  send: (answer) => exchange.send(answer),
})
