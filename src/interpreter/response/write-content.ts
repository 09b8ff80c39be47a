/** Writes the content of a response: a value to text or octets, in the alternative that the client prefers. */
import * as O from 'fp-ts/lib/Option.js'
import * as Accept from '../../http/accept.ts'
import * as FileType from '../../http/file-media-type.ts'
import * as MediaType from '../../http/media-type.ts'
import { validatingWriter } from './validate-result.ts'
import type { Encode } from '../../body/text/charset.ts'
import { charsetOfMediaType, encodingOf } from '../../body/text/charset.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { hasLateMediaType, offerOf } from '../../body/body-plan.ts'
import { contentTypeOf } from '../../body/declared-type.ts'
import { sendFile } from './file/file-response.ts'
import { multipartWriter } from './multipart/multipart.ts'
import type { WriteBody } from './deferred-response.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { jsonSettings } from '../json-settings.ts'
import { encodedText, bytesOnly, utf8Text } from '../../body/stream/framings.ts'
import { jsonStreamWriter } from './stream/json-stream.ts'
import { eventStreamWriter } from './stream/event-stream.ts'
import { unwrapBesideHal, writeHal } from './hal/write-hal.ts'
import { withAutomaticEtag } from './automatic-etag.ts'
import { visibleWriter, writeVisible } from './visibility.ts'
import { streamResponse } from './stream/stream-response.ts'
import { xmlWriter } from './write-xml.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import { fullVisibility } from '../../codec/visibility/visibility.ts'
import { bodyFormat } from '../../body/body-formats.ts'

/** How a value is sent. */
export interface BodyWriter {
  readonly contentType: string
  /** What it writes; `undefined` where nothing was declared. */
  readonly alternative: BodyPlan | undefined
  readonly write: WriteBody
  /** Writes in the charset of another `Content-Type`, which a reply sets. */
  readonly writeAs: (contentType: string) => WriteBody
}

/** The writer for what an `Accept` says; `undefined` when it accepts none of the alternatives. */
export type NegotiateWriter = (accept: string | undefined) => BodyWriter | undefined

/** Prepares the choice among alternatives. An `Accept` that cannot be read counts as one that accepts everything: it was refused before. */
export const negotiateWriter = (
  alternatives: ReadonlyArray<BodyPlan>,
  settings: Settings,
): NegotiateWriter => {
  const writers = unwrapBesideHal(
    alternatives.map((alternative) => writerOf(alternative, settings)),
  )
  const offers = alternatives.map(offerOf)
  return memoizeHeader((header) => {
    const accept =
      header === undefined
        ? Accept.anything
        : O.getOrElse(() => Accept.anything)(Accept.parse(header))
    const chosen = O.toUndefined(Accept.choose(accept, offers))
    const alternative = chosen === undefined ? undefined : alternatives[chosen]
    const writer = chosen === undefined ? undefined : writers[chosen]
    if (alternative === undefined || writer === undefined) return undefined
    if (!MediaType.isRange(alternative.mediaType) || hasLateMediaType(alternative)) return writer
    const concrete = O.toUndefined(Accept.concrete(accept, alternative.mediaType))
    return concrete === undefined
      ? undefined
      : withContentType(writer, contentTypeOf(MediaType.format(concrete), concrete))
  })
}

/** The writer for another `Content-Type`. */
export const withContentType = (writer: BodyWriter, type: string): BodyWriter => ({
  ...writer,
  contentType: type,
  write: writer.writeAs(type),
})

const writerOf = (alternative: BodyPlan, settings: Settings): BodyWriter => {
  const make = (content: BodyPlan): WriteBody =>
    withAutomaticEtag(content, validatingWriter(content, settings, bodyWriter(content, settings)))
  const write = make(alternative)
  return {
    contentType: alternative.contentType,
    alternative,
    write,
    writeAs: writerByContentType(alternative, write, make),
  }
}

/** Returns how a content is written under any `Content-Type`: as before, unless that names another charset. */
export const writerByContentType = (
  content: BodyPlan,
  write: WriteBody,
  make: (content: BodyPlan) => WriteBody,
): BodyWriter['writeAs'] => {
  const declared = charsetOfMediaType(content.mediaType)
  return memoizeHeader((type = '') => {
    const mediaType = O.toUndefined(MediaType.parse(type))
    return mediaType === undefined || charsetOfMediaType(mediaType) === declared
      ? write
      : make({ ...content, mediaType, contentType: type })
  })
}

/** Writes one alternative, unless a writer of the application's own does: those are asked elsewhere (`respond-through.ts`). */
export const bodyWriter = (content: BodyPlan, settings: Settings): WriteBody => {
  const encode = encodingOf(content)
  const write = textOrBytes(content, settings, encode)
  if (encode === undefined) return write
  return (value, asking) => {
    const body = write(value, asking)
    return typeof body === 'string' ? encode(body) : body
  }
}

const textOrBytes = (
  content: BodyPlan,
  settings: Settings,
  encode: Encode | undefined,
): WriteBody => {
  const { format } = content
  switch (format._tag) {
    case 'Hal':
      return writeHal(content, format, settings)
    case 'Xml':
      return xmlWriter(format, content.visibility)
    case 'ByteStream':
      return (value) => streamResponse(value, bytesOnly)
    case 'JsonStream':
      return jsonStreamWriter(format, settings, content)
    case 'TextStream':
      return (value) =>
        streamResponse(value, encode === undefined ? utf8Text() : encodedText(encode))
    case 'EventStream':
      return eventStreamWriter(format.data, settings, content, (data) =>
        validatingWriter(data, settings, bodyWriter(data, settings)),
      )
    case 'File':
      FileType.load().catch(() => undefined)
      return sendFile
    case 'MultipartOutput':
      return multipartWriter(format.fields, content, (part) => bodyWriter(part, settings))
    default:
      return wholeBody(content, settings)
  }
}

/** Writes a body as a whole, without the members that the caller may not see. */
const wholeBody = (
  { format, json, visibility: projecting }: BodyPlan,
  settings: Settings,
): WriteBody => {
  const { codec, writer } = bodyFormat(format)
  if (writer === undefined) return unsent
  const writeFor = (projection: Visibility) => {
    const write = writer({ ...jsonSettings(settings), json, visibility: projection })
    return (value: unknown) => write(value) ?? ''
  }
  return codec === undefined
    ? writeFor(fullVisibility)
    : writeVisible(visibleWriter(codec, projecting, writeFor))
}

const unsent = (): string => ''
