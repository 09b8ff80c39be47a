/** Types of XML representations: options depend on whether the codec describes the documents. */
import { expectTypeOf } from 'expect-type'
import { XMLParser } from 'fast-xml-parser'
import * as t from 'io-ts'
import type { Representation } from '../../src/index.ts'
import { as } from '../../src/index.ts'
import { xml } from '../../src/xml.ts'

const Book = t.type({ title: t.string }, 'Book')

expectTypeOf(xml(Book, { formatted: true })).toEqualTypeOf<
  Representation<{ title: string }, 'application/xml'>
>()
expectTypeOf(xml(t.unknown)).toEqualTypeOf<Representation<unknown, 'application/xml'>>()
expectTypeOf(xml(t.UnknownRecord)).toEqualTypeOf<
  Representation<{ [key: string]: unknown }, 'application/xml'>
>()
expectTypeOf(as('application/rss+xml')(xml(t.unknown))).toEqualTypeOf<
  Representation<unknown, 'application/rss+xml'>
>()

// documents of no known shape have the options of fast-xml-parser in addition
xml(t.unknown, { formatted: true, attributeNamePrefix: '$', isArray: (name) => name === 'item' })
xml(t.UnknownRecord, { XMLParser })
// @ts-expect-error the codec determines how documents are read
xml(Book, { attributeNamePrefix: '$' })
// @ts-expect-error an unknown option
xml(t.unknown, { preserveOrder: true })
