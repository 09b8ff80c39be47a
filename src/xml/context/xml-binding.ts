/** The binding of a codec to XML: reads and writes its documents. */
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { expectedTypes } from '../../codec/expected-types.ts'
import type { Codec } from '../../codec/codec.ts'
import { containsObjects } from '../../codec/structure/known-codec.ts'
import { deriveSchema } from '../mapping/derive-schema.ts'
import { isCollection } from '../mapping/text-codecs.ts'
import { unwrap } from '../mapping/unwrap-codec.ts'
import type { XmlSchema } from '../mapping/xml-schema.ts'
import type { RootReader } from '../reading/element-reader.ts'
import { createReader } from '../reading/element-reader.ts'
import type { Element } from '../reading/element.ts'
import { elementPaths } from '../reading/element.ts'
import { errorPath } from '../reading/error-path.ts'
import { parse } from '../reading/parser.ts'
import type { ElementError, IsIgnored } from '../reading/read-context.ts'
import type { WriteOptions } from '../writing/element-writer.ts'
import { createWriter } from '../writing/element-writer.ts'

/** A validation error of an XML document. */
export interface XmlError {
  /** An XPath, such as `/books/book[2]/@isbn`. */
  readonly path: string
  readonly message: string
}

/** Options to read a document. */
export interface ReadOptions {
  /** The maximum nesting depth of elements. */
  readonly depth: number
  /** Whether undeclared elements and attributes are validation errors. They are dropped otherwise. */
  readonly rejectsUndeclared: boolean
  /** Whether a member is treated as missing. Readers are cached by this function, so pass the same one for each call. */
  readonly isIgnored?: IsIgnored
  /** Decodes the value of the document. */
  readonly decode: (value: unknown) => t.Validation<unknown>
}

/**
 * The binding of a codec to XML.
 *
 * XML representations contain their binding, so that programs without XML do not load this code.
 */
export interface XmlBinding {
  readonly codec: Codec
  /** The configuration errors of the codec. */
  readonly errors: () => ReadonlyArray<string>
  /** The possible names of the root element. */
  readonly rootNames: () => ReadonlyArray<string>
  /** The root names that are unique in an XML context: those of codecs of objects. */
  readonly claimedRootNames: () => ReadonlyArray<string>
  /** The codec inside of mappings to XML, and the names by which `fw.jaxb.exclude-classes` can exclude it. */
  readonly subject: () => { readonly codec: Codec; readonly names: ReadonlyArray<string> }
  /** Whether an element can be the root of a document. */
  readonly isRoot: (element: Element) => boolean
  readonly readElement: (
    root: Element,
    options: Omit<ReadOptions, 'depth'>,
  ) => E.Either<ReadonlyArray<XmlError>, unknown>
  readonly read: (text: string, options: ReadOptions) => E.Either<ReadonlyArray<XmlError>, unknown>
  /** Creates a function that writes the root element, without an XML declaration. */
  readonly writer: (options: WriteOptions) => (value: unknown) => string
}

/** Returns the binding of a codec. Created once for each codec. */
export const bindingOf = (codec: Codec): XmlBinding => {
  const known = bindings.get(codec)
  if (known !== undefined) return known
  const binding = createBinding(codec)
  bindings.set(codec, binding)
  return binding
}

const bindings = new WeakMap<Codec, XmlBinding>()

const ignoresNone: IsIgnored = () => false

const createBinding = (codec: Codec): XmlBinding => {
  let derived: XmlSchema | undefined
  const schema = (): XmlSchema => (derived ??= deriveSchema(codec))
  const readers = new WeakMap<IsIgnored, RootReader>()
  const readerOf = (isIgnored = ignoresNone): RootReader => {
    const known = readers.get(isIgnored)
    if (known !== undefined) return known
    const reader = createReader(schema(), isIgnored)
    readers.set(isIgnored, reader)
    return reader
  }
  const readElement: XmlBinding['readElement'] = (
    root,
    { rejectsUndeclared, isIgnored, decode },
  ) => {
    const { isRoot, expected, read } = readerOf(isIgnored)
    if (!isRoot(root)) return E.left([{ path: `/${root.local}`, message: rootMessage(expected) }])
    const elementErrors: ElementError[] = []
    const decoded = decode(
      read(root, { rejectsUndeclared, errors: elementErrors, choices: new Map() }),
    )
    if (E.isRight(decoded) && elementErrors.length === 0) return decoded
    const codecErrors = E.isLeft(decoded) ? decoded.left : []
    return E.left([
      ...fromElements(root, elementErrors.slice(0, maxErrors)),
      ...fromCodec(schema(), codecErrors),
    ])
  }
  return {
    codec,
    errors: () => schema().errors,
    rootNames: () => readerOf().expected,
    claimedRootNames: () => (unwrap(codec).codecs.some(isObject) ? readerOf().expected : []),
    subject: () => {
      const {
        codecs: [only = codec, ...others],
        names,
      } = unwrap(codec)
      return { codec: others.length === 0 ? only : codec, names }
    },
    isRoot: (element) => readerOf().isRoot(element),
    readElement,
    read: (text, options) => {
      const root = parse(text, options.depth)
      return E.isLeft(root)
        ? E.left([{ path: '/', message: root.left }])
        : readElement(root.right, options)
    },
    writer: (options) => {
      let write: ((value: unknown) => string) | undefined
      return (value) => (write ??= createWriter(schema(), options))(value)
    },
  }
}

/** The message for an unexpected root element. */
export const rootMessage = (expected: ReadonlyArray<string>): string =>
  `the root element must be ${expected.join(' or ')}`

/** Whether the values of a codec are objects, and not collections of objects. */
const isObject = (codec: Codec): boolean => !isCollection(codec) && containsObjects(codec)

/** The maximum number of reported errors of each kind, because a document can have any number. */
const maxErrors = 1000

const fromElements = (
  root: Element,
  errors: ReadonlyArray<ElementError>,
): ReadonlyArray<XmlError> => {
  const paths = elementPaths(root, new Set(errors.map(({ element }) => element)))
  return errors.map(({ element, attribute, detail }) => ({
    path: (paths.get(element) ?? '') + (attribute === undefined ? '' : `/@${attribute.local}`),
    message: detail,
  }))
}

/** Groups the errors of a codec by path: their own messages, or the expected types. */
const fromCodec = (schema: XmlSchema, errors: t.Errors): ReadonlyArray<XmlError> => {
  const byPath = new Map<string, t.ValidationError[]>()
  for (const error of errors.slice(0, maxErrors)) {
    const path = errorPath(schema, error.context)
    const known = byPath.get(path)
    if (known === undefined) byPath.set(path, [error])
    else known.push(error)
  }
  return Array.from(byPath, ([path, found]) => ({ path, message: messageOf(found) }))
}

const messageOf = (errors: ReadonlyArray<t.ValidationError>): string => {
  const messages = errors.flatMap(({ message }) => (message === undefined ? [] : [message]))
  if (messages.length > 0) return [...new Set(messages)].join('; ')
  const names = errors.map(({ context }) => context.at(-1)?.type.name ?? '')
  const isMissing = errors.every(({ value }) => value === undefined)
  return expectedTypes(names, isMissing)
}
