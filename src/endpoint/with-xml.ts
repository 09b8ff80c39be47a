/** XML for entities. */
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import { xmlFormat } from '../xml/context/xml-format.ts'
import type { XmlOptions } from '../xml/context/xml-options.ts'

/**
 * Makes the entities of an operation, a resource or a tree available as XML, with a lower priority than JSON.
 *
 * The media types are `application/xml` and `text/xml`, and those ending in `+xml` if `as` declares one. Does not apply to
 * single values and bytes. An entity that cannot be represented in XML is a configuration error (FW-XML-001), unless a custom
 * reader or writer supports its XML.
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
