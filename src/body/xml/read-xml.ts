/** Reads XML bodies. */
import * as E from 'fp-ts/lib/Either.js'
import { expectedTypes } from '../../codec/expected-types.ts'
import type { Codec } from '../../codec/codec.ts'
import type { BackEnd } from '../../codec/generated/compiled-codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { isHidden, fullVisibility } from '../../codec/visibility/visibility.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import type { XmlFormat } from '../../xml/context/xml-format.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { VisibilityRules } from '../visibility.ts'
import { inputVisibility } from '../visibility.ts'
import { decodeText } from '../text/read-text.ts'
import type { ReadBody } from '../read-body.ts'
import {
  charsetOf,
  decodeBody,
  invalidInput,
  isUtf8Compatible,
  unreadableBody,
  unsupportedCharset,
} from '../read-body.ts'

/** Options of {@link readXml}. */
export interface XmlReading {
  readonly backEnd: BackEnd
  /** The maximum nesting depth of elements. */
  readonly depth: number
  /** Whether undeclared elements and attributes are validation errors. */
  readonly rejectsUndeclared: boolean
  /** Returns an error for a body that exceeds the size limit. */
  readonly exceeded: (length: number) => RequestFailure | undefined
}

/** The limits and rules of XML, without the codec back end. */
export type XmlLimits = Omit<XmlReading, 'backEnd'>

/** Creates the reader of an XML representation. It supports UTF-8 only, and rejects other charsets and encoding declarations. */
export const readXml = (
  format: XmlFormat,
  { backEnd, depth, rejectsUndeclared, exceeded }: XmlReading,
  visibility?: VisibilityRules,
): ReadBody => {
  const effectiveVisibility = inputVisibility(format.codec, visibility)
  const { decode, name } = compileCodec(format.codec, 'drop', backEnd, effectiveVisibility)
  const options = {
    depth,
    rejectsUndeclared,
    decode,
    ...(effectiveVisibility === fullVisibility
      ? {}
      : { isIgnored: (member: Codec): boolean => isHidden(member, effectiveVisibility) }),
  }
  return (bytes, contentTypeOf) => {
    if (!isUtf8Compatible(charsetOf(contentTypeOf))) return unsupportedCharset
    const failure = exceeded(bytes.length)
    if (failure !== undefined) return E.left(failure)
    if (bytes.length === 0) return decodeBody({ name, decode }, undefined)
    const text = decodeText(bytes, 'utf-8')
    return E.isLeft(text) ? text : valueOf(() => format.read(text.right, options), name)
  }
}

/** Converts exceptions of codecs and custom readers to validation errors, as for JSON. */
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
    if (isHttpError(error)) throw error
    return unreadableBody(error instanceof RangeError ? 'nested too deeply' : expectedTypes([name]))
  }
}
