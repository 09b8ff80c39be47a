/** Prepares the writers of response bodies, and selects one by the `Accept` header. */
import * as O from 'fp-ts/lib/Option.js'
import * as Accept from '../../http/accept.ts'
import * as FileType from '../../http/file-media-type.ts'
import * as MediaType from '../../http/media-type.ts'
import type { Encode } from '../../body/text/charset.ts'
import { charsetOfMediaType, encodingOf } from '../../body/text/charset.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { hasLateMediaType, offerOf } from '../../body/body-plan.ts'
import { contentTypeOf } from '../../body/declared-type.ts'
import { encodedText, bytesOnly, utf8Text } from '../../body/stream/framings.ts'
import type { VisibilityRules } from '../../body/visibility.ts'
import { formatErrors, writerErrors } from '../../body/xml/xml-format-errors.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import { fullVisibility, isHidden } from '../../codec/visibility/visibility.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { XmlFormat } from '../../xml/context/xml-format.ts'
import { jsonSettings } from '../json-settings.ts'
import { withAutomaticEtag } from './automatic-etag.ts'
import { sendFile } from './file/file-response.ts'
import { unwrapBesideHal, writeHal } from './hal/write-hal.ts'
import { multipartWriter } from './multipart/multipart-writer.ts'
import { eventStreamWriter } from './stream/event-stream.ts'
import { jsonStreamWriter } from './stream/json-stream.ts'
import { streamResponse } from './stream/stream-response.ts'
import { visibleWriter, writeVisible } from './visibility.ts'
import type { WriteBody } from './write-body.ts'

/** Writes bodies in one representation. */
export interface BodyWriter {
  readonly contentType: string
  /** The representation; `undefined` for a reply without a declared one. */
  readonly alternative: BodyPlan | undefined
  readonly write: WriteBody
  /** Returns a function that writes in the charset of another `Content-Type`, which a reply sets. */
  readonly writeAs: (contentType: string) => WriteBody
}

/** Returns the writer for the value of an `Accept` header; `undefined` if no representation is acceptable. */
export type NegotiateWriter = (accept: string | undefined) => BodyWriter | undefined

/**
 * Prepares the selection among representations. An invalid `Accept` header selects as a missing one does: routing has
 * already rejected it where it matters.
 */
export const negotiateWriter = (
  alternatives: ReadonlyArray<BodyPlan>,
  settings: Settings,
): NegotiateWriter => {
  const writers = unwrapBesideHal(
    alternatives.map((alternative) => representationWriter(alternative, settings)),
  )
  const offers = alternatives.map(offerOf)
  return memoizeHeader((header) => {
    const accept =
      header === undefined
        ? Accept.anything
        : O.getOrElse(() => Accept.anything)(Accept.parse(header))
    const index = O.toUndefined(Accept.choose(accept, offers))
    const alternative = index === undefined ? undefined : alternatives[index]
    const writer = index === undefined ? undefined : writers[index]
    if (alternative === undefined || writer === undefined) return undefined
    if (!MediaType.isRange(alternative.mediaType) || hasLateMediaType(alternative)) return writer
    const concrete = O.toUndefined(Accept.concrete(accept, alternative.mediaType))
    return concrete === undefined
      ? undefined
      : withContentType(writer, contentTypeOf(MediaType.format(concrete), concrete))
  })
}

/** Returns the writer with another `Content-Type`. */
export const withContentType = (writer: BodyWriter, contentType: string): BodyWriter => ({
  ...writer,
  contentType,
  write: writer.writeAs(contentType),
})

const representationWriter = (alternative: BodyPlan, settings: Settings): BodyWriter => {
  const make = (plan: BodyPlan): WriteBody =>
    withAutomaticEtag(plan, validatingWriter(plan, settings, bodyWriter(plan, settings)))
  const write = make(alternative)
  return {
    contentType: alternative.contentType,
    alternative,
    write,
    writeAs: writerByContentType(alternative, write, make),
  }
}

