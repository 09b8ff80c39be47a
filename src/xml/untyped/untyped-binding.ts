/** Maps documents of no known shape to plain objects, for the codecs `t.unknown` and `t.UnknownRecord`. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { expectedTypes } from '../../codec/from-string.ts'
import { isKnown } from '../../codec/structure/known-codec.ts'
import type { DocumentBinding } from '../context/xml-binding.ts'
import type { UntypedXmlOptions } from './untyped-options.ts'
import { memberNames } from './untyped-options.ts'
import { untypedReader } from './untyped-reader.ts'
import { untypedWriter } from './untyped-writer.ts'

/** Tags of `t.unknown` and `t.UnknownRecord`. */
const untyped: ReadonlySet<string> = new Set(['UnknownType', 'AnyDictionaryType'])

/**
 * Whether a codec describes documents of no known shape. This is the case for `t.unknown`, `t.UnknownRecord` and their refinements.
 *
 * Other wrappers are not considered, because recursive codecs must not be evaluated when a representation is declared.
 */
export const isUntyped = (codec: Codec): boolean =>
  untyped.has(codec._tag ?? '') ||
  (isKnown(codec) && codec._tag === 'RefinementType' && isUntyped(codec.type))

/** Creates the binding for documents of no known shape. Throws a `TypeError` if the options are invalid. */
export const untypedBinding = (codec: Codec, options: UntypedXmlOptions): DocumentBinding => {
  const names = memberNames(options)
  const read = untypedReader(options)
  return {
    codec,
    usesContext: false,
    errors: () => [],
    claimedRootNames: () => [],
    subject: () => ({ codec, names: [] }),
    read: (text, { depth, decode }) => {
      const document = read(text, depth)
      if (E.isLeft(document)) return document
      return E.mapLeft(() => [{ path: '/', message: expectedTypes([codec.name]) }])(
        decode(document.right),
      )
    },
    writer: ({ indentation }) => untypedWriter(names, indentation),
  }
}
