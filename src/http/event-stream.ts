/**
 * Messages of an event stream, `text/event-stream`: what they look like on the wire. Only they are written here; reading is
 * the business of clients.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */

export interface Message {
  /** The type of the event; a client calls it `message` when nothing is said. */
  readonly name?: string | undefined
  /** Without data a client tells nobody of the message. */
  readonly data?: string | undefined
  /** What the client says in `Last-Event-ID` when it comes back; the empty text takes it back. */
  readonly id?: string | undefined
  /** Milliseconds until the client comes back; nothing is sent of a negative number. */
  readonly retry?: number | undefined
  readonly comment?: string | undefined
}

/**
 * Writes a message with the blank line that ends it. CR LF, CR and LF each break a line; data and comments may have several.
 * Throws a `TypeError` for a name or id that holds a line break or NUL, and a `RangeError` for a `retry` that is no whole
 * number.
 *
 * ```text
 * message = *( ":" SP comment LF ) [ "id:" SP id LF ] [ "event:" SP name LF ] [ "retry:" SP 1*DIGIT LF ] *( "data:" SP line LF ) LF
 * ```
 */
export const format = ({ comment, id, name, retry, data }: Message): string =>
  `${comment === undefined ? '' : lines(':', comment)}${
    id === undefined ? '' : `id: ${single('id', id)}\n`
  }${name === undefined || name === '' ? '' : `event: ${single('name', name)}\n`}${
    retry === undefined || delay(retry) < 0 ? '' : `retry: ${retry}\n`
  }${data === undefined ? '' : lines('data:', data)}\n`

/** A client takes off one space in front of a value: with one always there, those of the value stay. */
const lines = (field: string, text: string): string =>
  text.includes('\n') || text.includes('\r')
    ? `${field} ${text.split(/\r\n|\r|\n/).join(`\n${field} `)}\n`
    : `${field} ${text}\n`

/** Whether a text can be a name or an id. Of an id with NUL a client takes no notice. */
export const isSingleLine = (text: string): boolean => !/[\r\n\0]/.test(text)

const single = (field: string, text: string): string => {
  if (isSingleLine(text)) return text
  throw new TypeError(`the ${field} of an event holds a line break or NUL: ${JSON.stringify(text)}`)
}

const delay = (retry: number): number => {
  if (Number.isSafeInteger(retry)) return retry
  throw new RangeError(`the retry of an event is no whole number of milliseconds: ${retry}`)
}

/** What keeps a connection in use on which there is nothing to say: a comment, and no event. */
export const heartbeat = ':\n\n'
