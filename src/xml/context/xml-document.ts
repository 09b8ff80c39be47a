/** Documents of a codec: what reads and writes them, worked out when it is first asked for. */
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { containsObjects } from '../../codec/structure/known-codec.ts'
import type { Element } from '../reading/element.ts'
import { pathsTo } from '../reading/element.ts'
import { parse } from '../reading/parser.ts'
import { pointerOf } from '../reading/error-path.ts'
import type { ElementFault, Ignores } from '../reading/read-context.ts'
import type { RootReader } from '../reading/element-reader.ts'
import { reading } from '../reading/element-reader.ts'
import { readShape } from '../mapping/derive-schema.ts'
import type { Shape } from '../mapping/xml-schema.ts'
import { isCollection } from '../mapping/text-codecs.ts'
import { strip } from '../mapping/unwrap-codec.ts'
import type { Layout } from '../writing/element-writer.ts'
import { writing } from '../writing/element-writer.ts'

/** What is wrong at one place of a document. */
export interface XmlError {
  /** An XPath: `/books/book[2]/@isbn`. */
  readonly path: string
  readonly message: string
}

/** How a document is read. */
export interface ReadOptions {
  /** Elements inside each other. */
  readonly depth: number
  /** Whether what is not declared is refused. */
  readonly refuses: boolean
  /** Which members are as if they had not been sent; none where it is left out. It is the same function each time. */
  readonly ignores?: Ignores
  /** What makes the value of what was read. */
  readonly decode: (value: unknown) => t.Validation<unknown>
}

/** How values of a codec are documents. A representation brings it along, so that nobody else has to know of XML. */
export interface XmlDocument {
  readonly codec: Codec
  /** What is wrong with the codec, each as a sentence. */
  readonly mistakes: () => ReadonlyArray<string>
  /** The names that its root element can have. */
  readonly roots: () => ReadonlyArray<string>
  /** Those of them that it claims in a context, because it is of objects; two codecs cannot claim the same. */
  readonly claims: () => ReadonlyArray<string>
  /** The codec without what was said of XML around it, and the names by which it can be excluded. */
  readonly subject: () => { readonly codec: Codec; readonly names: ReadonlyArray<string> }
  /** Whether an element can be the root of its documents. */
  readonly isRoot: (element: Element) => boolean
  readonly readElement: (
    root: Element,
    options: Omit<ReadOptions, 'depth'>,
  ) => E.Either<ReadonlyArray<XmlError>, unknown>
  readonly read: (text: string, options: ReadOptions) => E.Either<ReadonlyArray<XmlError>, unknown>
  /** The root element as text, without a declaration. */
  readonly writer: (layout: Layout) => (value: unknown) => string
}

/** Made once for each codec. */
export const documentOf = (codec: Codec): XmlDocument => {
  const before = documents.get(codec)
  if (before !== undefined) return before
  const document = newDocument(codec)
  documents.set(codec, document)
  return document
}

const documents = new WeakMap<Codec, XmlDocument>()

const nothing: Ignores = () => false

const newDocument = (codec: Codec): XmlDocument => {
  let known: Shape | undefined
  const shape = (): Shape => (known ??= readShape(codec))
  const readers = new WeakMap<Ignores, RootReader>()
  const reader = (ignores = nothing): RootReader => {
    const before = readers.get(ignores)
    if (before !== undefined) return before
    const made = reading(shape(), ignores)
    readers.set(ignores, made)
    return made
  }
  const readElement: XmlDocument['readElement'] = (root, { refuses, ignores, decode }) => {
    const { isRoot, expected, read } = reader(ignores)
    if (!isRoot(root)) return E.left([{ path: `/${root.local}`, message: rootMessage(expected) }])
    const faults: ElementFault[] = []
    const decoded = decode(read(root, { refuses, faults, chosen: new Map() }))
    if (E.isRight(decoded) && faults.length === 0) return decoded
    const errors = E.isLeft(decoded) ? decoded.left : []
    return E.left([...told(root, faults.slice(0, mostSeen)), ...gathered(shape(), errors)])
  }
  return {
    codec,
    mistakes: () => shape().mistakes,
    roots: () => reader().expected,
    claims: () => (strip(codec).codecs.some(isObject) ? reader().expected : []),
    subject: () => {
      const {
        codecs: [only = codec, ...others],
        names,
      } = strip(codec)
      return { codec: others.length === 0 ? only : codec, names }
    },
    isRoot: (element) => reader().isRoot(element),
    readElement,
    read: (text, options) => {
      const root = parse(text, options.depth)
      return E.isLeft(root)
        ? E.left([{ path: '/', message: root.left }])
        : readElement(root.right, options)
    },
    writer: (layout) => {
      let write: ((value: unknown) => string) | undefined
      return (value) => (write ??= writing(shape(), layout))(value)
    },
  }
}

/** What is said of a root element that is none of those expected. */
export const rootMessage = (expected: ReadonlyArray<string>): string =>
  `the root element has to be: ${expected.join(' or ')}`

/** Whether values of a codec are objects, and not collections of them. */
const isObject = (codec: Codec): boolean => !isCollection(codec) && containsObjects(codec)

/** No more are looked at: a document can have any number. */
const mostSeen = 1000

const told = (root: Element, faults: ReadonlyArray<ElementFault>): ReadonlyArray<XmlError> => {
  const paths = pathsTo(root, new Set(faults.map(({ element }) => element)))
  return faults.map(({ element, attribute, detail }) => ({
    path: (paths.get(element) ?? '') + (attribute === undefined ? '' : `/@${attribute.local}`),
    message: detail,
  }))
}

/** What codecs say, by place: their own sentences, or what they expect. */
const gathered = (shape: Shape, errors: t.Errors): ReadonlyArray<XmlError> => {
  const byPath = new Map<string, t.ValidationError[]>()
  for (const error of errors.slice(0, mostSeen)) {
    const path = pointerOf(shape, error.context)
    const before = byPath.get(path)
    if (before === undefined) byPath.set(path, [error])
    else before.push(error)
  }
  return Array.from(byPath, ([path, found]) => ({ path, message: saidOf(found) }))
}

const saidOf = (errors: ReadonlyArray<t.ValidationError>): string => {
  const sentences = errors.flatMap(({ message }) => (message === undefined ? [] : [message]))
  if (sentences.length > 0) return [...new Set(sentences)].join('; ')
  const names = errors.map(({ context }) => context.at(-1)?.type.name ?? '')
  const wanted = [...new Set(names)].filter((name) => name !== 'undefined').join(' or ')
  const isMissing = errors.every(({ value }) => value === undefined)
  return isMissing ? `is required: ${wanted}` : `has to be: ${wanted}`
}
