/** Sends sources as JSON, element by element: each is written by the codec that was compiled for it. */
import type { Codec } from '../../codec/codec.ts'
import { compiled } from '../../codec/compiled/compiled.ts'
import type { Projection } from '../../codec/projection.ts'
import type { Asking } from '../asking.ts'
import { backEnd } from '../back-end.ts'
import type { Opening } from '../pieces.ts'
import type { Projecting } from '../projecting.ts'
import { projected, writeFor } from '../projecting.ts'
import type { Settings } from '../settings.ts'
import { array, lines } from './framings.ts'
import type { Framing } from './gathered.ts'
import { isMulti } from './source.ts'
import { streamed } from './streamed.ts'

/** Prepares streams of a codec: one array, unless that was not meant or a source does not want it, or a value a line. */
export const jsonStreamed = (
  { codec, isArray }: { readonly codec: Codec; readonly isArray: boolean },
  settings: Settings,
  projecting: Projecting | undefined,
): ((source: unknown, asking: Asking) => Opening) => {
  const write = projected(codec, projecting, (projection) => writing(codec, settings, projection))
  const always = write._tag === 'Always' ? framings(write.write) : undefined
  return (source, asking) => {
    const { whole, separate } = always ?? framings(writeFor(write, asking))
    return streamed(
      source,
      isArray && !(isMulti(source) && !source.encodeAsArray) ? whole : separate,
    )
  }
}

const framings = (
  write: (element: unknown) => string,
): { readonly whole: Framing; readonly separate: Framing } => ({
  whole: array(write),
  separate: lines(write),
})

/** What has no JSON text, `undefined`, is `null`, as it is in an array. */
const writing = (
  codec: Codec,
  settings: Settings,
  projection: Projection,
): ((element: unknown) => string) => {
  const { write } = compiled(codec, 'drop', backEnd(settings), projection)
  if (!settings['fw.rest.check-results']) return (element) => write(element) ?? 'null'
  return (element) => {
    if (!codec.is(element)) throw new TypeError(`what is sent in a stream has to be: ${codec.name}`)
    return write(element) ?? 'null'
  }
}
