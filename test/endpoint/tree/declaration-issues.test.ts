/** Values inside of codecs that are not codecs. TypeScript rejects them, and JavaScript does not. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as x from '../../../src/index.ts'
import { ConfigurationError } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'

/** Calls a function without checking its types, as a program in JavaScript does. */
const call = (run: Function, ...parameters: ReadonlyArray<unknown>): unknown =>
  Reflect.apply(run, undefined, parameters)

const values: ReadonlyArray<readonly [name: string, value: unknown, remedy: RegExp]> = [
  ['upload', x.upload, /contains a form part.*optionalPart\(upload\)/],
  ['uploads', x.uploads, /contains a form part/],
  ['allFields', x.allFields, /contains a form part/],
  ['a part', x.part(x.json(t.string)), /contains a form part/],
  ['a representation', x.json(t.string), /contains a representation.*: use its codec/],
  ['a stream', x.jsonStream(t.string), /contains a representation/],
  ['an endpoint', x.path('/'), /contains an endpoint/],
  ['a function', String, /contains a function/],
  ['a string', 'string', /contains a string/],
]

const wrappers: ReadonlyArray<readonly [name: string, wrap: (value: unknown) => unknown]> = [
  ['optional', (value) => call(x.optional, value)],
  ['nullable', (value) => call(x.nullable, value)],
  ['nullish', (value) => call(x.nullish, value)],
  ['withDefault', (value) => call(x.withDefault, value, 'a')],
  ['list', (value) => call(x.list, value)],
  ['set', (value) => call(x.set, value)],
  ['a union', (value) => call(t.union, [t.string, value])],
  ['a type', (value) => call(t.type, { a: value })],
  ['a record', (value) => call(t.record, t.string, value)],
  ['a list of types', (value) => call(x.list, call(t.type, { a: call(x.optional, value) }))],
]

const places: ReadonlyArray<readonly [name: string, declare: (codec: unknown) => unknown]> = [
  ['form', (codec) => call(x.form, { f: codec })],
  ['query', (codec) => call(x.query, { f: codec })],
  ['header', (codec) => call(x.header, { f: codec })],
  ['cookie', (codec) => call(x.cookie, { f: codec })],
  ['matrix', (codec) => call(x.matrix, { f: codec })],
  ['body', (codec) => call(x.body, call(x.json, codec))],
  ['produces', (codec) => call(x.produces, call(x.json, codec))],
  ['fails', (codec) => call(x.fails, 409, call(x.json, codec))],
  ['part', (codec) => call(x.form, { f: call(x.part, call(x.json, codec)) })],
  ['jsonStream', (codec) => call(x.produces, call(x.jsonStream, codec))],
  ['sse', (codec) => call(x.produces, call(x.sse, call(x.json, codec)))],
]

/** Returns the message of the configuration error for an operation with a declaration. */
const messageFor = (declare: () => unknown): string => {
  try {
    const steps = [x.post(), declare(), x.handle(() => undefined)]
    const operation = steps.reduce<unknown>(
      (endpoint, step) => (typeof step === 'function' ? call(step, endpoint) : endpoint),
      x.path('/a'),
    )
    call(inMemory, call(x.routes, { operation }))
    return 'no error'
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
}

describe('values inside of codecs that are not codecs', (test) => {
  for (const [place, declare] of places)
    for (const [wrapper, wrap] of wrappers)
      test(`${wrapper} in ${place} is a configuration error that names the value and the remedy`, () => {
        for (const [name, value, remedy] of values)
          assert.match(
            messageFor(() => declare(wrap(value))),
            remedy,
            name,
          )
      })
  test('a codec in the same places is accepted by forms', () =>
    assert.is(
      messageFor(() => x.form({ f: x.optional(t.string), g: x.optionalPart(x.upload) })),
      'no error',
    ))
  for (const [name, value] of [
    ['a codec', t.string],
    ['undefined', undefined],
    ['a representation', x.json(t.string)],
  ] as const)
    test(`optionalPart of ${name} is a configuration error`, () =>
      assert.match(
        messageFor(() => call(x.optionalPart, value)),
        'expected a form part',
      ))
  for (const [name, change] of [
    ['as', x.as('text/a')],
    ['inLanguage', x.inLanguage('de')],
    ['withEtag', x.withEtag('strong')],
  ] as const)
    test(`${name} of a form part is a configuration error`, () =>
      assert.match(
        messageFor(() => call(change, x.upload)),
        'expected a representation',
      ))
})
