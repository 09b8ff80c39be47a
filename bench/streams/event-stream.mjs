/** Reads an event stream as a browser does, as far as its data goes. */

/**
 * The JSON value of a text; `undefined` when it is none.
 *
 * @type {(text: string) => unknown}
 */
export const jsonOf = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The data of each message, as JSON values. A message that is not ended by an empty line is lost.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 * @type {(text: string) => unknown[]}
 */
export const messages = (text) => {
  const found = []
  /** @type {string[]} */
  let data = []
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === '') {
      if (data.length > 0) found.push(jsonOf(data.join('\n')))
      data = []
    } else if (line === 'data') data.push('')
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
  }
  return found
}
