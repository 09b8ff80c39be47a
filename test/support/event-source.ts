/**
 * An event stream parser without a connection: the state of an `EventSource` as the HTML standard defines it. It shares no code
 * with the event stream writer.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */

export interface DispatchedEvent {
  readonly type: string
  readonly data: string
  readonly lastEventId: string
}

export class EventSource {
  readonly events: DispatchedEvent[] = []
  /** The reconnection time in milliseconds, or `undefined` until the stream sets one. */
  reconnectionTime: number | undefined = undefined
  lastEventId = ''
  #isFirst = true
  #rest = ''
  #data = ''
  #type = ''
  #id = ''

  /** Parses the next chunk of the stream, which may end at any character. */
  take(text: string): this {
    if (text === '') return this
    this.#rest += this.#isFirst && text.startsWith('\ufeff') ? text.slice(1) : text
    this.#isFirst = false
    for (;;) {
      const end = /\r\n|\r(?!$)|\n/.exec(this.#rest)
      if (end === null) return this
      const line = this.#rest.slice(0, end.index)
      this.#rest = this.#rest.slice(end.index + end[0].length)
      this.#line(line)
    }
  }

  /** Whether the parser is between two events, with no unfinished line or field. */
  get isBetweenEvents(): boolean {
    return this.#rest === '' && this.#data === '' && this.#type === ''
  }

  #line(line: string): void {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return
    if (colon < 0) return this.#field(line, '')
    const value = line.slice(colon + 1)
    this.#field(line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value)
  }

  #field(name: string, value: string): void {
    if (name === 'event') this.#type = value
    else if (name === 'data') this.#data += `${value}\n`
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^[0-9]+$/.test(value)) this.reconnectionTime = Number(value)
  }

  #dispatch(): void {
    this.lastEventId = this.#id
    const [data, type] = [this.#data, this.#type]
    this.#data = ''
    this.#type = ''
    if (data === '') return
    this.events.push({
      type: type === '' ? 'message' : type,
      data: data.endsWith('\n') ? data.slice(0, -1) : data,
      lastEventId: this.lastEventId,
    })
  }
}
