/** XML representations, XML contexts, and combinators that set XML options for operations and trees. */
import type { AnySchema } from '../codec/standard-schema/schema-types.ts'
import type * as t from 'io-ts'
import type {
  AnyCodec,
  RejectedRepresentation,
  RejectedForCodec,
  VerifiedCodec,
} from '../codec/codec.ts'
import type { PlainCodec } from '../codec/sent-value.ts'
import type { CodecRepresentation, Representation } from './representation.ts'
import { makeFromCodec, toCodec } from './representation.ts'
import { documentFormat, xmlFormat } from '../xml/context/xml-format.ts'
import { isUntyped, untypedBinding } from '../xml/untyped/untyped-binding.ts'
import type { UntypedXmlOptions } from '../xml/untyped/untyped-options.ts'
import type { XmlOptions, XmlContextBase } from '../xml/context/xml-format.ts'
import type { Either } from 'fp-ts/lib/Either.js'
import { createContext } from '../xml/context/create-context.ts'
import type { XmlError } from '../xml/context/xml-binding.ts'
import type { AttributeStep } from './tree/tree-scope.ts'
import { setAttributes } from './tree/tree-scope.ts'
import { combinatorFactory } from './internal/combinator.ts'

/**
 * Creates an `application/xml` representation that encodes the values of a codec. Members become elements, unless
 * `xmlAttribute` or a similar function declares another mapping.
 *
 * For other media types, use `as('text/xml')(…)` or `as('application/atom+xml')(…)`. The representation can be used
 * for a request body, a response, a form part (`part(xml(Book))`, `multipartOutput`) or event data
 * (`sse(xml(Book))`). Views and secured fields apply as in JSON. To make entities available as XML too, use
 * `withXml()`.
 *
 * Request bodies must be well-formed documents in UTF-8 without a document type declaration. Malformed and invalid
 * documents result in a 400 response, and bodies that exceed `fw.http.limits.max-xml-size` result in a 413 response. An empty body is
 * decoded as `undefined`. Undeclared elements and attributes are ignored. To reject them, use the setting
 * `fw.rest.jsonlib.fail-on-unknown-properties` or the codec `strict`.
 *
 * `xml(t.unknown)` and `xml(t.UnknownRecord)` read and write documents of no known shape as plain objects with the conventions of
 * `fast-xml-parser`. An element with attributes or child elements becomes an object, other elements become a single value, and
 * repeated elements become an array. The members of attributes begin with `@_`, and the text of an element with attributes is the
 * member `#text`. {@link UntypedXmlOptions} change these conventions. The package is loaded when the first document is read.
 *
 * A codec that cannot be represented in XML is a configuration error (`FW-XML-001`). Two named object codecs with the
 * same root element are also a configuration error (`FW-XML-002`), unless `fw.jaxb.exclude-classes` lists one of
 * them.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { body, handle, int, json, list, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 * import { xml, xmlAttribute, xmlElement } from 'espalier/xml'
 *
 * const Book = t.type(
 *   { isbn: xmlAttribute()(t.string), title: t.string, pages: int, by: list(xmlElement('author')(t.string)) },
 *   'Book',
 * )
 * const echo = pipe(
 *   path('/'),
 *   post(),
 *   body(xml(Book)),
 *   produces(xml(Book)),
 *   handle((input) => input.body),
 * )
 * const call = inMemory(routes({ echo }))
 * const send = (sent: string) =>
 *   call(new Request('http://localhost/', { method: 'POST', body: Buffer.from(sent) }))
 * const book =
 *   '<book isbn="1"><title>Pride &amp; Prejudice</title><pages>432</pages><author>Jane Austen</author></book>'
 *
 * assert.equal(await (await send(book)).text(), `<?xml version="1.0" encoding="UTF-8"?>${book}`)
 * assert.equal((await send('<book isbn="1"><title>Emma')).status, 400)
 *
 * const shape = pipe(
 *   path('/shape'),
 *   post(),
 *   body(xml(t.unknown)),
 *   produces(json(t.unknown)),
 *   handle((input) => input.body),
 * )
 * const sent = { method: 'POST', body: Buffer.from(book) }
 * const response = await inMemory(routes({ shape }))('http://localhost/shape', sent)
 *
 * assert.deepEqual(await response.json(), {
 *   book: { '@_isbn': '1', title: 'Pride & Prejudice', pages: 432, author: 'Jane Austen' },
 * })
 * ```
 *
 * @see https://www.rfc-editor.org/rfc/rfc7303
 */
