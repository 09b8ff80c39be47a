/** Contexts: codecs whose documents are read and written together, in a service or without one. */
import * as E from 'fp-ts/lib/Either.js'
import type { Either } from 'fp-ts/lib/Either.js'
import type { AnyCodec } from '../codec/codec.ts'
import { interpretedBackEnd } from '../codec/generated/interpreted/interpreted-back-end.ts'
import { compileCodec } from '../codec/generated/compiled-codec.ts'
import { restrictionsIn } from '../codec/visibility/restrictions.ts'
import type { XmlDocument, XmlError } from '../xml/context/xml-document.ts'
import { documentOf, rootMessage } from '../xml/context/xml-document.ts'
import { parse } from '../xml/reading/parser.ts'
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import { toCodec } from './representation.ts'
import { omitsNothing, reading, writing } from '../xml/context/xml-format.ts'
import type { WriteXml, XmlHolder, XmlOptions } from '../xml/context/xml-options.ts'

/** Documents of several codecs, told apart by their root elements. */
export interface XmlContext<A> extends XmlHolder {
  /** The value of a document, or what is wrong with it. Elements may stand 100 deep inside each other; the size is not bounded. */
  readonly read: (text: string) => Either<ReadonlyArray<XmlError>, A>
  /**
   * Writes a value with the first codec that accepts it. Throws a `TypeError` for a value that no codec accepts, and for a codec
   * with restricted members (`inView`, `secureField`), which only responses can write.
   */
  readonly write: (value: A) => string
}

/** Elements inside each other. */
const depth = 100

/**
 * A context of its own: it reads and writes by itself, and in a service where it is put around a tree with
 * `withXmlContext(…)`. Throws a `TypeError` for a codec that has no form in XML, and for two that claim the same root element.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import * as t from 'io-ts'
 * import { int } from 'espalier'
 * import { xmlContext } from 'espalier/xml'
 *
 * const Book = t.type({ title: t.string, pages: int }, 'Book')
 * const Member = t.type({ name: t.string }, 'Member')
 * const context = xmlContext([Book, Member], { formatted: true })
 *
 * assert.deepEqual(context.read('<member><name>Ann</name></member>'), E.right({ name: 'Ann' }))
 * assert.deepEqual(
 *   context.read('<book><title>Emma</title><pages>many</pages></book>'),
 *   E.left([{ path: '/book/pages', message: 'has to be: int' }]),
 * )
 * assert.equal(
 *   context.write({ name: 'Ann' }),
 *   '<?xml version="1.0" encoding="UTF-8"?>\n<member>\n  <name>Ann</name>\n</member>',
 * )
 * ```
 */
export const xmlContext = <const C extends ReadonlyArray<AnyCodec>>(
  codecs: C,
  options: XmlOptions = {},
): XmlContext<C[number]['_A']> => {
  const documents = codecs.map((codec) => documentOf(toCodec(codec)))
  const wrong = [
    ...documents.flatMap((document) => document.mistakes()),
    ...claimedTwice(documents),
  ]
  if (wrong.length > 0) throw new TypeError(wrong.join('\n'))
  const read = reading({ read: (text) => readAny(documents, text) }, [options])
  const writers = documents.map((document) => ({
    codec: document.codec,
    write: unrestrictedWriter(document, options),
  }))
  return Object.freeze<XmlContext<C[number]['_A']>>({
    options,
    holds: (codec: unknown) => documents.some((document) => isOf(document, codec)),
    read: (text: string) => read(text, { depth, refuses: false, decode: E.right }),
    write: (value: unknown) => {
      const writer = writers.find(({ codec }) => codec.is(value))
      if (writer === undefined) throw new TypeError('a value is of no codec of the context')
      return writer.write(value)
    },
  })
}

/** Writes the documents of a codec that has no restricted members. */
const unrestrictedWriter = (document: XmlDocument, options: XmlOptions): WriteXml => {
  const { codec } = document
  if (restrictionsIn(codec).length === 0) return writing(document, [options], omitsNothing)
  return () => {
    throw new TypeError(
      `cannot write restricted members of ${codec.name}: write it as a response, or use unrestricted(…)`,
    )
  }
}

const readAny = (
  documents: ReadonlyArray<XmlDocument>,
  text: string,
): Either<ReadonlyArray<XmlError>, unknown> => {
  const root = parse(text, depth)
  if (E.isLeft(root)) return E.left([{ path: '/', message: root.left }])
  const found = documents.find((document) => document.isRoot(root.right))
  if (found === undefined) {
    const expected = documents.flatMap((document) => document.roots())
    return E.left([{ path: `/${root.right.local}`, message: rootMessage(expected) }])
  }
  const { decode } = compileCodec(found.codec, 'drop', interpretedBackEnd)
  return found.readElement(root.right, { refuses: false, decode })
}

const isOf = (document: XmlDocument, codec: unknown): boolean =>
  document.codec === codec || document.subject().codec === codec

const claimedTwice = (documents: ReadonlyArray<XmlDocument>): ReadonlyArray<string> => {
  const roots = documents.flatMap((document) => document.roots())
  const twice = new Set(roots.filter((name, index) => roots.indexOf(name) !== index))
  return [...twice].map((name) => `two codecs claim the root element ${name}`)
}

/**
 * Puts a context of the application's own around an operation, a resource or a tree, in place of the one that is made of the
 * codecs found there. A codec of a representation inside that it does not hold is a mistake (FW-XML-003).
 */
export const withXmlContext = (context: XmlHolder): AttributeStep =>
  setAttributes({ xml: { options: [], context } })

/**
 * Customises how XML is read and written on an operation, a resource or a tree.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, path, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 * import { customizeXml, xml } from 'espalier/xml'
 *
 * const Book = t.type({ title: t.string }, 'Book')
 * const book = pipe(
 *   path('/'),
 *   get(),
 *   produces(xml(Book)),
 *   handle(() => ({ title: 'Emma' })),
 * )
 * const styled = customizeXml({
 *   declaration: false,
 *   writer: (write) => (value) => `<?xml-stylesheet href="book.xsl"?>${write(value)}`,
 * })
 * const answer = await inMemory(pipe(routes({ book }), styled))(new Request('http://localhost/'))
 *
 * assert.equal(
 *   await answer.text(),
 *   '<?xml-stylesheet href="book.xsl"?><book><title>Emma</title></book>',
 * )
 * ```
 */
export const customizeXml = (options: XmlOptions): AttributeStep =>
  setAttributes({ xml: { options: [Object.freeze({ ...options })] } })
