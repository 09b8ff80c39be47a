/** Writes plain objects, in which `fast-xml-parser` represents XML documents of no known shape. */
import * as t from 'io-ts'
import { isJsonNumber } from '../../codec/json-number.ts'
import type { NamespaceScope } from '../reading/element.ts'
import {
  childScope,
  declarationError,
  declaredPrefix,
  documentScope,
  resolveName,
} from '../reading/element.ts'
import { withPointers } from '../writing/illegal-text.ts'
import { escapeAttribute, escapeText } from '../writing/prefixes.ts'
import type { QName } from '../xml-names.ts'
import { expandedName, isNcName } from '../xml-names.ts'
import type { MemberNames } from './untyped-options.ts'
import { forbiddenNames } from './untyped-options.ts'
import { isSet, isObject } from '../../http/platform-value.ts'

/**
 * Creates a function that writes the root element of a document, without an XML declaration. With an indentation, the output begins
 * with a line break.
 *
 * The function returns an empty string for `undefined`. It throws a `TypeError` for a value that has no representation, and for an
 * invalid or undeclared name.
 */
export const untypedWriter = (
  names: MemberNames,
  indentation: string,
): ((document: unknown) => string) =>
  withPointers((document) =>
    document === undefined ? '' : new DocumentWriter(names, indentation).document(document),
  )

type Member = readonly [name: string, value: unknown]

/** Writes one document. */
class DocumentWriter {
  readonly #names: MemberNames
  readonly #indentation: string
  /** The names that have been checked. Most documents have few names. */
  readonly #validNames = new Set<string>()

  constructor(names: MemberNames, indentation: string) {
    this.#names = names
    this.#indentation = indentation
  }

  document(document: unknown): string {
    const members = membersOf(document) ?? []
    const [root, ...others] = members.flatMap(([name, value]) =>
      listOf(value).map((item): Member => [name, item]),
    )
    if (root === undefined || others.length > 0)
      throw new TypeError(
        'invalid XML document: expected an object with one member, the root element',
      )
    const [name, value] = root
    return this.#element(name, value, documentScope(), this.#indentation === '' ? '' : '\n')
  }

  #element(name: string, value: unknown, scope: NamespaceScope, lineStart: string): string {
    const text = textOf(value)
    if (text !== undefined) {
      this.#checkElement(name, scope)
      return text === ''
        ? `${lineStart}<${name}/>`
        : `${lineStart}<${name}>${escapeText(text)}</${name}>`
    }
    const members = membersOf(value)
    if (members === undefined)
      throw new TypeError(
        `invalid XML element ${name}: expected an object, a list, a string, a number or a boolean`,
      )
    const { attributeNamePrefix: prefix, textNodeName } = this.#names
    const attributes: Member[] = []
    let isMixed = false
    for (const [key, member] of members)
      if (key === textNodeName) isMixed = true
      else if (key.startsWith(prefix) && member !== null)
        attributes.push([key.slice(prefix.length), member])
    const inner = attributes.length === 0 ? scope : childScope(scope, declarationsIn(attributes))
    this.#checkElement(name, inner)
    const tag = `${lineStart}<${name}${this.#attributes(attributes, inner)}`
    // line breaks would change the text
    const nextLine = isMixed || lineStart === '' ? '' : lineStart + this.#indentation
    let content = ''
    for (const [key, member] of members)
      if (key === textNodeName) content += escapeText(requireText(key, member))
      else if (!key.startsWith(prefix))
        for (const item of listOf(member)) content += this.#element(key, item, inner, nextLine)
    if (content === '') return `${tag}/>`
    return `${tag}>${content}${nextLine === '' ? '' : lineStart}</${name}>`
  }

  #attributes(attributes: ReadonlyArray<Member>, scope: NamespaceScope): string {
    const names = new Set<string>()
    let text = ''
    for (const [name, value] of attributes) {
      if (declaredPrefix(name) === undefined) {
        this.#checkName(name)
        names.add(expandedName(resolve(scope, name, true)))
      } else names.add(name)
      text += ` ${name}="${escapeAttribute(requireText(name, value))}"`
    }
    if (names.size < attributes.length)
      throw new TypeError(
        'invalid XML attributes: the same attribute occurs with different prefixes',
      )
    return text
  }

  #checkElement(name: string, scope: NamespaceScope): void {
    this.#checkName(name)
    if (forbiddenNames.has(name)) throw new TypeError(`unsupported XML element name ${name}`)
    if (name.includes(':')) resolve(scope, name, false)
  }

  /** Throws a `TypeError` if a name is invalid. */
  #checkName(name: string): void {
    if (this.#validNames.has(name)) return
    const parts = name.split(':')
    if (parts.length > 2 || !parts.every(isNcName))
      throw new TypeError(`invalid XML name ${JSON.stringify(name)}`)
    this.#validNames.add(name)
  }
}

/** Resolves the prefix of a name. Throws a `TypeError` if the prefix is not declared. */
const resolve = (scope: NamespaceScope, name: string, isAttribute: boolean): QName => {
  const resolved = resolveName(scope, name, isAttribute)
  if (resolved === undefined) throw new TypeError(`undeclared prefix in the XML name ${name}`)
  return resolved
}

/** Returns the members of an object that are not `undefined`. Returns `undefined` for lists, bytes, maps and single values. */
const membersOf = (value: unknown): ReadonlyArray<Member> | undefined => {
  const object = toJson(value)
  return !isObject(object) || Symbol.iterator in object
    ? undefined
    : Object.entries(object).filter(([, member]) => member !== undefined)
}

/** Returns the elements that a member represents. Missing elements are omitted, and `null` is an empty element. */
const listOf = (value: unknown): ReadonlyArray<unknown> => {
  const list = toJson(value)
  if (t.UnknownArray.is(list)) return list.filter((item) => item !== undefined)
  return isSet(list) ? [...list] : [list]
}

/** Calls the `toJSON` method of dates and similar objects. Bytes and other iterable objects have no such form in XML. */
const toJson = (value: unknown): unknown =>
  isObject(value) &&
  'toJSON' in value &&
  typeof value.toJSON === 'function' &&
  !(Symbol.iterator in value) &&
  !isJsonNumber(value)
    ? value.toJSON()
    : value

/** Returns the text of a single value, or `undefined` for any other value. The text of `null` is empty. */
const textOf = (value: unknown): string | undefined => {
  const scalar = toJson(value)
  switch (typeof scalar) {
    case 'string':
      return scalar
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(scalar)
    default:
      return scalar === null ? '' : isJsonNumber(scalar) ? scalar.text : undefined
  }
}

const requireText = (name: string, value: unknown): string => {
  const text = textOf(value)
  if (text === undefined)
    throw new TypeError(`invalid XML value of ${name}: expected a string, a number or a boolean`)
  return text
}

/** Returns the namespace declarations among the attributes of an element. */
const declarationsIn = (
  attributes: ReadonlyArray<Member>,
): ReadonlyMap<string, string> | undefined => {
  const declared = new Map<string, string>()
  for (const [name, value] of attributes) {
    const prefix = declaredPrefix(name)
    if (prefix === undefined) continue
    const namespace = requireText(name, value)
    const error =
      prefix === '' || isNcName(prefix) ? declarationError(prefix, namespace) : 'invalid prefix'
    if (error !== undefined) throw new TypeError(`invalid XML attribute ${name}: ${error}`)
    declared.set(prefix, namespace)
  }
  return declared.size === 0 ? undefined : declared
}
