/**
 * Provides functions that declare how values are mapped to XML.
 *
 * By default, a member is mapped to an element in the namespace of the enclosing element, with the key as its name. A
 * list is mapped to one such element for each value.
 *
 * @see https://jakarta.ee/specifications/xml-binding/4.0/
 */
import type { CodecFor, CodecOrSchema } from '../../codec/standard-schema/standard-schema.ts'
import { codecFor } from '../../codec/standard-schema/standard-schema.ts'
import { isNcName } from '../xml-names.ts'
import type { DeclaredName } from '../../codec/structure/known-codec.ts'
import { XmlType } from '../../codec/structure/known-codec.ts'

/** Options for element and attribute names. */
export interface NameOptions {
  /**
   * The namespace, or an empty string for no namespace. By default, an element inherits the namespace of the enclosing
   * element, and an attribute has no namespace.
   */
  readonly namespace?: string
  /**
   * The preferred prefix of the namespace. Prefixes are declared on the root element. By default, a prefix is generated
   * if one is needed.
   */
  readonly prefix?: string
}

type Map = <C extends CodecOrSchema>(codec: C) => XmlType<CodecFor<C>>

/**
 * Declares the name of the root element. The default is the name of the codec with a lower-case first letter, such as
 * `book` for `t.type({ … }, 'Book')`. To name a member, use {@link xmlElement}: another name than that of the member is a configuration error.
 *
 * Like the other functions in this module, this function throws a `TypeError` if a name or prefix is invalid.
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
  const declared = declaredName(name, options)
  return (codec) => new XmlType(codecFor(codec), { _tag: 'RootElement', name: declared })
}

/**
 * Declares the element name of a member, or of each value in a list.
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
  const declared = declaredName(name, options)
  return (codec) => new XmlType(codecFor(codec), { _tag: 'Element', name: declared })
}

/**
 * Maps a member to an attribute. By default, the name of the attribute is the key of the member, without a namespace.
 *
 * The member must be a single value, or a list of single values mapped with {@link xmlList}.
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
  const declared = declaredName(name, options)
  return (codec) => new XmlType(codecFor(codec), { _tag: 'Attribute', name: declared })
}

/**
 * Maps a member to the character data of the element that represents the object. All other members must be attributes.
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
export const xmlValue = <C extends CodecOrSchema>(codec: C): XmlType<CodecFor<C>> =>
  new XmlType(codecFor(codec), { _tag: 'Value' })

/**
 * Maps a list, set or tuple to a wrapper element that contains one element for each value.
 *
 * A wrapper element distinguishes an empty collection from a missing one. It can also be the root element of a
 * document.
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
  const [declared, declaredItem] = [declaredName(name, options), declaredName(item, options)]
  return (codec) =>
    new XmlType(codecFor(codec), { _tag: 'ElementWrapper', name: declared, item: declaredItem })
}

/**
 * Maps a list, set or tuple of single values to space-separated text in an element or attribute.
 *
 * Writing throws a `TypeError` if the text of a value is empty or contains whitespace. In a response, this error
 * results in status 500.
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
export const xmlList = <C extends CodecOrSchema>(codec: C): XmlType<CodecFor<C>> =>
  new XmlType(codecFor(codec), { _tag: 'List' })

const declaredName = (
  local: string | undefined,
  { namespace, prefix }: NameOptions,
): DeclaredName => {
  if (local !== undefined && !isNcName(local))
    throw new TypeError(`invalid element or attribute name: ${JSON.stringify(local)}`)
  if (prefix !== undefined && (!isNcName(prefix) || /^xml/i.test(prefix)))
    throw new TypeError(`invalid prefix: ${JSON.stringify(prefix)}`)
  return Object.freeze({
    ...(local === undefined ? {} : { local }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(prefix === undefined ? {} : { prefix }),
  })
}
