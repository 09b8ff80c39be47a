/** Writes the content of a response: a value to text or octets, in the alternative that the client prefers. */
import * as O from 'fp-ts/lib/Option.js'
import * as Accept from '../../http/accept.ts'
import * as FileType from '../../http/file-media-type.ts'
import * as MediaType from '../../http/media-type.ts'
import { checkingResults } from './validate-result.ts'
import type { Encode } from '../../body/text/charset.ts'
import { charsetIn, encodingOf } from '../../body/text/charset.ts'
import { remember } from '../../body/memoize-header.ts'
import type { ContentPlan } from '../../body/content-plan.ts'
import { isTypedLater, offerOf } from '../../body/content-plan.ts'
import { contentType } from '../../body/declared-type.ts'
import { served } from './file/file-response.ts'
import { multipart } from './multipart/multipart.ts'
import type { Write } from './deferred-response.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { usualJson } from '../json-settings.ts'
import { encodedTexts, octetsOnly, texts } from '../../body/stream/framings.ts'
import { jsonStreamed } from './stream/json-stream.ts'
import { eventStream } from './stream/event-stream.ts'
import { besideHal, halWriter } from './hal/write-hal.ts'
import { tagging } from './automatic-etag.ts'
import { projected, written } from './visibility.ts'
import { streamed } from './stream/stream-response.ts'
import { writeXml } from './write-xml.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import { fullVisibility } from '../../codec/visibility/visibility.ts'
import { bodyFormat } from '../../body/body-formats.ts'

/** How a value is sent. */
export interface Writer {
  readonly contentType: string
  /** What it writes; `undefined` where nothing was declared. */
  readonly alternative: ContentPlan | undefined
  readonly write: Write
  /** Writes in the charset of another `Content-Type`, which a reply sets. */
  readonly writeAs: (contentType: string) => Write
}

/** The writer for what an `Accept` says; `undefined` when it accepts none of the alternatives. */
export type ChooseWriter = (accept: string | undefined) => Writer | undefined

/** Prepares the choice among alternatives. An `Accept` that cannot be read counts as one that accepts everything: it was refused before. */
export const chooseWriter = (
  alternatives: ReadonlyArray<ContentPlan>,
  settings: Settings,
): ChooseWriter => {
  const writers = besideHal(alternatives.map((alternative) => writerOf(alternative, settings)))
  const offers = alternatives.map(offerOf)
  return remember((header) => {
    const accept =
      header === undefined
        ? Accept.anything
        : O.getOrElse(() => Accept.anything)(Accept.parse(header))
    const chosen = O.toUndefined(Accept.choose(accept, offers))
    const alternative = chosen === undefined ? undefined : alternatives[chosen]
    const writer = chosen === undefined ? undefined : writers[chosen]
    if (alternative === undefined || writer === undefined) return undefined
    if (!MediaType.isRange(alternative.mediaType) || isTypedLater(alternative)) return writer
    const concrete = O.toUndefined(Accept.concrete(accept, alternative.mediaType))
    return concrete === undefined
      ? undefined
      : typedAs(writer, contentType(MediaType.format(concrete), concrete))
  })
}

/** The writer for another `Content-Type`. */
export const typedAs = (writer: Writer, type: string): Writer => ({
  ...writer,
  contentType: type,
  write: writer.writeAs(type),
})

const writerOf = (alternative: ContentPlan, settings: Settings): Writer => {
  const make = (content: ContentPlan): Write =>
    tagging(content, checkingResults(content, settings, writeOf(content, settings)))
  const write = make(alternative)
  return {
    contentType: alternative.contentType,
    alternative,
    write,
    writeAs: writingAs(alternative, write, make),
  }
}

/** Returns how a content is written under any `Content-Type`: as before, unless that names another charset. */
export const writingAs = (
  content: ContentPlan,
  write: Write,
  make: (content: ContentPlan) => Write,
): Writer['writeAs'] => {
  const declared = charsetIn(content.mediaType)
  return remember((type = '') => {
    const mediaType = O.toUndefined(MediaType.parse(type))
    return mediaType === undefined || charsetIn(mediaType) === declared
      ? write
      : make({ ...content, mediaType, contentType: type })
  })
}

/** Writes one alternative, unless a writer of the application's own does: those are asked elsewhere (`respond-through.ts`). */
export const writeOf = (content: ContentPlan, settings: Settings): Write => {
  const encode = encodingOf(content)
  const write = textOrBytes(content, settings, encode)
  if (encode === undefined) return write
  return (value, asking) => {
    const body = write(value, asking)
    return typeof body === 'string' ? encode(body) : body
  }
}

const textOrBytes = (
  content: ContentPlan,
  settings: Settings,
  encode: Encode | undefined,
): Write => {
  const { format } = content
  switch (format._tag) {
    case 'Hal':
      return halWriter(content, format, settings)
    case 'Xml':
      return writeXml(format, content.projecting)
    case 'ByteStream':
      return (value) => streamed(value, octetsOnly)
    case 'JsonStream':
      return jsonStreamed(format, settings, content)
    case 'TextStream':
      return (value) => streamed(value, encode === undefined ? texts() : encodedTexts(encode))
    case 'EventStream':
      return eventStream(format.data, settings, content, (data) =>
        checkingResults(data, settings, writeOf(data, settings)),
      )
    case 'File':
      FileType.load().catch(() => undefined)
      return served
    case 'MultipartOutput':
      return multipart(format.fields, content, (part) => writeOf(part, settings))
    default:
      return wholeBody(content, settings)
  }
}

/** Writes a body as a whole, without the members that the caller may not see. */
const wholeBody = ({ format, json, projecting }: ContentPlan, settings: Settings): Write => {
  const { codec, writer } = bodyFormat(format)
  if (writer === undefined) return unsent
  const writeFor = (projection: Visibility) => {
    const write = writer({ ...usualJson(settings), json, projection })
    return (value: unknown) => write(value) ?? ''
  }
  return codec === undefined
    ? writeFor(fullVisibility)
    : written(projected(codec, projecting, writeFor))
}

const unsent = (): string => ''
