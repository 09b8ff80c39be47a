/** Reads XML by the functions that its representation brings along. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { BackEnd } from '../../codec/generated/compiled-codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { isHidden, fullVisibility } from '../../codec/visibility/visibility.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import type { XmlFormat } from '../../xml/context/xml-format.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { Projecting } from '../visibility.ts'
import { projectionOfInput } from '../visibility.ts'
import { textOf } from '../text/read-text.ts'
import type { ReadContent } from '../read-body.ts'
import {
  charsetOf,
  decoded,
  invalid,
  isWithinUtf8,
  unreadable,
  unsupportedCharset,
} from '../read-body.ts'

/** How XML is read. */
export interface XmlReading {
  readonly backEnd: BackEnd
  /** Elements inside each other. */
  readonly depth: number
  /** Whether members that are not declared are refused. */
  readonly refuses: boolean
  /** What is wrong with so many octets. */
  readonly exceeded: (octets: number) => RequestFailure | undefined
}

/** The limits and rules of XML, without the codec back end. */
export type XmlLimits = Omit<XmlReading, 'backEnd'>

/** XML is read in UTF-8 only: another charset is refused, and so is a declaration of another encoding. */
export const readXml = (
  format: XmlFormat,
  { backEnd, depth, refuses, exceeded }: XmlReading,
  projecting?: Projecting,
): ReadContent => {
  const projection = projectionOfInput(format.codec, projecting)
  const { decode, name } = compileCodec(format.codec, 'drop', backEnd, projection)
  const options = {
    depth,
    refuses,
    decode,
    ...(projection === fullVisibility
      ? {}
      : { ignores: (member: Codec): boolean => isHidden(member, projection) }),
  }
  return (octets, stated) => {
    if (!isWithinUtf8(charsetOf(stated))) return unsupportedCharset
    const failure = exceeded(octets.length)
    if (failure !== undefined) return E.left(failure)
    if (octets.length === 0) return decoded({ name, decode }, undefined)
    const text = textOf(octets, 'utf-8')
    return E.isLeft(text) ? text : valueOf(() => format.read(text.right, options), name)
  }
}

/** Codecs, and readers of the application's own, may throw, as they may where JSON is read. */
const valueOf = (
  read: () => ReturnType<XmlFormat['read']>,
  name: string,
): E.Either<RequestFailure, unknown> => {
  try {
    const result = read()
    return E.isRight(result)
      ? result
      : invalid(
          result.left.map(({ path, message }) => ({ in: 'body', pointer: path, detail: message })),
        )
  } catch (error) {
    if (isHttpError(error)) throw error
    return unreadable(error instanceof RangeError ? 'it is nested too deep' : `has to be: ${name}`)
  }
}
