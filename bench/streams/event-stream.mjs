/** Parses the data of event streams in the same way as browsers. */

/**
 * Parses JSON; returns `undefined` for malformed JSON.
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
 * Returns the data of each message as a JSON value. Discards a message without a final empty line.
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
