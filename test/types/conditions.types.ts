/** Types of conditions, which keep the types of endpoints and trees. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  allOf,
  anyOf,
  disabledWhen,
  get,
  handle,
  int,
  json,
  mapError,
  needs,
  next,
  not,
  path,
  produces,
  profile,
  property,
  provide,
  query,
  reader,
  readerInterceptor,
  reply,
  requestFilter,
  routes,
  slot,
  text,
  when,
  withFilter,
  writer,
  writerInterceptor,
} from '../../src/index.ts'
import type { Complete, Routes } from '../../src/index.ts'

/** Accepts the same trees as `serve`. */
declare const serve: <T, R extends {}, E>(api: Routes<T, R, E> & Complete<T, R>) => void

const Name = slot<string>()('name')
const dev = when(profile('dev'))

const resource = path('/a/{id}', { id: int })
const declared = pipe(resource, get(), query({ q: int }), needs({ name: Name }), produces(text))
const handled = pipe(
  declared,
  handle(({ needs: { name } }) => name),
)
const tree = routes({ handled })

expectTypeOf(dev(resource)).toEqualTypeOf(resource)
expectTypeOf(dev(declared)).toEqualTypeOf(declared)
expectTypeOf(dev(handled)).toEqualTypeOf(handled)
expectTypeOf(dev(tree)).toEqualTypeOf(tree)
expectTypeOf(disabledWhen('a', 'b', { ifMissing: true })(tree)).toEqualTypeOf(tree)

// later steps of the pipe infer the same types
pipe(
  declared,
  dev,
  handle(({ path: { id }, query: { q } }) => {
    expectTypeOf(id).toEqualTypeOf<number>()
    expectTypeOf(q).toEqualTypeOf<number>()
    return ''
  }),
)

const giving = requestFilter({ gives: { name: Name }, fails: { 409: json(t.number) } }, () =>
  next({ name: 'a' }),
)
const mapper = mapError(TypeError, () => reply(409, ''))
expectTypeOf(dev(giving)).toEqualTypeOf(giving)
expectTypeOf(dev(mapper)).toEqualTypeOf(mapper)
const read = reader({ mediaType: 'a/b', read: () => 1 })
const write = writer({ mediaType: 'a/b', write: () => '' })
const reading = readerInterceptor((_, proceed) => proceed())
const writing = writerInterceptor((_, proceed) => proceed())
expectTypeOf(dev(read)).toEqualTypeOf(read)
expectTypeOf(dev(write)).toEqualTypeOf(write)
expectTypeOf(dev(reading)).toEqualTypeOf(reading)
expectTypeOf(dev(writing)).toEqualTypeOf(writing)

// a condition keeps the needs of a tree and the provided values of filters
// @ts-expect-error missing dependency
serve(dev(tree))
serve(pipe(tree, withFilter(dev(giving))))
serve(pipe(tree, dev, provide({ name: '' })))

// @ts-expect-error missing profile name
profile()
// @ts-expect-error missing condition
allOf()
// @ts-expect-error missing condition
anyOf()
// @ts-expect-error property values are strings
property('a', true)
// @ts-expect-error missing property value
disabledWhen('a')
// @ts-expect-error a string is not a condition
not('dev')
// @ts-expect-error a slot is not part of a tree
dev(Name)
