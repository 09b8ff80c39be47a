/** An entity, and a writer of any. */
import * as t from 'io-ts'
import { int, writer } from '../../src/index.ts'

export const Book = t.type({ title: t.string, pages: int }, 'Book')
export type Book = t.TypeOf<typeof Book>
export const emma: Book = { title: 'Emma', pages: 474 }

/** Writes any entity in its wire form, with a line of its own around it. */
export const lines = (name: string, mediaType: string) =>
  writer({
    mediaType,
    write: (value, writing) => `${name} ${writing.mediaType}\n${JSON.stringify(value)}`,
  })
