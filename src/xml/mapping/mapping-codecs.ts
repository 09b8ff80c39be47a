/**
 * How values stand in XML, said around codecs. Where nothing is said, a member is an element with the name of its key, in the
 * namespace of the element around it, and a list is that element again for each of its values.
 *
 * @see https://jakarta.ee/specifications/xml-binding/4.0/
 */
import type * as t from 'io-ts'
import { isNcName } from '../xml-names.ts'
import type { DeclaredName } from '../../codec/structure/xml-type.ts'
import { XmlType } from '../../codec/structure/xml-type.ts'

/** Where a name belongs. */
export interface NameOptions {
  /** The namespace; an empty text for none. */
  readonly namespace?: string
  /** What is wanted as its prefix. It is declared at the root; without one, a prefix is made up where one is needed. */
  readonly prefix?: string
}

type Map = <C extends t.Mixed>(codec: C) => XmlType<C>

/**
 * The name of the root element of a document. Without it, it is the name of the codec with a small first letter: `book`
 * for `t.type({ … }, 'Book')`. Throws a `TypeError` for a text that is no name, as all of these do.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as t from 'io-ts'
 * import { xmlContext, xmlRootElement } from 'espalier/xml'
 *
 * const Feed = xmlRootElement('feed', { namespace: 'http://www.w3.org/2005/Atom' })(
 *   t.type({ title: t.string }),
 * )
 *
 * assert.equal(
 *   xmlContext([Feed], { declaration: false }).write({ title: 'New books' }),
 *   '<feed xmlns="http://www.w3.org/2005/Atom"><title>New books</title></feed>',
 * )
 * ```
 */
export const xmlRootElement = (name: string, options: NameOptions = {}): Map => {
  const wanted = named(name, options)
  return (codec) => new XmlType(codec, { _tag: 'RootElement', name: wanted })
}

/**
 * The name of the element of a member, or of each value of a list.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as t from 'io-ts'
 * import { list } from 'espalier'
 * import { xmlContext, xmlElement } from 'espalier/xml'
 *
 * const Book = t.type({ authors: list(xmlElement('author')(t.string)) }, 'Book')
 *
 * assert.equal(
 *   xmlContext([Book], { declaration: false }).write({ authors: ['Ann', 'Bob'] }),
 *   '<book><author>Ann</author><author>Bob</author></book>',
 * )
 * ```
 */
export const xmlElement = (name: string, options: NameOptions = {}): Map => {
  const wanted = named(name, options)
  return (codec) => new XmlType(codec, { _tag: 'Element', name: wanted })
}

/**
 * A member as an attribute, by the name of its key or another one. It is in no namespace unless one is said. Only single
 * values, and lists of them as one text (`xmlList`), can be attributes.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as t from 'io-ts'
 * import { int, optional } from 'espalier'
 * import { xmlAttribute, xmlContext } from 'espalier/xml'
 *
 * const Book = t.type({ isbn: xmlAttribute()(t.string), pages: optional(xmlAttribute('n')(int)) }, 'Book')
 * const context = xmlContext([Book], { declaration: false })
 *
 * assert.equal(context.write({ isbn: '1', pages: 474 }), '<book isbn="1" n="474"/>')
 * assert.equal(context.write({ isbn: '1', pages: undefined }), '<book isbn="1"/>')
 * ```
 */
export const xmlAttribute = (name?: string, options: NameOptions = {}): Map => {
  const wanted = named(name, options)
  return (codec) => new XmlType(codec, { _tag: 'Attribute', name: wanted })
}

/**
 * A member as the character data of the element; all others have to be attributes.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as t from 'io-ts'
 * import { xmlAttribute, xmlContext, xmlValue } from 'espalier/xml'
 *
 * const Price = t.type({ currency: xmlAttribute()(t.string), amount: xmlValue(t.number) }, 'Price')
 *
 * assert.equal(
 *   xmlContext([Price], { declaration: false }).write({ currency: 'EUR', amount: 9.5 }),
 *   '<price currency="EUR">9.5</price>',
 * )
 * ```
 */
export const xmlValue = <C extends t.Mixed>(codec: C): XmlType<C> =>
  new XmlType(codec, { _tag: 'Value' })

/**
 * A list, set or tuple as an element of its own, with an element of another name for each value. That it is empty can be
 * told from that it is missing, and it can be the root of a document.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as t from 'io-ts'
 * import { list } from 'espalier'
 * import { xmlContext, xmlElementWrapper } from 'espalier/xml'
 *
 * const Books = xmlElementWrapper('books', 'book')(list(t.type({ title: t.string })))
 *
 * assert.equal(
 *   xmlContext([Books], { declaration: false }).write([{ title: 'Emma' }]),
 *   '<books><book><title>Emma</title></book></books>',
 * )
 * ```
 */
export const xmlElementWrapper = (name: string, item: string, options: NameOptions = {}): Map => {
  const [wanted, wantedItem] = [named(name, options), named(item, options)]
  return (codec) => new XmlType(codec, { _tag: 'ElementWrapper', name: wanted, item: wantedItem })
}

/**
 * A list, set or tuple of single values as one text, separated by spaces: in an element, or in an attribute. A value whose
 * text is empty or has white space in it cannot be written (the request is answered with 500).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import * as t from 'io-ts'
 * import { int, list } from 'espalier'
 * import { xmlAttribute, xmlContext, xmlList } from 'espalier/xml'
 *
 * const Row = t.type({ at: xmlAttribute()(xmlList(list(int))) }, 'Row')
 * const context = xmlContext([Row], { declaration: false })
 *
 * assert.equal(context.write({ at: [1, 2, 3] }), '<row at="1 2 3"/>')
 * assert.deepEqual(context.read('<row at=" 1 2 "/>'), E.right({ at: [1, 2] }))
 * ```
 */
export const xmlList = <C extends t.Mixed>(codec: C): XmlType<C> =>
  new XmlType(codec, { _tag: 'List' })

const named = (local: string | undefined, { namespace, prefix }: NameOptions): DeclaredName => {
  if (local !== undefined && !isNcName(local))
    throw new TypeError(`${JSON.stringify(local)} is not the name of an element or attribute`)
  if (prefix !== undefined && (!isNcName(prefix) || /^xml/i.test(prefix)))
    throw new TypeError(`${JSON.stringify(prefix)} cannot be a prefix`)
  return Object.freeze({
    ...(local === undefined ? {} : { local }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(prefix === undefined ? {} : { prefix }),
  })
}
