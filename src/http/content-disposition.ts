/**
 * `Content-Disposition`: what a client is to do with a content, and under which name it may keep it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6266
 */

/**
 * `attachment` with a name. Directories before the name and control characters are left out. What US-ASCII does not have, or
 * clients read in several ways, is said in `filename*` (RFC 8187), with a name beside it for clients that do not know that.
 */
export const attachment = (name: string): string => {
  const own = plain(name)
  if (own === '') return 'attachment'
  const quoted = `attachment; filename="${own.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\]/g, '\\$&')}"`
  // some clients decode what looks like an escape (RFC 6266, appendix D)
  return isSimple(own) ? quoted : `${quoted}; filename*=UTF-8''${extended(own)}`
}

/**
 * A part of a form, with the name of its file where it has one. Escapes as browsers write them.
 *
 * @see https://html.spec.whatwg.org/#multipart-form-data
 */
export const formData = (name: string, fileName?: string): string =>
  fileName === undefined
    ? `form-data; name="${escaped(name)}"`
    : `form-data; name="${escaped(name)}"; filename="${escaped(plain(fileName))}"`

const isSimple = (name: string): boolean =>
  /^[\x20-\x7e]*$/.test(name) && !/%[\da-f]{2}/i.test(name)

/** The name alone, in well-formed Unicode. */
const plain = (name: string): string =>
  name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()

const extended = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n|[\r\n]/g, '%0D%0A')
    .replace(/"/g, '%22')
