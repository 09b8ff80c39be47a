/**
 * Reads an event stream by the letter of the standard: what an `EventSource` makes of its text, without a connection.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */

/** A message of which somebody is told: one with data. */
export interface DispatchedEvent {
  /** `message` where the stream does not say another. */
  readonly name: string
  readonly data: string
  /** The last id that was said. */
  readonly id: string
  /** The comments that stood in front of it, a line each. The standard leaves them out. */
  readonly comment: string | undefined
}

export class EventStreamReader {
  /** What is said in `Last-Event-ID` when the connection is made anew: the id of the last message that has ended. */
  lastEventId: string
  /** Milliseconds to wait before that; `undefined` until the stream says so. */
  retry: number | undefined = undefined
  #isFirst = true
  #wasReturn = false
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

  /** UTF-16 units of the message that has not ended yet. */
  get size(): number {
    return this.#size + this.#line.length
  }

  /** The messages that end in the next of the text, wherever it is cut. What has not ended at the end of all of it is none. */
  push(text: string): ReadonlyArray<DispatchedEvent> {
    if (text === '') return []
    const rest = this.#isFirst && text.startsWith('\ufeff') ? text.slice(1) : text
    this.#isFirst = false
    const events: DispatchedEvent[] = []
    // a line feed behind a carriage return that ended the last line ends no other
    const from = this.#wasReturn && rest.startsWith('\n') ? 1 : 0
    if (rest !== '') this.#wasReturn = rest.endsWith('\r')
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
    const behind = colon === -1 ? '' : line.slice(colon + 1)
    const value = behind.startsWith(' ') ? behind.slice(1) : behind
    switch (field) {
      case '':
        // a colon alone keeps a connection in use, and says nothing
        if (behind !== '') this.#comments.push(value)
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
    this.lastEventId = this.#id
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
