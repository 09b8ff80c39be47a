/** Codecs of every kind, each with JSON texts that it accepts and that it rejects. */
import type * as Io from 'io-ts'
import type { Library } from './library.ts'

export interface CodecCase {
  readonly codec: Io.Mixed
  /** A JSON text that the codec accepts. */
  readonly valid: string
  /** JSON texts that the codec rejects. */
  readonly invalid: ReadonlyArray<string>
}

const scalars = ['0', 'null', '""', '{}', '[]']

/** The common JSON texts without those that a codec accepts. */
const except = (...accepted: ReadonlyArray<string>): ReadonlyArray<string> =>
  scalars.filter((text) => !accepted.includes(text))

const range = (size: number): ReadonlyArray<number> => Array.from({ length: size }, (_, at) => at)

/** A type with `size` members, and a value of it. */
const wide = (t: typeof Io, size: number): CodecCase => ({
  codec: t.type(Object.fromEntries(range(size).map((at) => [`m${at}`, t.number] as const))),
  valid: JSON.stringify(Object.fromEntries(range(size).map((at) => [`m${at}`, at] as const))),
  invalid: [...scalars, '{"m0":null}'],
})

const structures = ({ t, espalier: e }: Library): Readonly<Record<string, CodecCase>> => {
  interface Tree {
    readonly children: ReadonlyArray<Tree>
  }
  const Tree: Io.Type<Tree> = t.recursion('Tree', () =>
    t.type({ children: t.readonlyArray(Tree) }, 'Tree'),
  )
  interface Link {
    readonly next: Link | null
  }
  const Link: Io.Type<Link> = t.recursion('Link', () =>
    t.type({ next: t.union([Link, t.null]) }, 'Link'),
  )
  const shapes = ['circle', 'square', 'line'] as const
  const [circle, square, line] = shapes.map((tag) => t.type({ tag: t.literal(tag), r: t.number }))
  const point = t.type({ x: t.number, y: t.number })
  return {
    type: { codec: point, valid: '{"x":1,"y":2}', invalid: [...scalars, '{"x":null}'] },
    exact: { codec: t.exact(point), valid: '{"x":1,"y":2,"z":3}', invalid: except() },
    rejecting: {
      codec: e.strict(point),
      valid: '{"x":1,"y":2}',
      invalid: [...scalars, '{"x":1,"y":2,"z":3}'],
    },
    partial: {
      codec: t.partial({ a: t.string, b: e.optional(t.type({ c: e.optional(t.number) })) }),
      valid: '{"b":{"c":1}}',
      invalid: ['0', 'null', '""', '{"a":1}', '{"b":{"c":""}}'],
    },
    defaults: {
      codec: t.type({ a: e.withDefault(t.number, 1), b: e.withDefault(t.string, '') }),
      valid: '{}',
      invalid: ['0', 'null', '""', '{"a":""}'],
    },
    wide: wide(t, 50),
    union: {
      codec: t.union([t.string, t.boolean, t.type({ a: t.string }), t.array(t.number)]),
      valid: '{"a":""}',
      invalid: ['0', 'null', '{}', '[""]', '{"a":0}'],
    },
    'union of types': {
      codec: t.union([
        t.type({ a: t.number }),
        t.type({ b: t.number }),
        t.type({ c: t.number }),
        t.type({ d: t.type({ e: t.number }) }),
      ]),
      valid: '{"d":{"e":1}}',
      invalid: [...scalars, '{"a":null,"b":null,"c":null,"d":{"e":null}}'],
    },
    'tagged union': {
      codec: t.union([circle ?? point, square ?? point, line ?? point]),
      valid: '{"tag":"line","r":1}',
      invalid: [...scalars, '{"tag":"line"}', '{"tag":"none"}'],
    },
    intersection: {
      codec: t.intersection([
        t.type({ a: t.number }),
        t.partial({ b: t.string }),
        t.type({ c: t.type({ d: t.number }) }),
      ]),
      valid: '{"a":1,"c":{"d":1}}',
      invalid: [...scalars, '{"a":1,"b":0,"c":{"d":""}}'],
    },
    record: {
      codec: t.record(t.string, t.number),
      valid: '{"a":1,"b":2,"c":3}',
      invalid: ['0', 'null', '""', '{"a":null,"b":null}'],
    },
    'record of keys': {
      codec: t.record(t.keyof({ a: null, b: null }), t.record(t.string, t.number)),
      valid: '{"a":{"c":1},"b":{}}',
      invalid: ['0', 'null', '""', '{"a":0,"b":0}'],
    },
    tree: {
      codec: Tree,
      valid: '{"children":[{"children":[]},{"children":[]}]}',
      invalid: [...scalars, '{"children":[{"children":[0,0,0]}]}'],
    },
    'linked list': {
      codec: Link,
      valid: '{"next":{"next":{"next":null}}}',
      invalid: [...scalars, '{"next":{"next":{"next":0}}}'],
    },
    tuple: {
      codec: t.tuple([t.number, t.string, t.boolean]),
      valid: '[1,"",true]',
      invalid: [...scalars, '[1,""]'],
    },
    list: { codec: e.list(t.number), valid: '[1,2,3]', invalid: ['0', 'null', '""', '[null]'] },
    set: { codec: e.set(t.number), valid: '[3,1,2,3]', invalid: ['0', 'null', '""', '[null]'] },
    'sorted set': {
      codec: e.sortedSet(t.string),
      valid: '["c","a","b"]',
      invalid: ['0', 'null', '""', '[null]'],
    },
    nullable: {
      codec: t.union([t.type({ a: t.number }), t.null, t.undefined]),
      valid: 'null',
      invalid: ['0', '""', '{}', '[]'],
    },
  }
}

