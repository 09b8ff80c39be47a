/** Maps codecs to XML. Each binding reads and writes XML documents for one codec. */
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { expectedTypes } from '../../codec/from-string.ts'
import type { Codec } from '../../codec/codec.ts'
import { readSchema } from '../../codec/schema/read-schema.ts'
import type { Schema } from '../../codec/schema/schema.ts'
import { containsObjects } from '../../codec/structure/known-codec.ts'
import { deriveSchema } from '../mapping/derive-schema.ts'
import { isCollection, unwrap } from '../mapping/unwrap-schema.ts'
import type { Unwrapped } from '../mapping/unwrap-schema.ts'
import type { XmlSchema } from '../mapping/xml-schema.ts'
import type { RootReader } from '../reading/element-reader.ts'
import { createReader } from '../reading/element-reader.ts'
import type { Element } from '../reading/element.ts'
import { elementPaths } from '../reading/element.ts'
import { errorXPath } from '../reading/read-context.ts'
import { parse } from '../reading/parser.ts'
import type { XmlElementError, IsIgnored } from '../reading/read-context.ts'
import type { XmlWriteOptions } from '../writing/element-writer.ts'
import { createWriter } from '../writing/element-writer.ts'

/** A validation error in an XML document. */
export interface XmlError {
  /** The XPath of the invalid element or attribute, such as `/books/book[2]/@isbn`. */
  readonly path: string
  readonly message: string
}

/** Options for reading a document. */
export interface XmlReadOptions {
  /** The maximum nesting depth of elements. */
  readonly depth: number
  /** Whether undeclared elements and attributes are validation errors. If `false`, they are dropped. */
  readonly rejectsUndeclared: boolean
  /**
   * Whether a member is treated as missing. Readers are cached by function identity, so pass the same function on every
   * call.
   */
  readonly isIgnored?: IsIgnored
  /** Decodes the value that was read from the document. */
  readonly decode: (value: unknown) => t.Validation<unknown>
}

/**
 * Reads and writes XML documents with a codec.
 *
 * Bindings are accessed only through XML representations and XML contexts. Programs that do not use XML therefore do
 * not load this code.
 */
export interface DocumentBinding {
  readonly codec: Codec
  /** Whether XML contexts apply. A context uses the root element to select a codec. */
  readonly usesContext: boolean
  /** The configuration errors found in the codec. */
  readonly errors: () => ReadonlyArray<string>
  /**
   * The root element names that no other codec in the application is allowed to use. Empty if the codec does not
   * describe an object.
   */
  readonly claimedRootNames: () => ReadonlyArray<string>
  /** The codec without its XML mappings, and the names by which `fw.jaxb.exclude-classes` can exclude it. */
  readonly subject: () => { readonly codec: Codec; readonly names: ReadonlyArray<string> }
  readonly read: (
    text: string,
    options: XmlReadOptions,
  ) => E.Either<ReadonlyArray<XmlError>, unknown>
  /** Creates a function that writes the root element, without an XML declaration. */
  readonly writer: (options: XmlWriteOptions) => (value: unknown) => string
}

/** The binding of a codec that describes the elements of its documents. */
export interface XmlBinding extends DocumentBinding {
  /** The permitted names of the root element. */
  readonly rootNames: () => ReadonlyArray<string>
  /** Whether an element is a valid root element. */
  readonly isRoot: (element: Element) => boolean
  readonly readElement: (
    root: Element,
    options: Omit<XmlReadOptions, 'depth'>,
  ) => E.Either<ReadonlyArray<XmlError>, unknown>
}

/** Returns the binding for a codec. The binding is created on first use and then cached. */
export const bindingOf = (codec: Codec): XmlBinding => {
  const cached = bindings.get(codec)
  if (cached !== undefined) return cached
  const binding = createBinding(codec)
  bindings.set(codec, binding)
  return binding
}

const bindings = new WeakMap<Codec, XmlBinding>()

const ignoresNone: IsIgnored = () => false

const createBinding = (codec: Codec): XmlBinding => {
  let derived: XmlSchema | undefined
  const schema = (): XmlSchema => (derived ??= deriveSchema(readSchema(codec, 'drop')))
  const unwrapped = (): Unwrapped => unwrap(readSchema(codec, 'drop'))
  const readers = new WeakMap<IsIgnored, RootReader>()
  const readerOf = (isIgnored = ignoresNone): RootReader => {
    const cached = readers.get(isIgnored)
    if (cached !== undefined) return cached
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
    const elementErrors: XmlElementError[] = []
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
    usesContext: true,
    errors: () => schema().errors,
    rootNames: () => readerOf().expected,
    claimedRootNames: () => {
      const { core, members } = unwrapped()
      return (core === undefined ? members : [core]).some(isObject) ? readerOf().expected : []
    },
    subject: () => {
      const { core, names } = unwrapped()
      return { codec: core?.reported ?? codec, names }
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

/** Returns the error message for a document with an unexpected root element. */
export const rootMessage = (expected: ReadonlyArray<string>): string =>
  `the root element must be ${expected.join(' or ')}`

/** Whether the values of a schema are objects rather than collections of objects. */
const isObject = (schema: Schema): boolean =>
  !isCollection(schema) && containsObjects(schema.reported)

/**
 * The maximum number of reported errors in elements and attributes. The errors reported by the codec are limited
 * separately, to the same number.
 */
const maxErrors = 1000

const fromElements = (
  root: Element,
  errors: ReadonlyArray<XmlElementError>,
): ReadonlyArray<XmlError> => {
  const paths = elementPaths(root, new Set(errors.map(({ element }) => element)))
  return errors.map(({ element, attribute, detail }) => ({
    path: (paths.get(element) ?? '') + (attribute === undefined ? '' : `/@${attribute.local}`),
    message: detail,
  }))
}

/**
 * Converts the errors reported by the codec to one error for each path. If the codec provides no message, the message
 * lists the expected types.
 */
const fromCodec = (schema: XmlSchema, errors: t.Errors): ReadonlyArray<XmlError> => {
  const byPath = new Map<string, t.ValidationError[]>()
  for (const error of errors.slice(0, maxErrors)) {
    const path = errorXPath(schema, error.context)
    const earlier = byPath.get(path)
    if (earlier === undefined) byPath.set(path, [error])
    else earlier.push(error)
  }
  return Array.from(byPath, ([path, ofPath]) => ({ path, message: messageOf(ofPath) }))
}

const messageOf = (errors: ReadonlyArray<t.ValidationError>): string => {
  const messages = errors.flatMap(({ message }) => (message === undefined ? [] : [message]))
  if (messages.length > 0) return [...new Set(messages)].join('; ')
  const names = errors.map(({ context }) => context.at(-1)?.type.name ?? '')
  const isMissing = errors.every(({ value }) => value === undefined)
  return expectedTypes(names, isMissing)
}
