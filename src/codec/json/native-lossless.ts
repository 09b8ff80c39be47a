/**
 * JSON with every digit by the platform's own reader and writer, where they can: a reader that tells the source of a number, and
 * a writer that takes one (the proposal "JSON.parse source text access": Chromium 114, Firefox 135, Safari 18.4, Node 21).
 */
import { isJsonNumber, ofJson } from './json-number.ts'
import { Lacking } from '../node-modules.ts'

interface Exact {
  readonly rawJSON: (text: string) => object
  readonly parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => unknown
}

const isExact = (json: object): json is Exact => 'rawJSON' in json

/** The reader and writer. Throws where the platform rounds numbers. */
export const exact = (): {
  readonly parse: (text: string) => unknown
  readonly stringify: (value: unknown) => string | undefined
} => {
  const platform: object = JSON
  if (!isExact(platform))
    throw new Lacking('JSON with every digit needs a platform that has JSON.rawJSON')
  return {
    parse: (text) =>
      platform.parse(text, (_, value, { source }) =>
        typeof value === 'number' && source !== undefined ? ofJson(source) : value,
      ),
    // what a value is before `toJSON` stands in what holds it
    stringify: (value) =>
      JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, shown) {
        const held = this[key]
        return isJsonNumber(held) || typeof held === 'bigint'
          ? platform.rawJSON(String(held))
          : shown
      }),
  }
}
