/** Types of links and HAL representations. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { addLinks, hal, halCollection, halEntity } from '../../src/hal.ts'
import type { HalCollection, HalEntity } from '../../src/hal.ts'
import type { Context, HandlerOf } from '../../src/index.ts'
import {
  as,
  body,
  get,
  handle,
  int,
  json,
  list,
  ok,
  path,
  post,
  produces,
} from '../../src/index.ts'
import type { Link } from '../../src/links.ts'
import { linkId, linksOf, rel } from '../../src/links.ts'

const Book = t.type({ id: int })
const entity = pipe(path('/'), get(), produces(json(Book), hal(Book)))
const books = pipe(path('/'), get(), produces(json(list(Book)), hal(list(Book))))
const plain = pipe(path('/'), get(), produces(json(Book)))

// a value, with or without links, also in a reply
pipe(
  entity,
  handle(() => ({ id: 1 })),
)
pipe(
  entity,
  handle(() => halEntity({ id: 1 })),
)
pipe(
  entity,
  handle(() => ok(pipe(halEntity({ id: 1 }), addLinks({ rel: 'next', target: '/2' })))),
)
pipe(
  books,
  handle(() => [{ id: 1 }]),
)
pipe(
  books,
  handle(() => halCollection([{ id: 1 }, halEntity({ id: 2 })], 'books')),
)

// the value has the declared type, and links require a HAL representation
// @ts-expect-error
const other: HandlerOf<typeof entity> = () => halEntity({ id: 'one' })
// @ts-expect-error
const collection: HandlerOf<typeof entity> = () => halCollection([{ id: 1 }])
// @ts-expect-error
const single: HandlerOf<typeof books> = () => halEntity({ id: 1 })
// @ts-expect-error
const json1: HandlerOf<typeof plain> = () => halEntity({ id: 1 })
void [other, collection, single, json1]

// received values have no wrapper
pipe(
  path('/'),
  post(),
  body(hal(Book)),
  handle((input) => {
    expectTypeOf(input.body).toEqualTypeOf<{ id: number }>()
  }),
)

pipe(
  path('/'),
  post(),
  body(as('application/vnd.book+hal+json')(hal(Book))),
  produces(as('application/vnd.book+hal+json')(hal(Book))),
  handle((input) => {
    expectTypeOf(input.body).toEqualTypeOf<{ id: number }>()
    return halEntity(input.body)
  }),
)

expectTypeOf(addLinks()(halEntity(1))).toEqualTypeOf<HalEntity<number>>()
expectTypeOf(addLinks()(halCollection([1]))).toEqualTypeOf<HalCollection<number>>()

// attributes keep types
expectTypeOf(rel('self')(plain)).toEqualTypeOf<typeof plain>()
expectTypeOf(linkId(int)).toEqualTypeOf<typeof int>()

declare const context: Context
expectTypeOf(linksOf(context).instance(Book, { id: 1 })).toEqualTypeOf<ReadonlyArray<Link>>()
linksOf(context).instance('Book', 'of any type')
// @ts-expect-error
linksOf(context).instance(Book, { id: 'one' })
