/**
 * Checks XML 1.0 documents with namespaces: well-formed ones pass, and no others. There is no document type declaration, so no
 * entity but the five is known and nothing outside the text is ever looked at.
 *
 * @see https://www.w3.org/TR/xml/
 * @see https://www.w3.org/TR/xml-names/
 */
import * as E from 'fp-ts/lib/Either.js'
import { illegalAt, qualified } from './name.ts'
import { attributeValue, dereferenced } from './reference.ts'
import type { Scope } from './scope.ts'
import { declaredBy, objection, outermost, resolved, within } from './scope.ts'

/**
 * A document whose elements stand at most so deep inside each other, as it is to be read: with line ends that are one character
 * and without declaration and instructions. Or in words why it is none.
 */
export const wellFormed = (text: string, depth: number): E.Either<string, string> =>
  new Checker(text, depth).document()

/** An element that is not closed yet. */
interface Open {
  /** As it is written. */
  readonly name: string
  readonly scope: Scope
}

const declaration =
  /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/y

const utf8 = /^(?:utf-8|us-ascii)$/i
const nothing: readonly [] = []

/** One pass over the text, in a loop: a document that is nested too deep costs no stack. */
class Checker {
  readonly #text: string
  readonly #depth: number
  readonly #plain = /[A-Za-z_][\w.-]*/y
  readonly #qualified = qualified()
  /** Where the next piece begins that is to be read, and those before. */
  #from = 0
  #read = ''
  #at = 0
  #unread: string | undefined = undefined

  constructor(text: string, depth: number) {
    // XML, 2.11: line ends are one character, whatever they were
    this.#text = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
    this.#depth = depth
  }

  document(): E.Either<string, string> {
    const illegal = illegalAt(this.#text)
    if (illegal !== -1) this.#fail('a character cannot stand in XML', illegal)
    else this.#declaration()
    this.#misc()
    if (this.#unread === undefined) this.#root()
    this.#misc()
    if (this.#at < this.#text.length) this.#fail('something stands behind the root element')
    return this.#unread === undefined
      ? E.right(this.#read + this.#text.slice(this.#from))
      : E.left(this.#unread)
  }

  #fail(detail: string, at = this.#at): void {
    if (this.#unread !== undefined) return
    const before = this.#text.slice(0, at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    this.#unread = `it is not XML from line ${before.length}, column ${column}: ${detail}`
  }

  #declaration(): void {
    if (this.#text.startsWith('\uFEFF')) this.#at = this.#from = 1
    if (!this.#text.startsWith('<?xml', this.#at)) return
    declaration.lastIndex = this.#at
    const found = declaration.exec(this.#text)
    // an instruction may begin alike: <?xml-stylesheet …?>
    if (found === null) return
    const encoding = found[1] ?? found[2] ?? 'UTF-8'
    if (!utf8.test(encoding)) this.#fail('its encoding has to be UTF-8')
    this.#at = this.#from = declaration.lastIndex
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

  #root(): void {
    if (this.#text.startsWith('<!DOCTYPE', this.#at))
      return this.#fail('a document type declaration is not read')
    if (this.#text[this.#at] !== '<') return this.#fail('there is no root element')
    const open: Open[] = []
    this.#start(undefined, open)
    while (open.length > 0 && this.#unread === undefined) this.#content(open)
  }

  /** The next piece of what stands in the innermost element. */
  #content(open: Open[]): void {
    const inside = open.at(-1)
    if (inside === undefined) return
    const text = this.#text
    const next = text.indexOf('<', this.#at)
    if (next === -1) return this.#fail('an element is not closed', text.length)
    if (next > this.#at) this.#characters(next)
    if (this.#unread !== undefined) return
    switch (text[next + 1]) {
      case '/':
        return this.#end(inside, open)
      case '?':
        return this.#instruction()
      case '!':
        if (text.startsWith('<!--', next)) return this.#comment()
        if (text.startsWith('<![CDATA[', next)) return this.#section()
        return this.#fail('a declaration stands inside an element')
      default:
        this.#start(inside, open)
    }
  }

  #characters(end: number): void {
    const written = this.#text.slice(this.#at, end)
    if (written.includes(']]>')) return this.#fail(']]> stands outside a CDATA section')
    if (written.includes('&') && dereferenced(written) === undefined)
      return this.#fail('a reference stands for nothing')
    this.#at = end
  }

  #section(): void {
    const end = this.#text.indexOf(']]>', this.#at + '<![CDATA['.length)
    if (end === -1) return this.#fail('a CDATA section is not closed')
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
    this.#read += this.#text.slice(this.#from, begin)
    this.#at = this.#from = end + 2
  }

  #end({ name }: Open, open: Open[]): void {
    const begin = this.#at
    if (!this.#text.startsWith(name, begin + 2))
      return this.#fail('an end tag does not belong to the last start tag')
    this.#at += 2 + name.length
    this.#space()
    if (this.#text[this.#at] !== '>')
      return this.#fail('an end tag does not belong to the last start tag', begin)
    this.#at++
    open.pop()
  }

  #start(inside: Open | undefined, open: Open[]): void {
    if (open.length >= this.#depth)
      return this.#fail(`elements are nested more than ${this.#depth} deep`)
    const begin = this.#at
    this.#at++
    const name = this.#name()
    if (name === '') return this.#fail('a tag has no name', begin)
    const attributes: string[] = []
    let declared: Map<string, string> | undefined
    for (;;) {
      const spaced = this.#space()
      const next = this.#text[this.#at]
      if (next === '>' || next === '/' || next === undefined) break
      const [key, value] = spaced ? this.#attribute() : nothing
      if (key === undefined || value === undefined) return this.#fail('an attribute cannot be read')
      const prefix = declaredBy(key)
      if (prefix === undefined) attributes.push(key)
      else {
        declared ??= new Map()
        const wrong = declared.has(prefix) ? 'a prefix is declared twice' : objection(prefix, value)
        if (wrong !== undefined) return this.#fail(wrong)
        declared.set(prefix, value)
      }
    }
    const scope = within(inside?.scope ?? outermost, declared)
    this.#attributes(attributes, scope)
    if (resolved(scope, name, false) === undefined)
      return this.#fail('a prefix is not declared', begin)
    if (this.#text.startsWith('/>', this.#at)) this.#at += 2
    else if (this.#text[this.#at] === '>') {
      this.#at++
      open.push({ name, scope })
    } else return this.#fail('a tag is not closed', begin)
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

  #attributes(keys: ReadonlyArray<string>, scope: Scope): void {
    if (keys.length === 0) return
    const met = new Set<string>()
    for (const key of keys) {
      const name = resolved(scope, key, true)
      if (name === undefined) return this.#fail('a prefix is not declared')
      // a name has no space
      met.add(name.namespace === '' ? name.local : `${name.namespace} ${name.local}`)
    }
    if (met.size < keys.length) this.#fail('an attribute is there twice')
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
