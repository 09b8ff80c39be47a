/** Sends sources as JSON, element by element: each is written by the codec that was compiled for it. */
import type { Codec } from '../../../codec/codec.ts'
import type { Visibility } from '../../../codec/visibility/visibility.ts'
import type { WriteContext } from '../write-context.ts'
import type { BodyOptions } from '../../../body/body-plan.ts'
import type { DeferredResponse } from '../deferred-response.ts'
import { visibleWriter, writerForCaller } from '../visibility.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import { jsonSettings } from '../../json-settings.ts'
import { writeJson } from '../../../body/json/write-json.ts'
import { jsonArray, jsonLines } from '../../../body/stream/framings.ts'
import type { Framing } from '../../../body/stream/framings.ts'
import { isMulti } from '../../../body/stream/open-source.ts'
import { streamResponse } from './stream-response.ts'

/** Prepares streams of a codec: one array, unless that was not meant or a source does not want it, or a value a line. */
export const jsonStreamWriter = (
  { codec, isArray }: { readonly codec: Codec; readonly isArray: boolean },
  settings: Settings,
  said: BodyOptions,
): ((source: unknown, asking: WriteContext) => DeferredResponse) => {
  const write = visibleWriter(codec, said.visibility, (projection) =>
    writing(codec, settings, said, projection),
  )
  const framings = framing(said)
  const always = write._tag === 'Always' ? framings(write.write) : undefined
  return (source, asking) => {
    const { whole, separate } = always ?? framings(writerForCaller(write, asking))
    return streamResponse(
      source,
      isArray && !(isMulti(source) && !source.encodeAsArray) ? whole : separate,
    )
  }
}

type Write = (element: unknown) => string

/** What the engine writes itself is in one line. */
const framing =
  ({ json }: BodyOptions) =>
  (write: Write): { readonly whole: Framing; readonly separate: Framing } => ({
    whole: jsonArray(write),
    separate: jsonLines(json === undefined ? write : inOneLine(write)),
  })

/** In JSON a line ends only between its signs, and what indents the next means nothing either. */
const inOneLine =
  (write: Write): Write =>
  (element) =>
    write(element).replaceAll(/[\r\n]\s*/g, '')

/** What has no JSON text, `undefined`, is `null`, as it is in an array. */
const writing = (
  codec: Codec,
  settings: Settings,
  { json }: BodyOptions,
  projection: Visibility,
): Write => {
  const write = writeJson(codec, jsonSettings(settings), json, projection)
  if (!settings['fw.rest.check-results']) return (element) => write(element) ?? 'null'
  return (element) => {
    if (!codec.is(element)) throw new TypeError(`invalid stream element: expected ${codec.name}`)
    return write(element) ?? 'null'
  }
}
