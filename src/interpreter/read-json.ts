/** Reads JSON by a codec. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec/codec.ts'
import { compiled } from '../codec/compiled/compiled.ts'
import * as JsonText from '../codec/json-text.ts'
import { backEnd } from './back-end.ts'
import type { Projecting } from './projecting.ts'
import { projectionOfInput } from './projecting.ts'
import type { ReadContent } from './reading.ts'
import { charsetOf, decoded, isWithinUtf8, unreadable, unsupportedCharset } from './reading.ts'
import type { Settings } from './settings.ts'

/** JSON is UTF-8 (RFC 8259, 8.1); a request that states another charset is refused with 415. */
export const readJson = (
  codec: Codec,
  settings: Settings,
  projecting?: Projecting,
): ReadContent => {
  const undeclared = settings['fw.rest.jsonlib.fail-on-unknown-properties'] ? 'refuse' : 'drop'
  const projection = projectionOfInput(codec, projecting)
  const exact = compiled(codec, undeclared, backEnd(settings), projection)
  const bounds = {
    depth: settings['fw.http.limits.max-json-depth'],
    keys: settings['fw.http.limits.max-json-keys'],
  }
  return (octets, stated) => {
    if (!isWithinUtf8(charsetOf(stated))) return unsupportedCharset
    const value = JsonText.parse(octets, bounds, (parsed) => exact.fits(parsed, bounds))
    return E.isLeft(value) ? unreadable(value.left) : decoded(exact, value.right)
  }
}
