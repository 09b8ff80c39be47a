/** The XML representation. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Representation } from './representation.ts'
import { makeRepresentation, toCodec } from './representation.ts'
import { xmlFormat } from '../xml/context/xml-format.ts'
import type { XmlOptions } from '../xml/context/xml-options.ts'

/**
 * Creates a representation of a codec as `application/xml`. Members are elements unless `xmlAttribute` or a similar function
 * declares another mapping.
 *
 * Use `as('text/xml')(…)` or `as('application/atom+xml')(…)` for other media types. The representation can be a request body, a
 * response, a part of a form (`part(xml(Book))`, `multipartOutput`) or the data of events (`sse(xml(Book))`). Views and secured
 * fields apply as in JSON. `withXml()` makes entities available as XML too.
 *
 * Request bodies must be well-formed documents in UTF-8 without a document type declaration. Malformed and invalid documents
 * result in 400, and bodies that exceed `fw.http.limits.max-xml-size` in 413. An empty body is decoded as `undefined`.
 * Undeclared elements and attributes are dropped, or rejected with `fw.rest.jsonlib.fail-on-unknown-properties` and `exact`.
 *
 * Configuration errors are codecs that cannot be represented in XML (FW-XML-001), and two named codecs of objects with the same
 * root element (FW-XML-002), unless `fw.jaxb.exclude-classes` lists one of them.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { body, handle, int, list, path, post, produces, routes } from 'espalier'
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
 * ```
 *
 * @see https://www.rfc-editor.org/rfc/rfc7303
 */
export const xml = <C extends AnyCodec>(
  codec: C,
  options: XmlOptions = {},
): Representation<C['_A'], 'application/xml'> =>
  makeRepresentation('application/xml', xmlFormat(toCodec(codec), options))
