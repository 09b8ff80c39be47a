/** Selects the representation of a request body, and writes the body. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { contentTypeOf, isUtf8Compatible } from '../../body/charset.ts'
import type { EntityProviders } from '../../body/entity-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { selectByMediaType } from '../../body/body-plan.ts'
import { charsetOf } from '../../body/decode-body.ts'
import type { Writing } from '../../endpoint/writer.ts'
import type { ValidationError } from '../../http/failure.ts'
import { isPromise } from '../../http/platform-value.ts'
import { plainWriter, encodeContent, unwritableBody } from './plain-body.ts'
import type { RequestBody, Written, WrittenBody } from './plain-body.ts'

/** Writes a request body. `as` is the media type selected by the caller. */
export type WriteRequestBody = (
  value: unknown,
  as: string | undefined,
) => WrittenBody | Promise<WrittenBody>

/** Writes a buffered body. `writing` is passed to a custom writer. */
export type Write = (value: unknown, writing?: Writing) => Written | Promise<Written>

/**
 * Writes a streamed body. `contentType` is `undefined` if neither the representation nor the caller specifies a media
 * type.
 */
export type WriteStream = (
  value: unknown,
  contentType: string | undefined,
) => WrittenBody | Promise<WrittenBody>

/** Writers for bodies that are not plain. */
export interface FurtherBodies {
  /** Creates a writer for a buffered body. Returns `undefined` for other representations. */
  readonly valueWriter: (plan: BodyPlan) => Write | undefined
  /** Creates a writer for a stream, a file or a list of parts. Returns `undefined` for other representations. */
  readonly streamWriter: (plan: BodyPlan) => WriteStream | undefined
  /** Runs the writer interceptors, which may change the body that `write` writes. */
  readonly writeIntercepted: (
    plan: BodyPlan,
    write: Write,
    contentType: string,
    value: unknown,
  ) => Promise<WrittenBody>
}

/**
 * Creates a writer for the request bodies of an operation. `further` is required for representations other than JSON, text and bytes,
 * and for writer interceptors.
 */
export const requestBody = (
  plans: ReadonlyArray<BodyPlan>,
  { writerInterceptors }: Pick<EntityProviders, 'writerInterceptors'>,
  jsonSettings: JsonSettings,
  further?: FurtherBodies,
): WriteRequestBody => {
  const writers = new Map(
    plans.map(
      (plan) => [plan, further?.valueWriter(plan) ?? plainWriter(plan, jsonSettings)] as const,
    ),
  )
  const streams = new Map(plans.map((plan) => [plan, further?.streamWriter(plan)] as const))
  return (value, as) => {
    const selected = as === undefined ? undefined : O.toUndefined(MediaType.parse(as))
    const plan = as === undefined ? plans[0] : selectByMediaType(selected, plans)
    if (plan === undefined)
      return unwritableBody(`cannot be sent as ${as}: the operation accepts ${typesOf(plans)}`)
    if (selected !== undefined && isText(plan) && !isUtf8Compatible(charsetOf(selected)))
      return unwritableBody(`cannot be sent as ${as}: text is always encoded in UTF-8`)
    const contentType = contentTypeFor(plan, selected)
    const stream = streams.get(plan)
    if (stream !== undefined) return stream(value, contentType)
    if (contentType === undefined) return ambiguousMediaType(plan)
    const write = writers.get(plan) ?? cannotWrite
    if (further !== undefined && (writerInterceptors.length > 0 || plan.format._tag === 'Provider'))
      return further.writeIntercepted(plan, write, contentType, value)
    const written = write(value)
    return isPromise(written)
      ? written.then((result) => E.chain(toBody(contentType))(result))
      : E.chain(toBody(contentType))(written)
  }
}

const cannotWrite: Write = () => unwritableBody('cannot be written')

const typesOf = (plans: ReadonlyArray<BodyPlan>): string =>
  plans.map(({ contentType }) => contentType).join(', ')

/**
 * Whether the client itself converts the value to text. For other representations, the content is provided by the
 * caller or by a custom function.
 */
const isText = ({ format }: BodyPlan): boolean =>
  format._tag !== 'Bytes' && format._tag !== 'Custom' && format._tag !== 'Provider'

/**
 * Returns the `Content-Type` of the body. Returns `undefined` if a range of media types is declared and the caller must
 * select one of them.
 */
const contentTypeFor = (
  { mediaType, contentType: declared, format }: BodyPlan,
  selected: MediaType.MediaType | undefined,
): string | undefined => {
  if (selected !== undefined && !MediaType.isRange(selected))
    return contentTypeOf(MediaType.format(selected), selected)
  if (!MediaType.isRange(mediaType)) return declared
  return (format._tag === 'Bytes' || format._tag === 'ByteStream') && mediaType.type === '*'
    ? 'application/octet-stream'
    : undefined
}

/** Returns the error for a body that is declared as a range of media types. */
export const ambiguousMediaType = ({
  contentType,
}: BodyPlan): E.Either<ReadonlyArray<ValidationError>, never> =>
  unwritableBody(
    `is declared as ${contentType}, which is not a concrete media type: select one with the \`as\` option`,
  )

const toBody =
  (contentType: string) =>
  (content: string | Uint8Array | undefined): WrittenBody =>
    content === undefined
      ? E.right(undefined)
      : E.map((encodedContent: string | Uint8Array): RequestBody => ({
          contentType,
          content: encodedContent,
          headers: Headers.empty,
        }))(encodeContent(contentType, content))
