/**
 * Provides the XML format, reads XML bodies, and verifies XML representations. The functions that read and write XML are part of each
 * XML representation. Programs that do not use XML therefore do not load them.
 */
import { isHidden, fullVisibility } from '../../codec/visibility/visibility.ts'
import { valueKinds } from '../../codec/structure/uninhabited.ts'
import type { XmlFormat } from '../../xml/context/xml-format.ts'
import type { BodyFormat, BodyReadOptions } from '../body-format.ts'
import { wholeBody } from '../body-format.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import type { ConfigurationErrorCode } from '../../endpoint/definition/configuration-error.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { expectedTypes } from '../../codec/from-string.ts'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { isMissingFeature } from '../../codec/missing-feature.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as MediaType from '../../http/media-type.ts'
import { inputVisibility } from '../body-plan.ts'
import { decodeText, decodeBody, invalidInput, unreadableBody } from '../decode-body.ts'
import type { ReadBody } from '../decode-body.ts'
import { isErrorOf } from '../../http/platform-value.ts'

/** Creates the body format for an XML representation. */
export const xmlBodyFormat = (format: XmlFormat): BodyFormat => ({
  ...wholeBody,
  codec: format.codec,
  accepts: format.codec.is,
  kinds: () => valueKinds(format.codec),
  reader: (options) => readXml(format, options),
  writer: ({ visibility }) => format.writer((member) => isHidden(member, visibility)),
})

/** The code of a configuration error, and a phrase that describes how to fix the error. */
type FormatError = readonly [code: ConfigurationErrorCode, remedy: string]

/** Returns the configuration errors that apply to all XML representations, whether they are received or sent. */
export const formatErrors = ({
  codec,
  context,
  binding,
}: XmlFormat): ReadonlyArray<FormatError> => {
  const errors = binding.errors()
  if (errors.length > 0) return errors.map((remedy) => ['FW-XML-001', remedy])
  return context === undefined || context.holds(codec) || context.holds(binding.subject().codec)
    ? []
    : [['FW-XML-003', `add ${codec.name} to the XML context of the operation`]]
}

/**
 * Returns the configuration errors that apply only to XML representations that are sent.
 *
 * A codec with members that are restricted to roles cannot have a custom writer, because the writer would also receive these
 * members. This rule does not apply if `secure` is `false`.
 */
export const writerErrors = (
  { codec, hasWriter }: XmlFormat,
  secure: boolean | undefined,
): ReadonlyArray<FormatError> =>
  hasWriter && secure !== false && restrictionsIn(codec).some(({ _tag }) => _tag === 'Roles')
    ? [
        [
          'FW-FIELD-003',
          `the XML writer that applies to ${codec.name} would receive restricted members: remove the writer, or declare secureSerialization(false)`,
        ],
      ]
    : []

/**
 * Creates a function that reads XML documents in the given format, in any encoding of the Encoding Standard.
 */
export const readXml = (
  format: XmlFormat,
  { backEnd, visibility, xml: { depth, rejectsUndeclared, sizeFailure } }: BodyReadOptions,
): ReadBody => {
  const effectiveVisibility = inputVisibility(format.codec, visibility)
  const compiled = compileCodec(format.codec, 'drop', backEnd, effectiveVisibility)
  const { decode, name } = compiled
  const options = {
    depth,
    rejectsUndeclared,
    decode,
    ...(effectiveVisibility === fullVisibility
      ? {}
      : { isIgnored: (member: Codec): boolean => isHidden(member, effectiveVisibility) }),
  }
  return (bytes, contentType) => {
    const failure = sizeFailure(bytes.length)
    if (failure !== undefined) return E.left(failure)
    if (bytes.length === 0) return decodeBody(compiled, undefined)
    const text = decodeText(bytes, documentEncoding(bytes, contentType))
    return E.isLeft(text) ? text : valueOf(() => format.read(text.right, options), name)
  }
}

/**
 * Returns the label of the encoding of a document: that of its byte order mark, otherwise of the `charset` parameter, otherwise of the XML
 * declaration, otherwise UTF-8. A document without a byte order mark is in UTF-16 if it begins with `<` in UTF-16.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7303#section-3.2
 * @see https://www.w3.org/TR/xml/#sec-guessing
 */
const documentEncoding = (
  bytes: Uint8Array,
  contentType: MediaType.MediaType | undefined,
): string => {
  const [first = 0, second = 0, third = 0] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  const charset =
    contentType && O.toUndefined(MediaType.parameter(contentType, 'charset'))?.toLowerCase()
  if (charset === undefined || charset === 'utf-16') {
    if (first === 0 && second === 0x3c) return 'utf-16be'
    if (first === 0x3c && second === 0) return 'utf-16le'
  }
  return charset ?? declaredEncoding(bytes) ?? 'utf-8'
}

/** Returns the encoding in the XML declaration of a document in an encoding that is a superset of ASCII. */
const declaredEncoding = (bytes: Uint8Array): string | undefined => {
  const [, encoding] =
    encodingDeclaration.exec(String.fromCharCode(...bytes.subarray(0, 200))) ?? []
  return encoding
}

const encodingDeclaration = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/

/**
 * Calls `read` and converts its result. As with JSON, exceptions thrown by codecs and custom readers become validation errors,
 * except for an `HttpError` and a missing feature of the platform, which are rethrown.
 */
const valueOf = (
  read: () => ReturnType<XmlFormat['read']>,
  name: string,
): E.Either<RequestFailure, unknown> => {
  try {
    const result = read()
    return E.isRight(result)
      ? result
      : invalidInput(
          result.left.map(({ path, message }) => ({ in: 'body', pointer: path, detail: message })),
        )
  } catch (error) {
    if (isHttpError(error) || isMissingFeature(error)) throw error
    return unreadableBody(
      isErrorOf(error, 'RangeError') ? 'nested too deeply' : expectedTypes([name]),
    )
  }
}
