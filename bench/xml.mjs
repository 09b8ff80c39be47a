/**
 * Reads and writes a list of 100 books as XML, against fast-xml-parser as its own documentation uses it: the validator, the
 * parser with what gives the same values, and the codec; the builder. Both do the same, which is looked at before anything
 * is timed. Rounds are interleaved.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser'
import * as t from 'io-ts'
import { circumstances } from './support/environment.mjs'
import { median } from './support/statistics.mjs'

// what is published, which the package alone can import by its name, with the types of its sources
const published = (/** @type {string} */ door) =>
  new URL(`../dist/espalier/${door}.js`, import.meta.url).href

/** @type {typeof import('../dist/src/index.js')} */
const { int, list } = await import(published('index'))
/** @type {typeof import('../dist/src/xml.js')} */
const { xmlAttribute, xmlContext, xmlElementWrapper } = await import(published('xml'))

const Book = t.type({
  isbn: xmlAttribute()(t.string),
  available: xmlAttribute()(t.boolean),
  title: t.string,
  pages: int,
  authors: xmlElementWrapper('authors', 'author')(list(t.string)),
  price: t.number,
})
const Books = xmlElementWrapper('books', 'book')(list(Book))
const context = xmlContext([Books], { declaration: false })

const books = Array.from({ length: 100 }, (_, at) => ({
  isbn: `978-0-${at}`,
  available: at % 2 === 0,
  title: `Pride & Prejudice, volume ${at}`,
  pages: 100 + at,
  authors: ['Jane Austen', 'A Lady'],
  price: 9.5 + at,
}))

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (_name, path) => path === 'books.book' || path === 'books.book.authors.author',
})
const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  // an attribute without a value is no XML
  suppressBooleanAttributes: false,
})

/** The value that the codec decodes. @type {(book: any) => unknown} */
const plain = (book) => ({
  isbn: book['@isbn'],
  available: book['@available'] === 'true',
  title: book.title,
  pages: Number(book.pages),
  authors: book.authors.author,
  price: Number(book.price),
})

const text = context.write(books)

const contestants = {
  read: {
    espalier: () => context.read(text),
    'fast-xml-parser': () => {
      if (XMLValidator.validate(text) !== true) throw new Error('it is not valid')
      return Books.decode(parser.parse(text).books.book.map(plain))
    },
  },
  write: {
    espalier: () => context.write(books),
    'fast-xml-parser': () =>
      builder.build({
        books: {
          book: Books.encode(books).map(({ isbn, available, authors, ...book }) => ({
            '@isbn': isbn,
            '@available': String(available),
            ...book,
            authors: { author: authors },
          })),
        },
      }),
  },
}

deepStrictEqual(contestants.read.espalier(), contestants.read['fast-xml-parser']())
// members stand in another order
strictEqual(contestants.write['fast-xml-parser']().length, text.length)

const [warmUp, rounds, each] = [200, 15, 20]

/** Milliseconds. @type {(run: () => unknown, times: number) => number} */
const taken = (run, times) => {
  const begin = performance.now()
  for (let time = 0; time < times; time++) run()
  return (performance.now() - begin) / times
}

console.log(circumstances())
console.log(`${text.length} characters, ${books.length} books`)
for (const [what, runs] of Object.entries(contestants)) {
  const entries = Object.entries(runs)
  for (const [, run] of entries) taken(run, warmUp)
  const times = new Map(entries.map(([name]) => [name, /** @type {number[]} */ ([])]))
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of entries) times.get(name)?.push(taken(run, each))
  const [ours = 0, theirs = 0] = [...times.values()].map((all) => median(all))
  console.log(
    `${what}: ${ours.toFixed(3)} ms, fast-xml-parser ${theirs.toFixed(3)} ms, ${(theirs / ours).toFixed(1)} times`,
  )
}
