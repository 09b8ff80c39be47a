/** Reads XML by the functions that its representation brings along. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec/codec.ts'
import { compiled } from '../codec/compiled/compiled.ts'
import { isHidden, whole } from '../codec/projection.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import type { XmlFormat } from '../endpoint/xml-format.ts'
import type { Failure } from '../http/failure.ts'
import { backEnd } from './back-end.ts'
import type { Projecting } from './projecting.ts'
import { projectionOfInput } from './projecting.ts'
import { textOf } from './read-text.ts'
import type { ReadContent } from './reading.ts'
import {
  charsetOf,
  decoded,
  invalid,
  isWithinUtf8,
  unreadable,
  unsupportedCharset,
} from './reading.ts'
import type { Settings } from './settings.ts'
import { tooLarge } from './too-large.ts'

/** XML is read in UTF-8 only: another charset is refused with 415, a declaration of another encoding with 400. */
export const readXml = (
  format: XmlFormat,
  settings: Settings,
  projecting?: Projecting,
): ReadContent => {
  const projection = projectionOfInput(format.codec, projecting)
  const { decode, name } = compiled(format.codec, 'drop', backEnd(settings), projection)
  const size = settings['fw.http.limits.max-xml-size']
  const options = {
    depth: settings['fw.http.limits.max-xml-depth'],
    refuses: settings['fw.rest.jsonlib.fail-on-unknown-properties'],
    decode,
    ...(projection === whole
      ? {}
      : { ignores: (member: Codec): boolean => isHidden(member, projection) }),
  }
  return (octets, stated) => {
    if (!isWithinUtf8(charsetOf(stated))) return unsupportedCharset
    if (octets.length > size) return E.left(tooLarge(size, 'fw.http.limits.max-xml-size'))
    if (octets.length === 0) return decoded({ name, decode }, undefined)
    const text = textOf(octets, 'utf-8')
    return E.isLeft(text) ? text : valueOf(() => format.read(text.right, options), name)
  }
}

/** Codecs, and readers of the application's own, may throw, as they may where JSON is read. */
const valueOf = (
  read: () => ReturnType<XmlFormat['read']>,
  name: string,
): E.Either<Failure, unknown> => {
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
