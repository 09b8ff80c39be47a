/** What somebody types, as the input of a call, and what comes back, as somebody can read it. */

/** Reads JSON: an object, in which `"1250n"` is a `bigint`. Throws for everything else. */
export const readInput = (text: string): object => {
  const input: unknown = JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  )
  if (typeof input !== 'object' || input === null) throw new TypeError('the input is an object')
  return input
}

/** The body of an answer in pieces: octets and texts as they are, the elements of a stream each in a line, as many as are wanted. */
export async function* shown(body: unknown, most: number): AsyncGenerator<string | Uint8Array> {
  if (body === undefined) return
  if (typeof body === 'string') return yield `${body}\n`
  if (!isStream(body)) return yield pieceOf(body)
  let count = 0
  if (count >= most) return
  for await (const element of body) {
    yield pieceOf(element)
    if (++count >= most) return
  }
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

const pieceOf = (value: unknown): string | Uint8Array =>
  value instanceof Uint8Array || typeof value === 'string'
    ? value
    : `${JSON.stringify(value, readable)}\n`

/** Texts of numbers that JSON has not, and what there is to say of a file without its content. */
const readable = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Blob) return { contentType: value.type, size: value.size }
  return value
}
