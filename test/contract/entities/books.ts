/** The `Book` entity, and a writer for any entity. */
import * as t from 'io-ts'
import { int, writer } from '../../../src/index.ts'

export const Book = t.type({ title: t.string, pages: int }, 'Book')
export type Book = t.TypeOf<typeof Book>
export const emma: Book = { title: 'Emma', pages: 474 }

/** Writes any entity as JSON, after a line with `name` and the negotiated media type. */
export const lines = (name: string, mediaType: string) =>
  writer({
    mediaType,
    write: (value, context) => `${name} ${context.mediaType}\n${JSON.stringify(value)}`,
  })
