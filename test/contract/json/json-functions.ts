/** Operations with custom JSON functions that fail, omit members, or depend on the codec. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  Conflict,
  as,
  body,
  decimal,
  form,
  get,
  handle,
  int,
  json,
  jsonStream,
  list,
  ok,
  part,
  path,
  post,
  produces,
} from '../../../src/index.ts'
import type { Deserialization, Serialization } from '../../../src/json.ts'
import {
  customDeserialization,
  customSerialization,
  lossless,
  omitEmpty,
  omitNull,
} from '../../../src/json.ts'

export const Book = t.type({ title: t.string, pages: int }, 'Book')
const note = t.type({
  a: t.union([t.string, t.null]),
  b: list(t.string),
  c: t.union([decimal, t.null]),
})

/** Throws for the title "Persuasion". */
const failsForPersuasion: Serialization = (_, stringify) => (encoded) => {
  if (JSON.stringify(encoded).includes('Persuasion')) throw new Error('secret')
  return stringify(encoded)
}
const titles = list(t.type({ title: t.string }))

export const breaking = {
  broken: pipe(
    path('/broken/{title}'),
    get(),
    customSerialization(failsForPersuasion),
    produces(json(titles)),
    handle(({ path: { title } }) => [{ title: 'Emma' }, { title }]),
  ),
  failingFactory: pipe(
    path('/failing-factory'),
    get(),
    customSerialization(() => {
      throw new Error('secret')
    }),
    produces(json(titles)),
    handle(() => [{ title: 'Emma' }]),
  ),
  notAString: pipe(
    path('/not-a-string'),
    get(),
    customSerialization((() => () => 1) as unknown as Serialization),
    produces(json(titles)),
    handle(() => [{ title: 'Emma' }]),
  ),
  returnsUndefined: pipe(
    path('/undefined'),
    get(),
    customSerialization(() => () => undefined),
    produces(json(titles)),
    handle(() => [{ title: 'Emma' }]),
  ),
  cyclic: pipe(
    path('/cyclic'),
    get(),
    lossless,
    produces(json(t.unknown)),
    handle(() => {
      const cyclic: unknown[] = []
      cyclic.push(cyclic)
      return cyclic
    }),
  ),
  stream: pipe(
    path('/stream/{title}'),
    get(),
    customSerialization(failsForPersuasion),
    produces(jsonStream(t.type({ title: t.string }))),
    handle(({ path: { title } }) => [{ title }]),
  ),
}

const empty = { a: null, b: [], c: null }
const full = { a: '', b: [''], c: { unscaled: 1250n, scale: 2 } }

export const omitting = {
  nonNull: pipe(
    path('/non-null'),
    get(),
    customSerialization(omitNull),
    produces(json(list(note))),
    handle(() => [empty, full]),
  ),
  nonEmpty: pipe(
    path('/non-empty'),
    get(),
    customSerialization(omitEmpty),
    produces(json(list(note))),
    handle(() => [empty, full]),
  ),
  losslessNonNull: pipe(
    path('/lossless'),
    get(),
    customSerialization(omitNull),
    lossless,
    produces(json(list(note))),
    handle(() => [empty, full]),
  ),
}

const addPagesToBooks: Deserialization = (codec, parse) =>
  codec.name === 'Book' ? (sent) => ({ ...Object(parse(sent)), pages: 1 }) : parse

export const reading = {
  book: pipe(
    path('/book'),
    post(),
    body(
      customDeserialization(addPagesToBooks)(json(Book)),
      as('application/vnd.book+json')(json(Book)),
    ),
    produces(json(Book)),
    handle((input) => ok(input.body)),
  ),
  title: pipe(
    path('/title'),
    post(),
    customDeserialization(addPagesToBooks),
    body(json(t.type({ title: t.string }))),
    produces(json(t.type({ title: t.string }))),
    handle((input) => ok(input.body)),
  ),
  part: pipe(
    path('/part'),
    post(),
    customDeserialization(addPagesToBooks),
    form({ book: part(json(Book)) }),
    produces(json(Book)),
    handle((input) => ok(input.form.book)),
  ),
  throwing: pipe(
    path('/throwing'),
    post(),
    customDeserialization(() => () => {
      throw new Error('secret')
    }),
    body(json(Book)),
    produces(json(Book)),
    handle((input) => ok(input.body)),
  ),
  conflict: pipe(
    path('/conflict'),
    post(),
    customDeserialization(() => () => {
      throw new Conflict('not now')
    }),
    body(json(Book)),
    produces(json(Book)),
    handle((input) => ok(input.body)),
  ),
  exact: pipe(
    path('/exact'),
    post(),
    customDeserialization((_, parse) => (sent) => parse(sent.replace('pounds', '12.50'))),
    lossless,
    body(json(decimal)),
    produces(json(decimal)),
    handle((input) => ok(input.body)),
  ),
}
