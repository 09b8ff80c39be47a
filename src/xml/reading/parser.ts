/**
 * Reads XML 1.0 documents with namespaces: well-formed ones, and no others. There is no document type declaration, so no entity
 * but the five is known and nothing outside the text is ever looked at.
 *
 * Why not a package: what `fast-xml-parser` takes and refuses is another language (two roots, undeclared prefixes and
 * unknown entities pass), so everything had to be checked before it saw a text. That check meets every token, and a tree of
 * elements is all that it lacks. Of 20 kB of books, checked and decoded on Node 20, this reader makes values in 0.3 ms, these
 * checks with the package behind them in 2.9, and the package alone in 2.1. And where two readers differ somebody finds a way in:
 * a name with U+1680 ends there to the package. It is the second reader of the tests.
 *
 * @see https://www.w3.org/TR/xml/
 * @see https://www.w3.org/TR/xml-names/
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Attribute, Element } from './element.ts'
import { illegalAt, qualified } from '../xml-names.ts'
import { attributeValue, dereferenced } from './references.ts'
import type { Scope } from './namespace-scope.ts'
import { declaredBy, objection, outermost, resolved, within } from './namespace-scope.ts'

/** The root element of a document whose elements stand at most so deep inside each other, or in words why there is none. */
export const parse = (text: string, depth: number): E.Either<string, Element> =>
  new Parser(text, depth).document()

/** An element that is not closed yet. */
interface Open {
  /** As it is written. */
  readonly name: string
  readonly scope: Scope
  readonly element: Element & { readonly children: Element[]; text: string }
}

const declaration =
  /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/y

const utf8 = /^(?:utf-8|us-ascii)$/i
const none: ReadonlyArray<never> = []
const nothing: readonly [] = []

/** One pass over the text, in a loop: a document that is nested too deep costs no stack. */
class Parser {
  readonly #text: string
  readonly #depth: number
  readonly #plain = /[A-Za-z_][\w.-]*/y
  readonly #qualified = qualified()
  #at = 0
  #unread: string | undefined = undefined

  constructor(text: string, depth: number) {
    // XML, 2.11: line ends are one character, whatever they were
    this.#text = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
    this.#depth = depth
  }

