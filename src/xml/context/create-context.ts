/** XML contexts: several codecs whose documents are distinguished by their root elements. */
import * as E from 'fp-ts/lib/Either.js'
import type { Either } from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { interpretedBackEnd } from '../../codec/generated/interpreted/interpreted-back-end.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { parse } from '../reading/parser.ts'
import type { XmlBinding, XmlError } from './xml-binding.ts'
import { bindingOf, rootMessage } from './xml-binding.ts'
import { omitsNone, readWith, writeWith } from './xml-format.ts'
import type { WriteXml, XmlContextBase, XmlOptions } from './xml-options.ts'

/** An XML context without the types of its values. */
export interface UntypedXmlContext extends XmlContextBase {
  readonly read: (text: string) => Either<ReadonlyArray<XmlError>, unknown>
  readonly write: (value: unknown) => string
}

/** The maximum nesting depth of elements. */
const depth = 100

/** Creates a context. Throws a `TypeError` for configuration errors. */
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
      if (writer === undefined) throw new TypeError('value does not match any codec of the context')
      return writer.write(value)
    },
  })
}

/** Creates the writer of a codec. It throws if the codec has restricted members, because a context has no visibility. */
const unrestrictedWriter = (binding: XmlBinding, options: XmlOptions): WriteXml => {
  const { codec } = binding
  if (restrictionsIn(codec).length === 0) return writeWith(binding, [options], omitsNone)
  return () => {
    throw new TypeError(
      `cannot write restricted members of ${codec.name}: write it as a response, or use unrestricted(…)`,
    )
  }
}

const readAny = (
  bindings: ReadonlyArray<XmlBinding>,
  text: string,
): Either<ReadonlyArray<XmlError>, unknown> => {
  const root = parse(text, depth)
  if (E.isLeft(root)) return E.left([{ path: '/', message: root.left }])
  const found = bindings.find((binding) => binding.isRoot(root.right))
  if (found === undefined) {
    const expected = bindings.flatMap((binding) => binding.rootNames())
    return E.left([{ path: `/${root.right.local}`, message: rootMessage(expected) }])
  }
  const { decode } = compileCodec(found.codec, 'drop', interpretedBackEnd)
  return found.readElement(root.right, { rejectsUndeclared: false, decode })
}

const isCodecOf = (binding: XmlBinding, codec: unknown): boolean =>
  binding.codec === codec || binding.subject().codec === codec

const duplicateRoots = (bindings: ReadonlyArray<XmlBinding>): ReadonlyArray<string> => {
  const names = bindings.flatMap((binding) => binding.rootNames())
  const duplicates = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  return [...duplicates].map((name) => `several codecs have the root element ${name}`)
}
