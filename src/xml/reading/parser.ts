/**
 * Parses well-formed XML 1.0 documents with namespaces, and rejects all other documents.
 *
 * Document type declarations are rejected. Documents can therefore use only the five predefined entities, and cannot
 * refer to external resources.
 *
 * `fast-xml-parser` is used only for documents of no known shape, and only after this parser has checked them. It accepts
 * documents that are not well-formed, such as documents with two root elements, undeclared prefixes or unknown entities.
 * On Node.js 20, parsing and decoding 20 kB of books takes 0.3 ms with this parser, and 2.1 ms with the package.
 * Differences between two parsers are also a security risk. For example, the package ends a name at U+1680. The tests
 * compare this parser with `saxes`, and with libxml2.
 *
 * @see https://www.w3.org/TR/xml/
 * @see https://www.w3.org/TR/xml-names/
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Attribute, Element, NamespaceScope } from './element.ts'
import { illegalCharacterIndex, qualifiedName } from '../xml-names.ts'
import {
  normalizeAttribute,
  resolveReferences,
  declaredPrefix,
  declarationError,
  documentScope,
  resolveName,
  childScope,
} from './element.ts'

/**
 * Parses a document, whose bytes have been decoded. Its encoding declaration is therefore ignored. Elements can be nested at most `depth` levels deep. Returns the root element, or an error message.
 */
export const parse = (text: string, depth: number): E.Either<string, Element> =>
  new Parser(text, depth).document()

/** An element whose end tag has not been parsed yet. */
interface Open {
  /** The name in the start tag, including the prefix. */
  readonly name: string
  readonly scope: NamespaceScope
  readonly element: Element & { readonly children: Element[]; text: string }
}

const declaration =
  /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/y

const none: ReadonlyArray<never> = []
const nothing: readonly [] = []

/**
 * Parses a document in a single pass. The parser uses a loop, because recursion would exhaust the stack for deeply
 * nested documents.
 */
class Parser {
  readonly #text: string
  readonly #depth: number
  readonly #plain = /[A-Za-z_][\w.-]*/y
  readonly #qualifiedName = qualifiedName()
  #at = 0
  #error: string | undefined = undefined

  constructor(text: string, depth: number) {
    // line breaks are normalized to line feeds (XML, 2.11)
    this.#text = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
    this.#depth = depth
  }

