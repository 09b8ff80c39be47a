/**
 * Compares reading and writing a list of 100 books as XML with fast-xml-parser, used as in its documentation: validator, parser
 * and codec to read, builder to write. Checks that the results are equal, then measures in interleaved rounds.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser'
import * as t from 'io-ts'
import { describeEnvironment } from './support/environment.mjs'
import { median } from './support/statistics.mjs'

// the built package; the types are those of the sources
const published = (/** @type {string} */ entryPoint) =>
  new URL(`../dist/espalier/${entryPoint}.js`, import.meta.url).href

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
  // XML requires a value for each attribute
  suppressBooleanAttributes: false,
})

/** Converts a parsed book to the input of the codec. @type {(book: any) => unknown} */
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
      if (XMLValidator.validate(text) !== true) throw new Error('invalid XML')
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
// only the order of the members differs
strictEqual(contestants.write['fast-xml-parser']().length, text.length)

const [warmUp, rounds, each] = [200, 15, 20]

/** Returns the milliseconds per call. @type {(run: () => unknown, times: number) => number} */
const measure = (run, times) => {
  const begin = performance.now()
  for (let time = 0; time < times; time++) run()
  return (performance.now() - begin) / times
}

console.log(describeEnvironment())
console.log(`${text.length} characters, ${books.length} books`)
for (const [operation, runs] of Object.entries(contestants)) {
  const entries = Object.entries(runs)
  for (const [, run] of entries) measure(run, warmUp)
  const times = new Map(entries.map(([name]) => [name, /** @type {number[]} */ ([])]))
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of entries) times.get(name)?.push(measure(run, each))
  const [espalier = 0, other = 0] = [...times.values()].map((all) => median(all))
  console.log(
    `${operation}: espalier ${espalier.toFixed(3)} ms, fast-xml-parser ${other.toFixed(3)} ms (${(other / espalier).toFixed(1)} times)`,
  )
}
