/** Entities as XML. */
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import { xmlFormat } from '../xml/context/xml-format.ts'
import type { XmlOptions } from '../xml/context/xml-options.ts'

/**
 * Has the entities of an operation, a resource or a tree travel as XML too, behind JSON: as `application/xml` and
 * `text/xml`, and where `as` asks for it as `+xml`. Single values and octets stay without it. An entity that has no form in XML is a
 * mistake (FW-XML-001), unless a reader or writer of the application's own takes care of its XML.
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
export const withXml = (options: XmlOptions = {}): AttributeStep => {
  const own = Object.freeze({ ...options })
  return setAttributes({ xml: { options: [], entity: (codec) => xmlFormat(codec, own) } })
}
