/** Wrong results, replies and methods, as users of other libraries write them. `../messages.test.ts` describes the format. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  HttpError,
  NotFound,
  body,
  created,
  del,
  fails,
  get,
  handle,
  implementAll,
  int,
  json,
  jsonStream,
  noContent,
  ok,
  path,
  post,
  prefix,
  produces,
  reply,
  responds,
  routes,
  sse,
  text,
  withCookie,
  withHeader,
} from '../../../src/index.ts'
import { serve } from '../../../src/node.ts'
import { Book, Missing, api, books, emma } from './library.types.ts'

const find = async (id: number) => books.get(id) ?? { id, title: '' }
const contract = routes({
  books: routes({
    find: pipe(path('/books/{id}', { id: int }), get(), produces(json(Book))),
    add: pipe(path('/books'), post(), body(json(Book)), responds(204)),
  }),
})
// difference: one value for a stream
pipe(
  path('/books'),
  get(),
  produces(jsonStream(Book)),
  // @ts-expect-error Type '{ id: number; title: string; }' is not assignable to type 'Returns<…
  handle(() => emma),
  //           ^
)
// remedy: sse without a codec
pipe(
  path('/news'),
  get(),
  // @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)">'
  produces(sse),
  //       ^
  handle(async function* () {
    yield 'x'
  }),
)
// difference: reply with a body where none is declared
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  fails(404),
  // @ts-expect-error Type 'string' is not assignable to type 'void'
  handle(() => books.get(1) ?? reply(404, 'no such book')),
  //           ^
)
// remedy: reply with another body
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  fails(404, json(Missing)),
  // @ts-expect-error Type '{ message: string; }' is missing the following properties from type '{ _tag: "Missing"; id: number; }': _tag, id
  handle(() => books.get(1) ?? reply(404, { message: 'no such book' })),
  //           ^
)
// remedy: reply with swapped arguments
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  fails(404, text),
  // @ts-expect-error the status comes first, as a number: reply(404, value)">'
  handle(() => books.get(1) ?? reply('no such book', 404)),
  //                                 ^
)
// remedy: created without a location
pipe(
  path('/books'),
  post(),
  body(json(Book)),
  responds(201, json(Book)),
  // @ts-expect-error the location comes first: created('/books/1', value)">'
  handle(({ body: book }) => created(book)),
  //                                 ^
)
// difference: noContent with parentheses
pipe(
  path('/books/1'),
  del(),
  // @ts-expect-error Type 'Reply<204, void>' has no call signatures
  handle(() => noContent()),
  //           ^
)
// difference: withHeader on a value
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  // @ts-expect-error Type '{ id: number; title: string; }' is missing the following properties from type 'Reply<number, unknown>': _tag, status, entity, headers
  handle(() => pipe(emma, withHeader('X-A', 'b'))),
  //                      ^
)
// remedy: withHeader with a record
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  // @ts-expect-error pass a name and a value: withHeader('X-Total', '3')">'
  handle(() => pipe(ok(emma), withHeader({ 'X-A': 'b' }))),
  //                                     ^
)
// remedy: withCookie with name and value
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  // @ts-expect-error pass an object: withCookie({ name, value })">'
  handle(() => pipe(ok(emma), withCookie('session', '1'))),
  //                                     ^
)
// remedy: an error with swapped arguments
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  handle(() => {
    // @ts-expect-error the status comes first: new HttpError(418, 'I am a teapot')">'
    throw new HttpError('no such book', 404)
    //                  ^
  }),
)
// difference: NotFound with an object
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  handle(() => {
    // @ts-expect-error Argument of type '{ message: string; }' is not assignable to parameter of type 'string'
    throw new NotFound({ message: 'no such book' })
    //                 ^
  }),
)
// difference: handle with the result of a call
// @ts-expect-error Type 'Promise<{ id: number; title: string; }>' provides no match for the signature '(input: {}, context: Context): Returns<…>'
pipe(path('/books/1'), get(), produces(json(Book)), handle(find(1)))
//                                                         ^
// remedy: method with path and handler
// @ts-expect-error use endpoints, routes({ … }) or pipe(tree, step)">'
void serve(routes({ getBook: get('/books/1', () => emma) }))
//                  ^
// remedy: prefix with a codec in place of a slot
// @ts-expect-error …ot<"use a slot instead of a codec: create it with slot(codec)(key)">'
void serve(pipe(api, prefix('/t/{tenant}', { tenant: int })))
//                                           ^
// difference: implementAll with an unknown name
void serve(
  implementAll(contract, {
    // @ts-expect-error …only add: (input: { ...; }, context: Context) => ReturnsOnly<...>; }'
    books: { find: () => emma, add: () => noContent, remove: () => noContent },
    //                                               ^
  }),
)
// remedy: implementAll with swapped arguments
// @ts-expect-error the first argument is a tree of endpoints: routes({ … })">'
void serve(implementAll({ books: { find: () => emma, add: () => noContent } }, contract))
//                      ^
