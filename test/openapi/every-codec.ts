/** Objects, parameters and bodies that use every codec of `espalier`, `/json`, `/xml` and `/links`. */
import type { StandardSchema } from '../../src/codec/standard-schema/schema-types.ts'
import * as t from 'io-ts'
import {
  atLeast,
  atMost,
  attempt,
  between,
  bigint,
  boolean,
  combined,
  constrained,
  date,
  dateFormat,
  decimal,
  described,
  duration,
  encoded,
  enumOf,
  fromStandardSchema,
  fromString,
  inView,
  instant,
  int,
  integer,
  lastEventId,
  length,
  list,
  maxLength,
  minLength,
  named,
  nullable,
  nullish,
  number,
  offsetDateTime,
  offsetTime,
  optional,
  pattern,
  plainDate,
  plainDateTime,
  plainTime,
  secureField,
  separated,
  set,
  sortedSet,
  tupleWithRest,
  strict,
  string,
  unrestricted,
  uuid,
  view,
  withDefault,
  withSchema,
  year,
  yearMonth,
  zonedDateTime,
} from '../../src/index.ts'
import { jsonArray, jsonObject, jsonStructure, jsonValue } from '../../src/json.ts'
import { linkId, primaryKey } from '../../src/links.ts'
import {
  xmlAttribute,
  xmlElement,
  xmlElementWrapper,
  xmlList,
  xmlRootElement,
  xmlValue,
} from '../../src/xml.ts'

export const Public = view('Public')
export const Internal = view('Internal', Public)

const Colour = new t.Type<readonly [number, number, number], string>(
  'Colour',
  (u): u is readonly [number, number, number] => Array.isArray(u) && u.length === 3,
  (u, context) =>
    typeof u === 'string' && /^#[0-9a-f]{6}$/.test(u)
      ? t.success([1, 3, 5].map((at) => Number.parseInt(u.slice(at, at + 2), 16)) as never)
      : t.failure(u, context),
  (parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`,
)

const even = constrained<number>('even', (value) => value % 2 === 0)

const Hex = fromString(
  'Hex',
  (text) => (/^[0-9a-f]+$/.test(text) ? Number.parseInt(text, 16) : undefined),
  (value: number) => value.toString(16),
)

const positive: StandardSchema<number, number> = {
  '~standard': Object.assign(
    {
      version: 1,
      vendor: 'example',
      validate: (value: unknown) =>
        typeof value === 'number' && value > 0 ? { value } : { issues: [{ message: 'too small' }] },
    } as const,
    {
      jsonSchema: {
        input: () => ({ type: 'number', exclusiveMinimum: 0 }),
        output: () => ({ type: 'number', exclusiveMinimum: 0 }),
      },
    },
  ),
}

/** One member for each codec of a single value. */
export const Scalars = t.type(
  {
    id: linkId(primaryKey(int)),
    string,
    integer,
    number,
    boolean,
    bigint,
    decimal,
    uuid,
    choice: enumOf('small', 'large', 3),
    even: even(int),
    between: between(1, 9)(int),
    atLeast: atLeast(0)(number),
    atMost: atMost(100)(decimal),
    length: length(1, 9)(string),
    minLength: minLength(2)(string),
    maxLength: maxLength(5)(string),
    pattern: pattern(/^[A-Z]{2}-\d+$/)(string),
    colour: withSchema({ type: 'string', pattern: '^#[0-9a-f]{6}$' })(Colour),
    hex: withSchema({ type: 'string', pattern: '^[0-9a-f]+$' })(Hex),
    positive: fromStandardSchema(positive),
    described: described('A described member', { deprecated: true, examples: ['a'] })(string),
  },
  'Scalars',
)

/** One member for each codec of a date, a time or a duration. */
export const Times = t.type(
  {
    instant,
    plainDate,
    plainTime,
    plainDateTime,
    zonedDateTime,
    offsetDateTime,
    offsetTime,
    year,
    yearMonth,
    duration,
    date,
    dateFormat: dateFormat('dd.MM.yyyy')(plainDate),
  },
  'Times',
)

export interface Tree {
  readonly label: string
  readonly children: ReadonlyArray<Tree>
}

export const Tree: t.Type<Tree> = t.recursion('Tree', () =>
  t.type({ label: t.string, children: t.readonlyArray(Tree) }),
)

const Shape = t.union(
  [
    t.type({ kind: t.literal('circle'), radius: number }),
    t.type({ kind: t.literal('square'), side: number }),
  ],
  'Shape',
)

export interface Even {
  readonly Even: unique symbol
}

/** One member for each structure of io-ts, and for each codec of a collection or an optional value. */
export const Structures = t.intersection(
  [
    t.type({
      list: list(int),
      set: set(string),
      sortedSet: sortedSet(int),
      tupleWithRest: tupleWithRest([int], string),
      nullable: nullable(string),
      tuple: t.tuple([t.string, t.number]),
      record: t.record(t.string, int),
      keyed: t.record(t.keyof({ a: null, b: null }), t.boolean),
      exact: t.exact(t.type({ a: t.string })),
      strict: strict(t.type({ a: t.string })),
      readonly: t.readonly(t.type({ a: t.string })),
      branded: t.brand(int, (n): n is t.Branded<number, Even> => n % 2 === 0, 'Even'),
      tree: Tree,
      shape: Shape,
      literal: t.literal('x'),
      nothing: t.null,
      anything: t.unknown,
    }),
    t.partial({
      optional: optional(string),
      nullish: nullish(string),
      withDefault: withDefault(int, 1),
      internal: inView(Internal)(optional(string)),
      secret: secureField('admin')(optional(string)),
      jsonValue,
      jsonObject,
      jsonArray,
      jsonStructure,
    }),
  ],
  'Structures',
)

export const Unrestricted = named('AllMembers')(unrestricted(Structures))

/** An object with every mapping to XML. */
export const Document = xmlRootElement('document', { namespace: 'urn:example' })(
  t.type(
    {
      id: xmlAttribute()(int),
      title: xmlElement('heading')(string),
      tags: xmlElementWrapper('tags', 'tag')(t.readonlyArray(t.string)),
      sizes: xmlList(t.readonlyArray(int)),
      price: t.type({ currency: xmlAttribute('cur')(string), amount: xmlValue(decimal) }),
    },
    'Document',
  ),
)

export const queryParameters = {
  text: string,
  count: withDefault(between(1, 100)(int), 10),
  flag: optional(boolean),
  tag: list(string),
  fields: separated(',')(enumOf('a', 'b')),
  raw: optional(encoded(string)),
  tried: attempt(int),
  from: optional(plainDate),
}

export const headerParameters = {
  lastEventId,
  xTags: optional(combined(string)),
  xCount: optional(int),
}