  document(): E.Either<string, Element> {
    const illegal = illegalCharacterIndex(this.#text)
    if (illegal !== -1) this.#fail('invalid character', illegal)
    else this.#declaration()
    this.#misc()
    const root = this.#error === undefined ? this.#root() : undefined
    if (root !== undefined) {
      this.#misc()
      if (this.#at < this.#text.length) this.#fail('unexpected content after the root element')
    }
    return this.#error !== undefined || root === undefined
      ? E.left(this.#error ?? 'malformed XML')
      : E.right(root)
  }

  #fail(detail: string, at = this.#at): undefined {
    if (this.#error !== undefined) return
    const before = this.#text.slice(0, at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    this.#error = `malformed XML at line ${before.length}, column ${column}: ${detail}`
  }

  #declaration(): void {
    if (this.#text.startsWith('\uFEFF')) this.#at = 1
    if (!this.#text.startsWith('<?xml', this.#at)) return
    declaration.lastIndex = this.#at
    // a processing instruction such as <?xml-stylesheet …?> has the same prefix
    if (declaration.test(this.#text)) this.#at = declaration.lastIndex
  }

  /** Skips whitespace, comments and processing instructions outside the root element. */
  #misc(): void {
    while (this.#error === undefined) {
      this.#space()
      if (this.#text.startsWith('<!--', this.#at)) this.#comment()
      else if (this.#text.startsWith('<?', this.#at)) this.#instruction()
      else return
    }
  }

  #root(): Element | undefined {
    if (this.#text.startsWith('<!DOCTYPE', this.#at))
      return this.#fail('unsupported document type declaration')
    if (this.#text[this.#at] !== '<') return this.#fail('missing root element')
    const open: Open[] = []
    const root = this.#start(undefined, open)
    while (open.length > 0 && this.#error === undefined) this.#content(open)
    return this.#error === undefined ? root : undefined
  }

  /** Parses the next part of the content of the innermost open element. */
  #content(open: Open[]): void {
    const innermost = open.at(-1)
    if (innermost === undefined) return
    const text = this.#text
    const next = text.indexOf('<', this.#at)
    if (next === -1) return this.#fail('missing end tag', text.length)
    if (next > this.#at) this.#characters(innermost, next)
    if (this.#error !== undefined) return
    switch (text[next + 1]) {
      case '/':
        return this.#end(innermost, open)
      case '?':
        return this.#instruction()
      case '!':
        if (text.startsWith('<!--', next)) return this.#comment()
        if (text.startsWith('<![CDATA[', next)) return this.#section(innermost)
        return this.#fail('unexpected declaration in an element')
      default:
        this.#start(innermost, open)
    }
  }

  #characters({ element }: Open, end: number): void {
    const raw = this.#text.slice(this.#at, end)
    if (raw.includes(']]>')) return this.#fail('unexpected ]]> outside of a CDATA section')
    const resolved = raw.includes('&') ? resolveReferences(raw) : raw
    if (resolved === undefined) return this.#fail('invalid reference')
    element.text = element.text === '' ? resolved : element.text + resolved
    this.#at = end
  }

  #section({ element }: Open): void {
    const begin = this.#at + '<![CDATA['.length
    const end = this.#text.indexOf(']]>', begin)
    if (end === -1) return this.#fail('unclosed CDATA section')
    element.text += this.#text.slice(begin, end)
    this.#at = end + 3
  }

  #comment(): void {
    const end = this.#text.indexOf('--', this.#at + 4)
    if (end === -1 || this.#text[end + 2] !== '>') return this.#fail('unclosed comment')
    this.#at = end + 3
  }

  #instruction(): void {
    const begin = this.#at
    this.#at += 2
    const target = this.#name()
    const end = this.#text.indexOf('?>', this.#at)
    const isTarget = target !== '' && !target.includes(':') && target.toLowerCase() !== 'xml'
    if (!isTarget || end === -1 || (end > this.#at && !this.#isSpace()))
      return this.#fail('invalid processing instruction', begin)
    this.#at = end + 2
  }

  #end({ name, element }: Open, open: Open[]): void {
    const begin = this.#at
    if (!this.#text.startsWith(name, begin + 2))
      return this.#fail('the end tag does not match the start tag')
    this.#at += 2 + name.length
    this.#space()
    if (this.#text[this.#at] !== '>')
      return this.#fail('the end tag does not match the start tag', begin)
    this.#at++
    open.pop()
    open.at(-1)?.element.children.push(element)
  }

  #start(parent: Open | undefined, open: Open[]): Element | undefined {
    if (open.length >= this.#depth)
      return this.#fail(`elements nested more than ${this.#depth} levels deep`)
    const begin = this.#at
    this.#at++
    const name = this.#name()
    if (name === '') return this.#fail('invalid tag name', begin)
    const rawAttributes: Array<readonly [name: string, value: string]> = []
    let declared: Map<string, string> | undefined
    for (;;) {
      const hasSpace = this.#space()
      const next = this.#text[this.#at]
      if (next === '>' || next === '/' || next === undefined) break
      const [key, value] = hasSpace ? this.#attribute() : nothing
      if (key === undefined || value === undefined) return this.#fail('invalid attribute')
      const prefix = declaredPrefix(key)
      if (prefix === undefined) rawAttributes.push([key, value])
      else {
        declared ??= new Map()
        const error = declared.has(prefix)
          ? 'duplicate namespace declaration'
          : declarationError(prefix, value)
        if (error !== undefined) return this.#fail(error)
        declared.set(prefix, value)
      }
    }
    const scope = childScope(parent?.scope ?? documentScope(), declared)
    const names = resolveName(scope, name, false)
    const attributes = rawAttributes.length === 0 ? none : this.#attributes(rawAttributes, scope)
    if (names === undefined) return this.#fail('undeclared prefix', begin)
    const { namespace, local } = names
    const element = { namespace, local, attributes, children: new Array<Element>(), text: '' }
    if (this.#text.startsWith('/>', this.#at)) {
      this.#at += 2
      parent?.element.children.push(element)
    } else if (this.#text[this.#at] === '>') {
      this.#at++
      open.push({ name, scope, element })
    } else return this.#fail('unclosed tag', begin)
    return element
  }

  #attribute(): readonly [] | readonly [name: string, value: string] {
    const name = this.#name()
    this.#space()
    if (name === '' || this.#text[this.#at] !== '=') return nothing
    this.#at++
    this.#space()
    const quote = this.#text[this.#at]
    if (quote !== '"' && quote !== "'") return nothing
    const end = this.#text.indexOf(quote, this.#at + 1)
    if (end === -1) return nothing
    const raw = this.#text.slice(this.#at + 1, end)
    if (raw.includes('<')) return nothing
    this.#at = end + 1
    const value = normalizeAttribute(raw)
    return value === undefined ? nothing : [name, value]
  }

  #attributes(
    rawAttributes: ReadonlyArray<readonly [string, string]>,
    scope: NamespaceScope,
  ): ReadonlyArray<Attribute> {
    const attributes: Attribute[] = []
    const names = new Set<string>()
    for (const [key, value] of rawAttributes) {
      const name = resolveName(scope, key, true)
      if (name === undefined) {
        this.#fail('undeclared prefix')
        return none
      }
      const { namespace, local } = name
      attributes.push({ namespace, local, value })
      // a space is an unambiguous separator, because names cannot contain spaces
      names.add(namespace === '' ? local : `${namespace} ${local}`)
    }
    if (names.size < rawAttributes.length) this.#fail('duplicate attribute')
    return attributes
  }

  /** Parses a name. If no name follows, returns an empty string and does not advance. */
  #name(): string {
    const begin = this.#at
    const plain = this.#plain
    plain.lastIndex = begin
    // fast path: most names are ASCII and have no prefix
    if (plain.test(this.#text)) {
      const after = this.#text.charCodeAt(plain.lastIndex)
      if (after < 0x80 && after !== 0x3a)
        return this.#text.slice(begin, (this.#at = plain.lastIndex))
    }
    const full = this.#qualifiedName
    full.lastIndex = begin
    return full.test(this.#text) ? this.#text.slice(begin, (this.#at = full.lastIndex)) : ''
  }

  #isSpace(): boolean {
    const character = this.#text.charCodeAt(this.#at)
    return character === 0x20 || character === 0xa || character === 0x9
  }

  #space(): boolean {
    const begin = this.#at
    while (this.#isSpace()) this.#at++
    return this.#at > begin
  }
}
