/**
 * Fields that an answer has once, and that its conditions and ranges are decided by. Where a program adds one around the reply,
 * it has to be known before they are, and none is made in its place.
 */
import * as Headers from '../../http/headers.ts'

const names = ['ETag', 'Last-Modified', 'Accept-Ranges']

/** The fields of a reply, and those among the added ones that it does not say itself: of several the last. */
export const moveValidators = (headers: Headers.Headers, added: Headers.Headers): Headers.Headers =>
  names.reduce((fields, name) => {
    const value = Headers.all(added, name.toLowerCase()).at(-1)
    return value === undefined || Headers.first(headers, name.toLowerCase()) !== undefined
      ? fields
      : [...fields, name, value]
  }, headers)
