/**
 * The field `Last-Event-ID`: by it a client that comes back says which event it saw last. Its octets are UTF-8, where those
 * of other fields mean Latin-1.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#the-last-event-id-header
 */

const utf8 = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()

/** The id in a field value. What is no UTF-8 stays as it is: an id that nobody knows. */
export const parse = (value: string): string => {
  if (!/[\x80-\xff]/.test(value)) return value
  try {
    return utf8.decode(Uint8Array.from(value, (octet) => octet.charCodeAt(0)))
  } catch {
    return value
  }
}

/** An id as a field value. */
export const format = (id: string): string =>
  Array.from(encoder.encode(id), (octet) => String.fromCharCode(octet)).join('')