export const xml: CreateXml = (
  declared: AnyCodec | AnySchema | RejectedForCodec,
  options: UntypedXmlOptions = {},
) => {
  const codec = toCodec(declared)
  return makeFromCodec(
    'application/xml',
    isUntyped(codec)
      ? documentFormat(untypedBinding(codec, options), options)
      : xmlFormat(codec, options),
  )
}

/** An alternative to a codec that no value has. TypeScript selects it for a schema, so that the error message ends in `Remedy`. */
export interface UnnamedSchema<Remedy extends string> {
  readonly '~standard': AnySchema['~standard'] & Remedy
}

/** The type of {@link xml}. Documents of no known shape have further options. */
export interface CreateXml {
  <C extends t.UnknownC | t.UnknownRecordC>(
    codec: C,
    options?: UntypedXmlOptions,
  ): Representation<C['_A'], 'application/xml'>
  <C extends PlainCodec>(codec: C, options?: XmlOptions): Representation<C['_A'], 'application/xml'>
  <C extends AnyCodec>(codec: C, options?: XmlOptions): CodecRepresentation<C, 'application/xml'>
  (
    codec:
      | RejectedRepresentation<'use the codec without json(…)'>
      | VerifiedCodec<'use a codec, such as t.type({ … }) or list(codec)'>
      | UnnamedSchema<'use a codec with a name, as in xmlRootElement(name)(schema)'>,
    options?: XmlOptions,
  ): Representation<never, 'application/xml'>
}

/**
 * An XML context, which reads and writes documents for several codecs. The root element of a document determines the
 * codec.
 */
export interface XmlContext<A> extends XmlContextBase {
  /**
   * Parses and decodes a document. Returns the value, or a `Left` with validation errors. Elements can be nested at
   * most 100 levels deep. The size of the document is not limited.
   */
  readonly read: (text: string) => Either<ReadonlyArray<XmlError>, A>
  /**
   * Encodes a value as a document, using the first codec that matches the value.
   *
   * Throws a `TypeError` if no codec matches, or if the codec has restricted members.
   */
  readonly write: (value: A) => string
}

/**
 * Creates an XML context. Use the context to read and write documents outside a service, or pass it to
 * {@link withXmlContext} to use it in a service.
 *
 * Throws a `TypeError` if a codec cannot be represented in XML, or if two codecs have the same root element.
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
 * Sets the XML context for an operation, a resource or a tree. Default: a context that contains all codecs in the
 * tree.
 *
 * It is a configuration error (`FW-XML-003`) if a representation uses a codec that is missing from the context.
 */
export const withXmlContext: (context: XmlContextBase) => AttributeStep = combinatorFactory(
  'withXmlContext',
  (context: XmlContextBase) => setAttributes({ xml: { options: [], context } }),
)

/**
 * Sets XML options for an operation, a resource or a tree.
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
export const customizeXml: (options: XmlOptions) => AttributeStep = combinatorFactory(
  'customizeXml',
  (options: XmlOptions) => setAttributes({ xml: { options: [Object.freeze({ ...options })] } }),
)

/**
 * Makes the entities in an operation, a resource or a tree available as XML, with a lower priority than JSON.
 *
 * The media types are `application/xml` and `text/xml`. If `as` declares a media type with the `+xml` suffix, that
 * type is available too. `withXml` does not apply to single values and bytes. An entity that cannot be represented in
 * XML is a configuration error (`FW-XML-001`), unless a custom reader or writer handles it as XML.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { entity, get, handle, path, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 * import { withXml } from 'espalier/xml'
 *
 * const Book = t.type({ title: t.string }, 'Book')
 * const book = pipe(
 *   path('/'),
 *   get(),
 *   produces(entity(Book)),
 *   handle(() => ({ title: 'Emma' })),
 * )
 * const call = inMemory(pipe(routes({ book }), withXml({ declaration: false })))
 * const sent = async (accept: string) =>
 *   (await call(new Request('http://localhost/', { headers: { Accept: accept } }))).text()
 *
 * assert.equal(await sent('application/json'), '{"title":"Emma"}')
 * assert.equal(await sent('application/xml'), '<book><title>Emma</title></book>')
 * ```
 */
export const withXml: (options?: XmlOptions) => AttributeStep = combinatorFactory(
  'withXml',
  (options: XmlOptions = {}) => {
    const frozenOptions = Object.freeze({ ...options })
    return setAttributes({
      xml: { options: [], entity: (codec) => xmlFormat(codec, frozenOptions) },
    })
  },
)
