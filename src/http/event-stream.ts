/**
 * Writes messages of an event stream (`text/event-stream`). `EventStreamReader` parses them.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */

export interface Message {
  /** The event type. Default in clients: `message`. */
  readonly name?: string | undefined
  /** Clients do not dispatch messages without data. */
  readonly data?: string | undefined
  /** Clients send it as `Last-Event-ID` when they reconnect. An empty string resets it. */
  readonly id?: string | undefined
  /** Milliseconds before the client reconnects. Negative values are not sent. */
  readonly retry?: number | undefined
  readonly comment?: string | undefined
}

/**
 * Writes a message with the blank line that ends it. Data and comments may have several lines, which end with CR LF, CR or LF.
 *
 * Throws a `TypeError` for a name or id that contains a line break or NUL, and a `RangeError` for a `retry` that is not an
 * integer.
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

/** Clients remove one space before a value. Always writing one preserves the spaces of the value. */
const lines = (field: string, text: string): string =>
  text.includes('\n') || text.includes('\r')
    ? `${field} ${text.split(/\r\n|\r|\n/).join(`\n${field} `)}\n`
    : `${field} ${text}\n`

/** Whether a text is a valid name or id. Clients ignore ids that contain NUL. */
export const isSingleLine = (text: string): boolean => !/[\r\n\0]/.test(text)

const singleLine = (field: string, text: string): string => {
  if (isSingleLine(text)) return text
  throw new TypeError(
    `invalid event ${field}: line breaks and NUL are not allowed, got ${JSON.stringify(text)}`,
  )
}

const delay = (retry: number): number => {
  if (Number.isSafeInteger(retry)) return retry
  throw new RangeError(`invalid event retry: expected an integer of milliseconds, got ${retry}`)
}

/** A comment that keeps an idle connection open. Clients ignore it. */
export const heartbeat = ':\n\n'
