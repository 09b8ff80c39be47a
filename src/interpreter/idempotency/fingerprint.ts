/**
 * Fingerprints of decoded values. Equal values have equal fingerprints, regardless of the order in which the members of objects, the
 * elements of sets and the entries of maps were added.
 */
import { ByteCollector } from '../../http/byte-collector.ts'
import { isBytes, isDate, isMap, isPlainObject, isSet } from '../../http/platform-value.ts'

/** Returns the SHA-256 digest of a value, as text in base64. Rejects with a `TypeError` if a value in it cannot be compared. */
export const fingerprint = async (value: unknown): Promise<string> => {
  const collector = new ByteCollector()
  let text = ''
  const addText = (): void => {
    collector.add(encoder.encode(text))
    text = ''
  }
  write(value, (part) => {
    if (typeof part === 'string') {
      text += part
    } else {
      addText()
      collector.add(part)
    }
  })
  addText()
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(collector.take()))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
}

const encoder = new TextEncoder()

type Add = (part: string | Uint8Array) => void

/**
 * Writes a value in a canonical form. The form is JSON, with members in the order of their names, and a prefix for values that JSON
 * does not have. Members that are `undefined` are omitted. A value that JSON does have never starts with a letter other than those of
 * `true`, `false` and `null`, so that different values have different forms.
 */
const write = (value: unknown, add: Add): void => {
  switch (typeof value) {
    case 'string':
      return add(JSON.stringify(value))
    case 'number':
      // `NaN` and infinities too
      return add(`${value}`)
    case 'boolean':
      return add(`${value}`)
    case 'bigint':
      return add(`b${value}`)
    case 'undefined':
      return add('undefined')
    case 'object':
      return value === null ? add('null') : writeObject(value, add)
    case 'function':
    case 'symbol':
      throw uncomparable(`a ${typeof value}`)
  }
}

const writeObject = (value: object, add: Add): void => {
  if (Array.isArray(value)) return writeList(value, add)
  if (isPlainObject(value)) return writeMembers(value, add)
  if (isBytes(value)) {
    add(`bytes${value.length}:`)
    return add(value)
  }
  if (isDate(value)) return add(`date${value.getTime()}`)
  if (isSet(value)) return writeSorted('set', [...value].map(textOf), add)
  if (isMap(value))
    return writeSorted(
      'map',
      [...value].map(([key, item]) => `${textOf(key)}:${textOf(item)}`),
      add,
    )
  writeInstance(value, add)
}

/** Writes an instance of a class: its JSON form, such as that of `Temporal` values and `URL`, or its own members. */
const writeInstance = (value: object, add: Add): void => {
  const name = nameOf(value)
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    add(`${name} `)
    return write(value.toJSON(), add)
  }
  const members = Object.entries(value)
  // the state of the value may be private
  if (members.length === 0) throw uncomparable(`an instance of ${name}`)
  add(`${name} `)
  writeMembers(Object.fromEntries(members), add)
}

const nameOf = (value: object): string => {
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  return tag === 'Object' ? value.constructor.name : tag
}

const writeList = (values: ReadonlyArray<unknown>, add: Add): void => {
  add('[')
  for (const value of values) {
    write(value, add)
    add(',')
  }
  add(']')
}

const writeMembers = (value: Readonly<Record<string, unknown>>, add: Add): void => {
  add('{')
  for (const name of Object.keys(value).toSorted()) {
    if (value[name] === undefined) continue
    add(`${JSON.stringify(name)}:`)
    write(value[name], add)
    add(',')
  }
  add('}')
}

const writeSorted = (prefix: string, texts: ReadonlyArray<string>, add: Add): void =>
  add(`${prefix}[${texts.toSorted().join(',')}]`)

/** Returns the canonical form as text, with one character for each byte. */
const textOf = (value: unknown): string => {
  let text = ''
  write(value, (part) => {
    text += typeof part === 'string' ? part : Array.from(part, toCharacter).join('')
  })
  return text
}

const toCharacter = (byte: number): string => String.fromCharCode(byte)

const uncomparable = (kind: string): TypeError =>
  new TypeError(
    `cannot compare ${kind} in the input of an idempotent operation: add a method toJSON, or decode it to a plain object`,
  )
