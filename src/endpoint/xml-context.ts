/** XML contexts, with or without a service. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { AnyCodec } from '../codec/codec.ts'
import { createContext } from '../xml/context/create-context.ts'
import type { XmlError } from '../xml/context/xml-binding.ts'
import type { XmlContextBase, XmlOptions } from '../xml/context/xml-options.ts'
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import { toCodec } from './representation.ts'

/** An XML context: reads and writes the documents of several codecs, which are distinguished by their root elements. */
export interface XmlContext<A> extends XmlContextBase {
  /** Parses and decodes a document. Returns the value, or validation errors. At most 100 nested elements; the size is not limited. */
  readonly read: (text: string) => Either<ReadonlyArray<XmlError>, A>
  /**
   * Writes the document of a value, with the first codec that matches.
   *
   * Throws a `TypeError` if no codec matches, and for a codec with restricted members.
   */
  readonly write: (value: A) => string
}

/**
 * Creates an XML context, to read and write documents without a service, or to use in a service with {@link withXmlContext}.
 *
 * Throws a `TypeError` for a codec that cannot be represented in XML, and for two codecs with the same root element.
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
 *   E.left([{ path: '/book/pages', message: 'must be an integer' }]),
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
): XmlContext<C[number]['_A']> => createContext(codecs.map(toCodec), options)

/**
 * Sets the XML context of an operation, a resource or a tree. Default: a context of all codecs of the tree.
 *
 * A representation with a codec that does not belong to the context is a configuration error (FW-XML-003).
 */
export const withXmlContext = (context: XmlContextBase): AttributeStep =>
  setAttributes({ xml: { options: [], context } })

/**
 * Sets the XML options of an operation, a resource or a tree.
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
