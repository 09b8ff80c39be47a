/** Types of restricted codecs: the same values, optional in the encoded form. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  body,
  get,
  handle,
  inView,
  json,
  jsonView,
  path,
  post,
  produces,
  secureField,
  secureSerialization,
  view,
} from '../../src/index.ts'

const Public = view('Public')
const User = t.type({ name: t.string, salary: secureField('chief')(t.number) })
const Book = t.type({ title: t.string, price: inView(Public)(t.number) })

expectTypeOf<t.TypeOf<typeof User>>().toEqualTypeOf<{ name: string; salary: number }>()
expectTypeOf<t.OutputOf<typeof User>>().toEqualTypeOf<{
  name: string
  salary: number | undefined
}>()
expectTypeOf<t.TypeOf<typeof Book>>().toEqualTypeOf<{ title: string; price: number }>()

pipe(
  path('/'),
  get(),
  produces(json(User)),
  secureSerialization(false),
  jsonView(Public),
  // @ts-expect-error a handler receives complete values
  handle(() => ({ name: '' })),
)

pipe(
  path('/'),
  post(),
  body(jsonView(Public)(json(Book))),
  handle(({ body: read }) => {
    expectTypeOf(read).toEqualTypeOf<{ title: string; price: number }>()
  }),
)

// @ts-expect-error missing role
secureField()
