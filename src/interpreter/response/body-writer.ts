/** Creates the writers for response bodies. */
import { isFile, isHal } from '../../endpoint/representation.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as FileType from '../../http/file-media-type.ts'
import * as MediaType from '../../http/media-type.ts'
import type { Encode } from '../../body/charset.ts'
import { charsetOfMediaType, encodingOf } from '../../body/charset.ts'
import { memoizeHeader } from '../../http/headers.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { formatErrors, writerErrors } from '../../body/read-xml.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import { fullVisibility } from '../../codec/visibility/visibility.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { XmlFormat } from '../../xml/context/xml-format.ts'
import { jsonSettings } from '../json-settings.ts'
import { completeProblem, isProblemPlan } from './complete-problem.ts'
import { withAutomaticEtag } from './automatic-etag.ts'
import { sendFile } from './file/file-response.ts'
import { unwrapForOtherFormats, writeHal } from './hal.ts'
import { invalidResult, writeResult } from './invalid-result.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import { multipartWriter } from './multipart-writer.ts'
import { streamWriter } from './stream/stream-response.ts'
import { visibleWriter, writeVisible } from './visibility.ts'
import type { WriteResponseBody } from './write-body.ts'

/** Writes bodies in one representation. */
export interface BodyWriter {
  readonly contentType: string
  /** The representation, or `undefined` for a reply that has no declared representation. */
  readonly alternative: BodyPlan | undefined
  readonly write: WriteResponseBody
  /** Returns a function that writes bodies in the charset declared by `contentType`. Used for replies that set `Content-Type`. */
  readonly writeAs: (contentType: string) => WriteResponseBody
}

/** Wraps the writer of a representation, which is `undefined` for a reply that has no declared representation. */
export type WrapWriter = (plan: BodyPlan | undefined, write: WriteResponseBody) => WriteResponseBody

/**
 * Returns the writers for the representations of a response with the given status, in the same order. `intercept` adds the
 * application's writers and interceptors.
 */
export const representationWriters = (
  alternatives: ReadonlyArray<BodyPlan>,
  status: number,
  settings: Settings,
  intercept: WrapWriter,
): ReadonlyArray<BodyWriter> =>
  unwrapForOtherFormats(
    alternatives.map((alternative) =>
      representationWriter(alternative, status, settings, intercept),
    ),
  )

/** Returns a writer for the same representation with another `Content-Type`. */
export const withContentType = (writer: BodyWriter, contentType: string): BodyWriter => ({
  ...writer,
  contentType,
  write: writer.writeAs(contentType),
})

const representationWriter = (
  alternative: BodyPlan,
  status: number,
  settings: Settings,
  intercept: WrapWriter,
): BodyWriter => {
  const create = (plan: BodyPlan): WriteResponseBody => {
    const write = intercept(alternative, checkedWriter(plan, settings))
    return withAutomaticEtag(
      plan,
      isProblemPlan(plan)
        ? (value, context) => write(completeProblem(value, plan, status, context), context)
        : write,
    )
  }
  const write = create(alternative)
  return {
    contentType: alternative.contentType,
    alternative,
    write,
    writeAs: writerByContentType(alternative, write, create),
  }
}

/**
 * Returns a function that selects the writer for a `Content-Type`. If the charset matches the declared charset, the function
 * returns `write`. Otherwise, it returns a writer created with `create`.
 */
export const writerByContentType = (
  plan: BodyPlan,
  write: WriteResponseBody,
  create: (plan: BodyPlan) => WriteResponseBody,
): BodyWriter['writeAs'] => {
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
  if (isHal(format)) return writeHal(plan, format, settings)
  if (isFile(format)) {
    FileType.load().catch(() => undefined)
    return sendFile
  }
  switch (format._tag) {
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
  return codec === undefined
    ? create(fullVisibility)
    : writeVisible(visibleWriter(codec, rules, create))
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
const checkedWriter = (
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
