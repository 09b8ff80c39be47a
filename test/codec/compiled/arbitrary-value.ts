/** Arbitrary values of all types, most of which JSON cannot represent. */
import * as fc from 'fast-check'

/** Names of members in arbitrary codecs, and other names. */
export const memberName: fc.Arbitrary<string> = fc.constantFrom(
  'a',
  'b',
  'it',
  'kind',
  'x',
  'y',
  'z',
  '0',
  'constructor',
  'toString',
  '__proto__',
)

/** Creates an object with own members of any name. */
export const withMembers = (
  members: Iterable<readonly [name: string | symbol, value: unknown]>,
): object => Object.fromEntries(members)

class Thing {
  declare readonly a: unknown
}

const getters = (value: object, enumerable: boolean): PropertyDescriptorMap =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      { get: (): unknown => member, enumerable },
    ]),
  )

/** Defines own members of an object, regardless of their names and of inherited members. */
const defineMembers = <A extends object>(target: A, ...sources: ReadonlyArray<object>): A => {
  for (const source of sources)
    for (const [name, value] of Object.entries(source))
      Object.defineProperty(target, name, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      })
  return target
}

/** Functions that create another kind of object with the same members. */
export const convertObject: fc.Arbitrary<(value: object) => object> = fc.constantFrom<
  (value: object) => object
>(
  (value) => defineMembers(new Thing(), value),
  (value) => defineMembers(Object.create(null), value),
  (value) => Object.create(value),
  (value) =>
    defineMembers(Object.create(withMembers(Object.entries(value).slice(1))), {
      ...withMembers(Object.entries(value).slice(0, 1)),
    }),
  (value) => Object.create(Object.create(Object.prototype, getters(value, false))),
  (value) => Object.defineProperties({}, getters(value, true)),
  (value) => defineMembers(new Thing(), value, { z: 0 }),
  (value) => defineMembers(new Thing(), value, { toJSON: () => 'leaked' }),
  (value) => defineMembers(new Map([[1, 1]]), value),
  (value) => defineMembers(new Date(0), value),
  (value) => Object.freeze({ ...value }),
)

class Row extends Array<unknown> {}

export const convertArray: fc.Arbitrary<(values: ReadonlyArray<unknown>) => unknown> =
  fc.constantFrom<(values: ReadonlyArray<unknown>) => unknown>(
    (values) => Row.from(values),
    (values) => Object.freeze([...values]),
    (values) => new Set(values),
    (values) => Object.assign({}, values),
    (values) => Object.assign({}, values, { length: values.length }),
  )

const key = Symbol('key')
const numbers = [0, -0, 1, 2, 1.5, NaN, Infinity, 0n, 1n]
const words = ['', 'a', 'b', 'f', '?', '1', '12', '2020-01-01', 'toString', '__proto__']
const primitives = [undefined, null, true, false, key, ...numbers, ...words]
const objects = [
  () => new Date(0),
  () => new Map([['a', 1]]),
  () => new Set(['a', 1]),
  () => new Number(1),
  () => new String('a'),
  () => new Boolean(false),
  () => new Uint8Array([1]),
  () => /a/,
  () => new Error('a'),
  () => Promise.resolve(1),
  () => (): number => 1,
  () => Object.assign((): number => 1, { a: 1, kind: 'a' }),
  () => Thing,
]
const texts = [
  '{"__proto__":{"a":1}}',
  '{"__proto__":null}',
  '{"a":1,"__proto__":{"b":1},"b":"f"}',
  '{"constructor":{"prototype":{"z":1}}}',
  '{"toString":"f","constructor":1}',
  '[{"__proto__":[]}]',
  '{"kind":"a","it":{"__proto__":{"a":"f"}}}',
]

/** Any value, with nested values of all types. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => {
  const members = fc.array(fc.tuple(memberName, tie('value')), { maxLength: 3 }).map(withMembers)
  const elements = fc.array(tie('value'), { maxLength: 3 })
  return {
    value: fc.oneof(
      { maxDepth: 2 },
      { weight: 6, arbitrary: fc.constantFrom<unknown>(...primitives) },
      { weight: 2, arbitrary: fc.constantFrom(...objects).map((make) => make()) },
      { weight: 1, arbitrary: fc.constantFrom(...texts).map((text): unknown => JSON.parse(text)) },
      { weight: 3, arbitrary: members },
      { weight: 2, arbitrary: elements },
      {
        weight: 1,
        arbitrary: fc.tuple(convertObject, members).map(([convert, value]) => convert(value)),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(convertArray, elements).map(([convert, values]) => convert(values)),
      },
    ),
  }
}).value

/** Any JSON value. */
export const jsonValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 'a', 'b', 'f', '?', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(memberName, tie('value')), { maxLength: 3 }).map(withMembers),
  ),
})).value
