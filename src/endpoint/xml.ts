/** XML as a representation. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Representation } from './representation.ts'
import { makeRepresentation, toCodec } from './representation.ts'
import { xmlFormat } from '../xml/context/xml-format.ts'
import type { XmlOptions } from '../xml/context/xml-options.ts'

/**
 * `application/xml` by a codec: members are elements unless `xmlAttribute` and its like say otherwise. `as('text/xml')(…)` and
 * `as('application/atom+xml')(…)` are the same under other names. It is a body, an answer, a part of a form that comes or goes
 * (`part(xml(Book))`, `multipartOutput`), or the data of events (`sse(xml(Book))`).
 *
 * Views and secured fields hold as they do in JSON. `withXml()` has entities travel so, too.
 *
 * What is read is a well-formed document in UTF-8 without a document type declaration. Anything else is answered with 400, as is
 * what the codec refuses; with 413 what has more octets than `fw.http.limits.max-xml-size`. A request without content is
 * `undefined` to the codec. Elements and attributes that are not declared are dropped, or refused under
 * `fw.rest.jsonlib.fail-on-unknown-properties` and by `exact`.
 *
 * A codec that has no form in XML is a mistake of the tree (FW-XML-001), and so are two named codecs of objects whose documents
 * have the same root element (FW-XML-002), unless `fw.jaxb.exclude-classes` names one of them.
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
