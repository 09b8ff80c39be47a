/**
 * Writes the messages of an event stream (`text/event-stream`). `EventStreamReader` parses them.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */

export interface Message {
  /** The event type. By default, clients use `message`. */
  readonly name?: string | undefined
  /** The payload. Clients dispatch an event only if the message has data. */
  readonly data?: string | undefined
  /** The event ID, which clients send as `Last-Event-ID` when they reconnect. An empty string resets the ID. */
  readonly id?: string | undefined
  /** Time, in milliseconds, that clients wait before reconnecting. Negative values are not sent. */
  readonly retry?: number | undefined
  readonly comment?: string | undefined
}

/**
 * Formats a message, followed by a blank line. Data and comments can span multiple lines, separated by CR LF, CR or LF.
 *
 * Throws a `TypeError` if the name or ID contains a line break or NUL. Throws a `RangeError` if `retry` is not an integer.
 *
 * ```text
 * message = *( ":" SP comment LF ) [ "id:" SP id LF ] [ "event:" SP name LF ] [ "retry:" SP 1*DIGIT LF ] *( "data:" SP line LF ) LF
 * ```
 */
export const format = ({ comment, id, name, retry, data }: Message): string =>
  `${comment === undefined ? '' : lines(':', comment)}${
    id === undefined ? '' : `id: ${singleLine('id', id)}\n`
  }${name === undefined || name === '' ? '' : `event: ${singleLine('name', name)}\n`}${
    retry === undefined || delay(retry) < 0 ? '' : `retry: ${retry}\n`
  }${data === undefined ? '' : lines('data:', data)}\n`

/**
 * Writes one line of a message for each line of text. A space always precedes the text, because clients remove one leading space.
 */
const lines = (field: string, text: string): string =>
  text.includes('\n') || text.includes('\r')
    ? `${field} ${text.split(/\r\n|\r|\n/).join(`\n${field} `)}\n`
    : `${field} ${text}\n`

/** Whether a string is a valid event name or event ID. Clients ignore IDs that contain NUL. */
const isSingleLine = (text: string): boolean => !/[\r\n\0]/.test(text)

const singleLine = (field: string, text: string): string => {
  if (isSingleLine(text)) return text
  throw new TypeError(
    `invalid event ${field} ${JSON.stringify(text)}: line breaks and NUL are not allowed`,
  )
}

const delay = (retry: number): number => {
  if (Number.isSafeInteger(retry)) return retry
  throw new RangeError(
    `invalid event retry: expected an integer number of milliseconds, got ${retry}`,
  )
}

/** An empty comment that keeps an idle connection open. Clients ignore comments. */
export const heartbeat = ':\n\n'
