/** Sends sources as JSON, element by element: each is written by the codec that was compiled for it. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonRules } from '../../endpoint/json-rules.ts'
import type { Opening } from '../opening.ts'
import type { Settings } from '../settings.ts'
import { writeJson } from '../write-json.ts'
import { array, lines } from './framings.ts'
import { isMulti } from './source.ts'
import { streamed } from './streamed.ts'

/** Prepares streams of a codec: one array, unless that was not meant or a source does not want it, or a value a line. */
export const jsonStreamed = (
  { codec, isArray }: { readonly codec: Codec; readonly isArray: boolean },
  settings: Settings,
  rules?: JsonRules,
): ((source: unknown) => Opening) => {
  const write = writing(codec, settings, rules)
  const [whole, separate] = [array(write), lines(rules === undefined ? write : inOneLine(write))]
  return (source) =>
    streamed(source, isArray && !(isMulti(source) && !source.encodeAsArray) ? whole : separate)
}

type Write = (element: unknown) => string

/** In JSON a line ends only between its signs, and what indents the next means nothing either. */
const inOneLine =
  (write: Write): Write =>
  (element) =>
    write(element).replaceAll(/[\r\n]\s*/g, '')

/** What has no JSON text, `undefined`, is `null`, as it is in an array. */
const writing = (codec: Codec, settings: Settings, rules?: JsonRules): Write => {
  const write = writeJson(codec, settings, rules)
  if (!settings['fw.rest.check-results']) return (element) => write(element) ?? 'null'
  return (element) => {
    if (!codec.is(element)) throw new TypeError(`what is sent in a stream has to be: ${codec.name}`)
    return write(element) ?? 'null'
  }
}
