/** Types of representations in several languages, and of selected variants. */
import { expectTypeOf } from 'expect-type'
import type { Option } from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Context } from '../../src/index.ts'
import {
  byteStream,
  get,
  html,
  implement,
  inLanguage,
  int,
  json,
  ok,
  path,
  produces,
  selectVariant,
  text,
  variant,
} from '../../src/index.ts'

// a language does not change the type of a representation
expectTypeOf(inLanguage('de')(json(int))).toEqualTypeOf(json(int))
expectTypeOf(inLanguage('de')(byteStream)).toEqualTypeOf(byteStream)
expectTypeOf(pipe(text, inLanguage('de'))).toEqualTypeOf(text)
// @ts-expect-error a codec is not a representation
inLanguage('de')(int)

// a selected variant has the type of the elements of the list
declare const context: Context
const variants = [{ language: 'de', pages: 1 }]
expectTypeOf(selectVariant(context, variants)).toEqualTypeOf<
  Option<{ language: string; pages: number }>
>()
// @ts-expect-error a language is a string
selectVariant(context, [{ language: 1 }])
expectTypeOf(pipe(ok(1), variant({ language: 'de' }))).toEqualTypeOf(ok(1))

// languages do not change the type of the handler
const answer = pipe(path('/'), get(), produces(inLanguage('en')(text), inLanguage('de')(html)))
implement(answer, (_, { response }) => {
  expectTypeOf(response.language).toEqualTypeOf<string | undefined>()
  expectTypeOf(response.contentType).toEqualTypeOf<string | undefined>()
  return response.language === 'de' ? 'sieben' : 'seven'
})