const scalarCodecs = ({ t, espalier: e }: Library): Readonly<Record<string, CodecCase>> => ({
  number: { codec: t.number, valid: '1.5', invalid: except('0') },
  int: { codec: e.int, valid: '7', invalid: [...except('0'), '1.5'] },
  integer: { codec: e.integer, valid: '7', invalid: [...except('0'), '1.5'] },
  string: { codec: t.string, valid: '""', invalid: except('""') },
  boolean: { codec: t.boolean, valid: 'true', invalid: scalars },
  keyof: { codec: t.keyof({ red: null, green: null }), valid: '"red"', invalid: scalars },
  'union of literals': {
    codec: t.union([
      t.literal('a'),
      t.literal('b'),
      ...range(8).map((at) => t.literal(`option ${at}`)),
    ]),
    valid: '"option 7"',
    invalid: scalars,
  },
  matching: {
    codec: e.pattern(/^[a-z]{1,20}(?:-[a-z]{1,20})?$/)(e.string),
    valid: '"abcdef-ghijkl"',
    invalid: [...scalars, '"abcdefghijklmnopqrst-"'],
  },
  'length and range': {
    codec: t.type({ s: e.length(1, 5)(e.string), n: e.between(1, 9)(e.number) }),
    valid: '{"s":"a","n":1}',
    invalid: [...scalars, '{"s":"","n":0}'],
  },
  bigint: { codec: e.bigint, valid: '"12345678901234567890"', invalid: except('0') },
  decimal: { codec: e.decimal, valid: '"1234567890.0123456789"', invalid: except('0') },
  uuid: {
    codec: e.uuid,
    valid: '"00112233-4455-6677-8899-aabbccddeeff"',
    invalid: [...scalars, '"00112233-4455-6677-8899-aabbccddeefg"'],
  },
  opaque: {
    codec: new t.Type(
      'even',
      (u): u is number => typeof u === 'number' && u % 2 === 0,
      (u, context) =>
        typeof u === 'number' && u % 2 === 0 ? t.success(u) : t.failure(u, context, 'is not even'),
      (even) => even,
    ),
    valid: '2',
    invalid: ['1', 'null', '""', '{}', '[]'],
  },
  refinement: {
    codec: t.brand(
      t.string,
      (s): s is Io.Branded<string, { readonly Short: symbol }> => s.length < 5,
      'Short',
    ),
    valid: '""',
    invalid: ['0', 'null', '{}', '[]', '"longer"'],
  },
})

const date = (codec: Io.Mixed, valid: string): CodecCase => ({
  codec,
  valid: `"${valid}"`,
  invalid: ['null', '""', '{}', `"${valid.replace(/\d(?=\D*$)/, 'x')}"`],
})

const dateCodecs = ({ espalier: e }: Library): Readonly<Record<string, CodecCase>> => {
  return {
    instant: date(e.instant, '2026-02-28T12:34:56.789Z'),
    plainDate: date(e.plainDate, '2026-02-28'),
    plainTime: date(e.plainTime, '12:34:56.789'),
    plainDateTime: date(e.plainDateTime, '2026-02-28T12:34:56.789'),
    zonedDateTime: date(e.zonedDateTime, '2026-02-28T12:34:56+01:00[Europe/Vienna]'),
    offsetDateTime: date(e.offsetDateTime, '2026-02-28T12:34:56+01:00'),
    offsetTime: date(e.offsetTime, '12:34:56+01:00'),
    year: date(e.year, '2026'),
    yearMonth: date(e.yearMonth, '2026-02'),
    duration: date(e.duration, 'P1DT2H3M4S'),
    dateFormat: date(e.dateFormat('dd.MM.yyyy')(e.plainDate), '28.02.2026'),
  }
}

export const codecs = (library: Library): Readonly<Record<string, CodecCase>> => ({
  ...structures(library),
  ...scalarCodecs(library),
  ...dateCodecs(library),
})
