/** Creates the writers for response bodies. */
import * as O from 'fp-ts/lib/Option.js'
import * as FileType from '../../http/file-media-type.ts'
import * as MediaType from '../../http/media-type.ts'
import type { Encode } from '../../body/charset.ts'
import { charsetOfMediaType, encodingOf } from '../../body/charset.ts'
import { memoizeHeader } from '../../http/headers.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { formatErrors, writerErrors } from '../../body/formats/xml.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import { fullVisibility } from '../../codec/visibility/visibility.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { XmlFormat } from '../../xml/context/xml-format.ts'
import { jsonSettings } from '../json-settings.ts'
import { sendFile } from './file-response.ts'
import { writeHal } from './links.ts'
import { invalidResult, writeResult, visibleWriter } from './write-body.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import { multipartWriter } from './multipart-writer.ts'
import { streamWriter } from './stream/stream-response.ts'
import type { WriteResponseBody } from './write-body.ts'

/** Returns the writer for a `Content-Type`. */
export type WriteAs<W = WriteResponseBody> = (contentType: string) => W

/**
 * Returns a function that selects the writer for a `Content-Type`, whose charset can differ from the declared one. `create` creates the
 * writer for a plan.
 */
export const byContentType = <W>(plan: BodyPlan, create: (plan: BodyPlan) => W): WriteAs<W> => {
  const write = create(plan)
  const declaredCharset = charsetOfMediaType(plan.mediaType)
  return memoizeHeader((contentType = '') => {
    const mediaType = O.toUndefined(MediaType.parse(contentType))
    return mediaType === undefined || charsetOfMediaType(mediaType) === declaredCharset
      ? write
      : create({ ...plan, mediaType, contentType })
  })
}

/**
 * Returns a function that writes bodies in one representation. Writers provided by the application are called in
 * `intercept-body.ts` instead.
 */
export const bodyWriter = (
  plan: BodyPlan,
  settings: Settings,
  subject = subjectOf(plan),
): WriteResponseBody => {
  const encode = encodingOf(plan)
  const write = textOrBytesWriter(plan, settings, encode, subject)
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
  subject: string,
): WriteResponseBody => {
  const { format } = plan
  switch (format._tag) {
    case 'Hal':
      return writeHal(plan, format, settings)
    case 'File':
      FileType.load().catch(() => undefined)
      return sendFile
    case 'Xml':
      checkXml(format, plan.visibility)
      return bufferedBodyWriter(plan, settings, subject)
    case 'MultipartOutput':
      return multipartWriter(format.fields, plan, (part) => bodyWriter(part, settings))
    default: {
      const { stream } = bodyFormat(format)
      return stream === undefined
        ? bufferedBodyWriter(plan, settings, subject)
        : streamWriter(stream, plan, settings, encode, (element, elementName) =>
            checkedWriter(element, settings, elementName),
          )
    }
  }
}

/** Returns a function that writes a complete body, excluding members that are hidden from the caller. */
const bufferedBodyWriter = (
  { format, json, visibility: rules }: BodyPlan,
  settings: Settings,
  subject: string,
): WriteResponseBody => {
  const { codec, writer } = bodyFormat(format)
  if (writer === undefined) return () => ''
  const create = (visibility: Visibility) => {
    const write = writer({ ...jsonSettings(settings), json, visibility })
    return codec === undefined
      ? (value: unknown) => write(value) ?? ''
      : writeResult(subject, codec, write, '')
  }
  return codec === undefined ? create(fullVisibility) : visibleWriter(codec, rules, create)
}

/**
 * Throws a `TypeError` if an XML representation has configuration errors. The compiler checks all representations in the tree, but
 * not those of multipart parts returned by a handler.
 */
const checkXml = (format: XmlFormat, rules: BodyPlan['visibility']): void => {
  const errors = [...formatErrors(format), ...writerErrors(format, rules?.secure)]
  if (errors.length > 0) throw new TypeError(errors.map(([, remedy]) => remedy).join('\n'))
}

/** Returns what an invalid value is called in error messages. */
const subjectOf = ({ contentType }: BodyPlan): string => `value sent as ${contentType}`

/**
 * Returns a function that writes bodies. If `fw.rest.check-results` is set, it throws a `TypeError` for invalid values. This detects
 * values that the type checker misses, such as values that were cast or that come from JavaScript code.
 */
export const checkedWriter = (
  plan: BodyPlan,
  settings: Settings,
  subject = subjectOf(plan),
): WriteResponseBody => {
  const write = bodyWriter(plan, settings, subject)
  const { format } = plan
  const { codec, accepts, isStreamed } = bodyFormat(format)
  if (codec === undefined || isStreamed || format._tag === 'Provider') return write
  if (!settings['fw.rest.check-results']) return write
  return (value, context) => {
    if (!accepts(value)) throw invalidResult(subject, codec, unwrapHal(value))
    return write(value, context)
  }
}
