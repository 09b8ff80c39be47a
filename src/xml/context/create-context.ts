/**
 * Creates XML contexts. A context uses several codecs to read and write XML documents. When a document is read, its
 * root element determines the codec.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Either } from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../../codec/compiled/interpreted-back-end.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { parse } from '../reading/parser.ts'
import type { XmlBinding, XmlError } from './xml-binding.ts'
import { bindingOf, rootMessage } from './xml-binding.ts'
import { omitsNone, readWith, writeWith } from './xml-format.ts'
import type { WriteXml, XmlContextBase, XmlOptions } from './xml-format.ts'

/** An XML context whose values are not statically typed. */
export interface UntypedXmlContext extends XmlContextBase {
  readonly read: (text: string) => Either<ReadonlyArray<XmlError>, unknown>
  readonly write: (value: unknown) => string
}

/** The maximum nesting depth of elements. */
const depth = 100

/** Creates an XML context. Throws a `TypeError` if there are configuration errors. */
export const createContext = (
  codecs: ReadonlyArray<Codec>,
  options: XmlOptions,
): UntypedXmlContext => {
  const bindings = codecs.map(bindingOf)
  const errors = [...bindings.flatMap((binding) => binding.errors()), ...duplicateRoots(bindings)]
  if (errors.length > 0) throw new TypeError(errors.join('\n'))
  const read = readWith({ read: (text) => readAny(bindings, text) }, [options])
  const writers = bindings.map((binding) => ({
    codec: binding.codec,
    write: unrestrictedWriter(binding, options),
  }))
  return Object.freeze({
    options,
    holds: (codec: unknown) => bindings.some((binding) => isCodecOf(binding, codec)),
    read: (text: string) => read(text, { depth, rejectsUndeclared: false, decode: E.right }),
    write: (value: unknown) => {
      const writer = writers.find(({ codec }) => codec.is(value))
      if (writer === undefined)
        throw new TypeError(
          'invalid value: expected a value that a codec of the context can encode',
        )
      return writer.write(value)
    },
  })
}

/**
 * Creates the writer for a codec. If the codec has restricted members, the writer throws an error, because an XML
 * context cannot apply visibility rules.
 */
const unrestrictedWriter = (binding: XmlBinding, options: XmlOptions): WriteXml => {
  const { codec } = binding
  if (restrictionsIn(codec).length === 0) return writeWith(binding, [options], omitsNone)
  return () => {
    throw new TypeError(
      `restricted members of ${codec.name} are not supported in an XML context: return ${codec.name} in a response, or use unrestricted(…)`,
    )
  }
}

const readAny = (
  bindings: ReadonlyArray<XmlBinding>,
  text: string,
): Either<ReadonlyArray<XmlError>, unknown> => {
  const root = parse(text, depth)
  if (E.isLeft(root)) return E.left([{ path: '/', message: root.left }])
  const matching = bindings.find((binding) => binding.isRoot(root.right))
  if (matching === undefined) {
    const expected = bindings.flatMap((binding) => binding.rootNames())
    return E.left([{ path: `/${root.right.local}`, message: rootMessage(expected) }])
  }
  const { decode } = compileCodec(matching.codec, 'drop', interpretedBackEnd)
  return matching.readElement(root.right, { rejectsUndeclared: false, decode })
}

const isCodecOf = (binding: XmlBinding, codec: unknown): boolean =>
  binding.codec === codec || binding.subject().codec === codec

const duplicateRoots = (bindings: ReadonlyArray<XmlBinding>): ReadonlyArray<string> => {
  const names = bindings.flatMap((binding) => binding.rootNames())
  const duplicates = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  return [...duplicates].map((name) => `root element ${name} is used by more than one codec`)
}