/** Returns a function that selects the writer for a `Content-Type`: `write`, unless the charset differs. */
export const writerByContentType = (
  plan: BodyPlan,
  write: WriteBody,
  make: (plan: BodyPlan) => WriteBody,
): BodyWriter['writeAs'] => {
  const declaredCharset = charsetOfMediaType(plan.mediaType)
  return memoizeHeader((contentType = '') => {
    const mediaType = O.toUndefined(MediaType.parse(contentType))
    return mediaType === undefined || charsetOfMediaType(mediaType) === declaredCharset
      ? write
      : make({ ...plan, mediaType, contentType })
  })
}

/** Prepares writing bodies in one representation. Writers of the application are called by `intercepted-response.ts` instead. */
export const bodyWriter = (plan: BodyPlan, settings: Settings): WriteBody => {
  const encode = encodingOf(plan)
  const write = textOrBytesWriter(plan, settings, encode)
  if (encode === undefined) return write
  return (value, context) => {
    const body = write(value, context)
    return typeof body === 'string' ? encode(body) : body
  }
}

const textOrBytesWriter = (
  plan: BodyPlan,
  settings: Settings,
  encode: Encode | undefined,
): WriteBody => {
  const { format } = plan
  switch (format._tag) {
    case 'Hal':
      return writeHal(plan, format, settings)
    case 'Xml':
      return xmlWriter(format, plan.visibility)
    case 'ByteStream':
      return (value) => streamResponse(value, bytesOnly)
    case 'JsonStream':
      return jsonStreamWriter(format, settings, plan)
    case 'TextStream':
      return (value) =>
        streamResponse(value, encode === undefined ? utf8Text() : encodedText(encode))
    case 'EventStream':
      return eventStreamWriter(format.data, settings, plan, (data) =>
        validatingWriter(data, settings, bodyWriter(data, settings)),
      )
    case 'File':
      FileType.load().catch(() => undefined)
      return sendFile
    case 'MultipartOutput':
      return multipartWriter(format.fields, plan, (part) => bodyWriter(part, settings))
    default:
      return bufferedBodyWriter(plan, settings)
  }
}

/** Prepares writing a complete body, without the members that are hidden from the caller. */
const bufferedBodyWriter = (
  { format, json, visibility: rules }: BodyPlan,
  settings: Settings,
): WriteBody => {
  const { codec, writer } = bodyFormat(format)
  if (writer === undefined) return writeNothing
  const make = (visibility: Visibility) => {
    const write = writer({ ...jsonSettings(settings), json, visibility })
    return (value: unknown) => write(value) ?? ''
  }
  return codec === undefined
    ? make(fullVisibility)
    : writeVisible(visibleWriter(codec, rules, make))
}

const writeNothing = (): string => ''

/**
 * Prepares writing XML.
 *
 * Throws a `TypeError` for configuration errors. Compilation has verified all representations of the tree, but not those of
 * parts that a handler returns.
 */
const xmlWriter = (format: XmlFormat, rules: VisibilityRules | undefined): WriteBody => {
  const errors = [...formatErrors(format), ...writerErrors(format, rules?.secure)]
  if (errors.length > 0) throw new TypeError(errors.map(([, remedy]) => remedy).join('\n'))
  return writeVisible(
    visibleWriter(format.codec, rules, (visibility) =>
      format.writer((member) => isHidden(member, visibility)),
    ),
  )
}

/**
 * Returns `write`, or, with `fw.rest.check-results`, a function that throws a `TypeError` for a value that its codec rejects.
 * The check finds invalid values that a cast or JavaScript code lets through.
 */
const validatingWriter = (
  { format, contentType }: BodyPlan,
  settings: Settings,
  write: WriteBody,
): WriteBody => {
  const { codec, accepts, isStreamed } = bodyFormat(format)
  if (codec === undefined || isStreamed || format._tag === 'Provider') return write
  if (!settings['fw.rest.check-results']) return write
  return (value, context) => {
    if (!accepts(value))
      throw new TypeError(`invalid result: the value sent as ${contentType} must be ${codec.name}`)
    return write(value, context)
  }
}