  document(): E.Either<string, Element> {
    const illegal = illegalAt(this.#text)
    if (illegal !== -1) this.#fail('a character cannot stand in XML', illegal)
    else this.#declaration()
    this.#misc()
    const root = this.#unread === undefined ? this.#root() : undefined
    if (root !== undefined) {
      this.#misc()
      if (this.#at < this.#text.length) this.#fail('something stands behind the root element')
    }
    return this.#unread !== undefined || root === undefined
      ? E.left(this.#unread ?? 'it is not XML')
      : E.right(root)
  }

  #fail(detail: string, at = this.#at): undefined {
    if (this.#unread !== undefined) return
    const before = this.#text.slice(0, at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    this.#unread = `it is not XML from line ${before.length}, column ${column}: ${detail}`
  }

  #declaration(): void {
    if (this.#text.startsWith('\uFEFF')) this.#at = 1
    if (!this.#text.startsWith('<?xml', this.#at)) return
    declaration.lastIndex = this.#at
    const found = declaration.exec(this.#text)
    // an instruction may begin alike: <?xml-stylesheet …?>
    if (found === null) return
    const encoding = found[1] ?? found[2] ?? 'UTF-8'
    if (!utf8.test(encoding)) this.#fail('its encoding has to be UTF-8')
    this.#at = declaration.lastIndex
  }

  /** White space, comments and instructions outside the root. */
  #misc(): void {
    while (this.#unread === undefined) {
      this.#space()
      if (this.#text.startsWith('<!--', this.#at)) this.#comment()
      else if (this.#text.startsWith('<?', this.#at)) this.#instruction()
      else return
    }
  }

  #root(): Element | undefined {
    if (this.#text.startsWith('<!DOCTYPE', this.#at))
      return this.#fail('a document type declaration is not read')
    if (this.#text[this.#at] !== '<') return this.#fail('there is no root element')
    const open: Open[] = []
    const root = this.#start(undefined, open)
    while (open.length > 0 && this.#unread === undefined) this.#content(open)
    return this.#unread === undefined ? root : undefined
  }

  /** The next piece of what stands in the innermost element. */
  #content(open: Open[]): void {
    const inside = open.at(-1)
    if (inside === undefined) return
    const text = this.#text
    const next = text.indexOf('<', this.#at)
    if (next === -1) return this.#fail('an element is not closed', text.length)
    if (next > this.#at) this.#characters(inside, next)
    if (this.#unread !== undefined) return
    switch (text[next + 1]) {
      case '/':
        return this.#end(inside, open)
      case '?':
        return this.#instruction()
      case '!':
        if (text.startsWith('<!--', next)) return this.#comment()
        if (text.startsWith('<![CDATA[', next)) return this.#section(inside)
        return this.#fail('a declaration stands inside an element')
      default:
        this.#start(inside, open)
    }
  }

  #characters({ element }: Open, end: number): void {
    const written = this.#text.slice(this.#at, end)
    if (written.includes(']]>')) return this.#fail(']]> stands outside a CDATA section')
    const read = written.includes('&') ? dereferenced(written) : written
    if (read === undefined) return this.#fail('a reference stands for nothing')
    element.text = element.text === '' ? read : element.text + read
    this.#at = end
  }

  #section({ element }: Open): void {
    const begin = this.#at + '<![CDATA['.length
    const end = this.#text.indexOf(']]>', begin)
    if (end === -1) return this.#fail('a CDATA section is not closed')
    element.text += this.#text.slice(begin, end)
    this.#at = end + 3
  }

  #comment(): void {
    const end = this.#text.indexOf('--', this.#at + 4)
    if (end === -1 || this.#text[end + 2] !== '>') return this.#fail('a comment is not closed')
    this.#at = end + 3
  }

  #instruction(): void {
    const begin = this.#at
    this.#at += 2
    const target = this.#name()
    const end = this.#text.indexOf('?>', this.#at)
    const isTarget = target !== '' && !target.includes(':') && target.toLowerCase() !== 'xml'
    if (!isTarget || end === -1 || (end > this.#at && !this.#isSpace()))
      return this.#fail('a processing instruction cannot be read', begin)
    this.#at = end + 2
  }

  #end({ name, element }: Open, open: Open[]): void {
    const begin = this.#at
    if (!this.#text.startsWith(name, begin + 2))
      return this.#fail('an end tag does not belong to the last start tag')
    this.#at += 2 + name.length
    this.#space()
    if (this.#text[this.#at] !== '>')
      return this.#fail('an end tag does not belong to the last start tag', begin)
    this.#at++
    open.pop()
    open.at(-1)?.element.children.push(element)
  }

  #start(inside: Open | undefined, open: Open[]): Element | undefined {
    if (open.length >= this.#depth)
      return this.#fail(`elements are nested more than ${this.#depth} deep`)
    const begin = this.#at
    this.#at++
    const name = this.#name()
    if (name === '') return this.#fail('a tag has no name', begin)
    const written: Array<readonly [name: string, value: string]> = []
    let declared: Map<string, string> | undefined
    for (;;) {
      const spaced = this.#space()
      const next = this.#text[this.#at]
      if (next === '>' || next === '/' || next === undefined) break
      const [key, value] = spaced ? this.#attribute() : nothing
      if (key === undefined || value === undefined) return this.#fail('an attribute cannot be read')
      const prefix = declaredBy(key)
      if (prefix === undefined) written.push([key, value])
      else {
        declared ??= new Map()
        const wrong = declared.has(prefix) ? 'a prefix is declared twice' : objection(prefix, value)
        if (wrong !== undefined) return this.#fail(wrong)
        declared.set(prefix, value)
      }
    }
    const scope = within(inside?.scope ?? outermost(), declared)
    const names = resolved(scope, name, false)
    const attributes = written.length === 0 ? none : this.#attributes(written, scope)
    if (names === undefined) return this.#fail('a prefix is not declared', begin)
    const { namespace, local } = names
    const element = { namespace, local, attributes, children: new Array<Element>(), text: '' }
    if (this.#text.startsWith('/>', this.#at)) {
      this.#at += 2
      inside?.element.children.push(element)
    } else if (this.#text[this.#at] === '>') {
      this.#at++
      open.push({ name, scope, element })
    } else return this.#fail('a tag is not closed', begin)
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
    const written = this.#text.slice(this.#at + 1, end)
    if (written.includes('<')) return nothing
    this.#at = end + 1
    const value = attributeValue(written)
    return value === undefined ? nothing : [name, value]
  }

  #attributes(
    written: ReadonlyArray<readonly [string, string]>,
    scope: Scope,
  ): ReadonlyArray<Attribute> {
    const attributes: Attribute[] = []
    const met = new Set<string>()
    for (const [key, value] of written) {
      const name = resolved(scope, key, true)
      if (name === undefined) {
        this.#fail('a prefix is not declared')
        return none
      }
      const { namespace, local } = name
      attributes.push({ namespace, local, value })
      // a name has no space
      met.add(namespace === '' ? local : `${namespace} ${local}`)
    }
    if (met.size < written.length) this.#fail('an attribute is there twice')
    return attributes
  }

  /** A name, after which the position is; empty when there is none. */
  #name(): string {
    const begin = this.#at
    const plain = this.#plain
    plain.lastIndex = begin
    // nearly all names are of ASCII and without a prefix
    if (plain.test(this.#text)) {
      const after = this.#text.charCodeAt(plain.lastIndex)
      if (after < 0x80 && after !== 0x3a)
        return this.#text.slice(begin, (this.#at = plain.lastIndex))
    }
    const full = this.#qualified
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
