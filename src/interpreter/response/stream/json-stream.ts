/** Writes the elements of a stream as JSON: as one array, or one element per line (JSON Lines). */
import type { Codec } from '../../../codec/codec.ts'
import type { Visibility } from '../../../codec/visibility/visibility.ts'
import type { BodyOptions } from '../../../body/body-plan.ts'
import { writeJson } from '../../../body/json/write-json.ts'
import { jsonArray, jsonLines } from '../../../body/stream/framings.ts'
import type { Framing } from '../../../body/stream/framings.ts'
import { isMulti } from '../../../body/stream/open-source.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { jsonSettings } from '../../json-settings.ts'
import { visibleWriter, writerForCaller } from '../visibility.ts'
import type { DeferredResponse, WriteContext } from '../write-body.ts'
import { streamResponse } from './stream-response.ts'

/**
 * Prepares writing streams of a codec's values.
 *
 * With `isArray`, a stream is an array, unless the handler returned a `multi` that disables it. Otherwise each element is a line.
 */
export const jsonStreamWriter = (
  { codec, isArray }: { readonly codec: Codec; readonly isArray: boolean },
  settings: Settings,
  options: BodyOptions,
): ((source: unknown, context: WriteContext) => DeferredResponse) => {
  const writer = visibleWriter(codec, options.visibility, (visibility) =>
    elementWriter(codec, settings, options, visibility),
  )
  const framingsOf = framings(options)
  const shared = writer._tag === 'Always' ? framingsOf(writer.write) : undefined
  return (source, context) => {
    const { array, lines } = shared ?? framingsOf(writerForCaller(writer, context))
    return streamResponse(
      source,
      isArray && !(isMulti(source) && !source.encodeAsArray) ? array : lines,
    )
  }
}

type Write = (element: unknown) => string

/** Returns both framings. A custom JSON library may write several lines per element, which are then joined. */
const framings =
  ({ json }: BodyOptions) =>
  (write: Write): { readonly array: Framing; readonly lines: Framing } => ({
    array: jsonArray(write),
    lines: jsonLines(json === undefined ? write : onOneLine(write)),
  })

/** Removes line breaks and the following indentation. JSON has line breaks only between tokens, where both are insignificant. */
const onOneLine =
  (write: Write): Write =>
  (element) =>
    write(element).replaceAll(/[\r\n]\s*/g, '')

/** Prepares writing elements. An element without JSON text, such as `undefined`, is written as `null`, as in an array. */
const elementWriter = (
  codec: Codec,
  settings: Settings,
  { json }: BodyOptions,
  visibility: Visibility,
): Write => {
  const write = writeJson(codec, jsonSettings(settings), json, visibility)
  if (!settings['fw.rest.check-results']) return (element) => write(element) ?? 'null'
  return (element) => {
    if (!codec.is(element))
      throw new TypeError(`invalid stream element: each element must be ${codec.name}`)
    return write(element) ?? 'null'
  }
}
