/**
 * Writes the messages of an event stream (`text/event-stream`). `EventStreamReader` parses them. In the `Last-Event-ID` header, a
 * reconnecting client sends the ID of the last event that it received.
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
  `${comment === undefined ? '' : fieldLines(':', comment)}${
    id === undefined ? '' : `id: ${singleLine('id', id)}\n`
  }${name === undefined || name === '' ? '' : `event: ${singleLine('name', name)}\n`}${
    retry === undefined || delay(retry) < 0 ? '' : `retry: ${retry}\n`
  }${data === undefined ? '' : fieldLines('data:', data)}\n`

/**
 * Writes one line of a message for each line of text. A space always precedes the text, because clients remove one leading space.
 */
const fieldLines = (field: string, text: string): string =>
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

/** An event that a client dispatches. Messages without data do not result in events. */
export interface DispatchedEvent {
  /** The event type. Default: `message`. */
  readonly name: string
  readonly data: string
  /** The last event ID: the most recent `id` in the stream. It might have been set by an earlier message. */
  readonly id: string
  /** The comments in the event, joined with line feeds, or `undefined` if there are no comments. Browsers ignore comments. */
  readonly comment: string | undefined
}

export class EventStreamReader {
  /**
   * The last event ID, which clients send as `Last-Event-ID` when they reconnect. Updated at the end of each event, unless the ID
   * contains control characters, which cannot be sent.
   */
  lastEventId: string
  /** Time, in milliseconds, that clients wait before reconnecting. `undefined` if the stream has not set a time. */
  retry: number | undefined = undefined
  #isFirst = true
  #endedWithReturn = false
  #line = ''
  #id: string
  #name = ''
  #data: string[] = []
  #comments: string[] = []
  #size = 0

  constructor(lastEventId = '') {
    this.lastEventId = lastEventId
    this.#id = lastEventId
  }

  /** Number of UTF-16 code units buffered for the incomplete event. */
  get size(): number {
    return this.#size + this.#line.length
  }

  /**
   * Parses the next chunk of the stream, and returns the events completed by this chunk. A chunk can start and end at any
   * position.
   */
  push(text: string): ReadonlyArray<DispatchedEvent> {
    if (text === '') return []
    const rest = this.#isFirst && text.startsWith('\ufeff') ? text.slice(1) : text
    this.#isFirst = false
    const events: DispatchedEvent[] = []
    // if the previous chunk ended with CR, this LF belongs to the same line break
    const from = this.#endedWithReturn && rest.startsWith('\n') ? 1 : 0
    if (rest !== '') this.#endedWithReturn = rest.endsWith('\r')
    const lines = rest.slice(from).split(/\r\n|\r|\n/)
    const last = lines.pop() ?? ''
    for (const line of lines) {
      this.#read(this.#line + line, events)
      this.#line = ''
    }
    this.#line += last
    return events
  }

  #read(line: string, events: DispatchedEvent[]): void {
    if (line === '') return this.#dispatch(events)
    this.#size += line.length
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const rest = colon === -1 ? '' : line.slice(colon + 1)
    const value = rest.startsWith(' ') ? rest.slice(1) : rest
    switch (field) {
      case '':
        // a lone colon is a heartbeat
        if (rest !== '') this.#comments.push(value)
        return
      case 'event':
        this.#name = value
        return
      case 'data':
        this.#data.push(value)
        return
      case 'id':
        if (!value.includes('\0')) this.#id = value
        return
      case 'retry':
        if (/^[0-9]+$/.test(value)) this.retry = Number(value)
    }
  }

  #dispatch(events: DispatchedEvent[]): void {
    if (isSendableId(this.#id)) this.lastEventId = this.#id
    if (this.#data.length > 0)
      events.push({
        name: this.#name === '' ? 'message' : this.#name,
        data: this.#data.join('\n'),
        id: this.#id,
        comment: this.#comments.length === 0 ? undefined : this.#comments.join('\n'),
      })
    this.#name = ''
    this.#data = []
    this.#comments = []
    this.#size = 0
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()

/** Decodes a `Last-Event-ID` header, which is encoded in UTF-8 unlike others. Returns the value unchanged if it is not valid UTF-8. */
export const parseLastEventId = (value: string): string => {
  if (!/[\x80-\xff]/.test(value)) return value
  try {
    return decoder.decode(Uint8Array.from(value, (character) => character.charCodeAt(0)))
  } catch {
    return value
  }
}

/** Encodes an ID as the value of a `Last-Event-ID` header. */
export const formatLastEventId = (id: string): string =>
  Array.from(encoder.encode(id), (byte) => String.fromCharCode(byte)).join('')

/**
 * Whether an ID can be sent in the header. Control characters are not allowed in headers (RFC 9110, 5.5), and neither browsers nor
 * Node.js send them.
 */
export const isSendableId = (id: string): boolean => /^[\t\x20-\x7e\x80-\uffff]*$/.test(id)
