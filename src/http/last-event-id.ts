/**
 * Decodes and encodes the `Last-Event-ID` header, in which a reconnecting client sends the ID of the last event that it received.
 * Unlike other headers, this header is encoded in UTF-8.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#the-last-event-id-header
 */

const decoder = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()

/** Decodes a header value. Returns the value unchanged if it is not valid UTF-8. */
export const parse = (value: string): string => {
  if (!/[\x80-\xff]/.test(value)) return value
  try {
    return decoder.decode(Uint8Array.from(value, (character) => character.charCodeAt(0)))
  } catch {
    return value
  }
}

/** Encodes an ID as a header value. */
export const format = (id: string): string =>
  Array.from(encoder.encode(id), (byte) => String.fromCharCode(byte)).join('')

/**
 * Whether an ID can be sent in the header. Control characters are not allowed in headers (RFC 9110, 5.5), and neither browsers nor
 * Node.js send them.
 */
export const isSendable = (id: string): boolean => /^[\t\x20-\x7e\x80-\uffff]*$/.test(id)
