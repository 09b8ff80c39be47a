/** Values that contain a secret, in codecs with all kinds of XML mappings. */
import * as t from 'io-ts'
import { list, optional, secureField } from '../../../src/index.ts'
import {
  xmlAttribute,
  xmlElement,
  xmlElementWrapper,
  xmlList,
  xmlRootElement,
  xmlValue,
} from '../../../src/xml.ts'
import type { Shape } from '../../support/secrets.ts'
import { ambiguous, canary, plain, shapes } from '../../support/secrets.ts'

const secured = secureField('chief')
const name = t.string
const user = { name: plain, secret: canary }
const Open = t.type({ name, secret: t.string })
const Closed = t.type({ name, secret: secured(t.string) })

interface Chain {
  readonly name: string
  readonly secret: string
  readonly next: Chain | undefined
}
const Chain: t.Type<Chain, unknown> = t.recursion('Chain', (self) =>
  t.union([
    t.type({ name, secret: t.string, next: optional(self) }),
    t.type({ name, secret: secured(t.string), next: optional(self) }),
  ]),
)

/** Codecs with XML mappings. */
const mappedShapes: ReadonlyArray<readonly [name: string, codec: t.Mixed, value: unknown]> = [
  ['attribute', t.type({ name, secret: xmlAttribute()(secured(t.string)) }), user],
  ['attribute inside', t.type({ name, secret: secured(xmlAttribute()(t.string)) }), user],
  ['value', t.type({ name: xmlAttribute()(name), secret: xmlValue(secured(t.string)) }), user],
  [
    'value inside',
    t.type({ name: xmlAttribute()(name), secret: secured(xmlValue(t.string)) }),
    user,
  ],
  ['named', t.type({ name, secret: xmlElement('hidden')(secured(t.string)) }), user],
  [
    'wrapped list',
    t.type({ name, secret: xmlElementWrapper('all', 'one')(secured(list(t.string))) }),
    { name: plain, secret: [canary] },
  ],
  [
    'list of secured, wrapped',
    t.type({ name, secret: xmlElementWrapper('all', 'one')(list(secured(t.string))) }),
    { name: plain, secret: [canary] },
  ],
  [
    'text list',
    t.type({ name, secret: secured(xmlList(list(t.string))) }),
    { name: plain, secret: [canary] },
  ],
  [
    'attribute of a list',
    t.type({ name, secret: xmlAttribute()(xmlList(list(secured(t.string)))) }),
    { name: plain, secret: [canary] },
  ],
  [
    'wrapped tuple',
    t.type({
      name,
      secret: xmlElementWrapper('all', 'one')(t.tuple([t.string, secured(t.string)])),
    }),
    { name: plain, secret: ['', canary] },
  ],
  [
    'wrapped tuple of objects',
    t.type({
      all: xmlElementWrapper(
        'all',
        'one',
      )(t.tuple([t.type({ name }), t.type({ secret: secured(t.string) })])),
    }),
    { all: [{ name: plain }, { secret: canary }] },
  ],
  [
    'record of secured lists',
    t.type({ name, secret: t.record(t.string, list(secured(t.string))) }),
    { name: plain, secret: { a: [canary] } },
  ],
  [
    'union of elements',
    t.type({
      one: t.union([
        xmlElement('a')(t.type({ name, secret: secured(t.string) })),
        xmlElement('b')(t.type({ name })),
      ]),
    }),
    { one: user },
  ],
]

/** Unions without a tag, of an open codec and one with restricted members. */
const untaggedUnions: typeof mappedShapes = [
  ['different elements', t.union([xmlElement('a')(Open), xmlElement('b')(Closed)]), user],
  [
    'an attribute and an element',
    t.union([t.type({ name, secret: xmlAttribute()(t.string) }), Closed]),
    user,
  ],
  [
    'a text',
    t.union([t.type({ name: xmlAttribute()(name), secret: xmlValue(t.string) }), Closed]),
    user,
  ],
  ['nested objects', t.union([t.type({ of: Open }), t.type({ of: Closed })]), { of: user }],
  ['lists', t.union([t.type({ of: list(Open) }), t.type({ of: list(Closed) })]), { of: [user] }],
  [
    'wrapped lists',
    t.union([
      t.type({ of: xmlElementWrapper('all', 'one')(list(Open)) }),
      t.type({ of: list(Closed) }),
    ]),
    { of: [user] },
  ],
  [
    'tuples',
    t.union([
      t.type({ of: xmlElementWrapper('all', 'one')(t.tuple([t.string, Open])) }),
      t.type({ of: xmlElementWrapper('all', 'one')(t.tuple([t.string, Closed])) }),
    ]),
    { of: ['', user] },
  ],
  [
    'records',
    t.union([t.type({ of: t.record(t.string, Open) }), t.type({ of: t.record(t.string, Closed) })]),
    { of: { a: user } },
  ],
  [
    'records of lists',
    t.union([
      t.type({ of: t.record(t.string, list(Open)) }),
      t.type({ of: t.record(t.string, list(Closed)) }),
    ]),
    { of: { a: [user] } },
  ],
  ['a record', t.union([t.record(t.string, t.string), Closed]), user],
  [
    'unions with the same tag',
    t.union([
      t.union([
        t.type({ kind: t.literal('a'), name, secret: t.string }),
        t.type({ kind: t.literal('a'), name, secret: secured(t.string) }),
      ]),
      t.type({ kind: t.literal('b'), name }),
    ]),
    { kind: 'a', ...user },
  ],
  ['a recursive union', Chain, { ...user, next: { ...user, next: { ...user, next: undefined } } }],
]

/** Wraps a shape in an object with a unique root element. */
const withRootElement = ({ name: title, codec, value }: Shape, at: number): Shape => {
  const root: t.Mixed = xmlRootElement(`it${at}`)(t.type({ it: codec }))
  return { name: title, codec: root, value: { it: value } }
}

/** Shapes that cannot be represented in XML. */
const unrepresentable: ReadonlySet<string> = new Set([
  'tuple',
  'tuple of secured',
  'union with anything',
  'intersection with anything',
  'intersection with anything below',
  'intersection with a record',
  'endless',
  'attempt',
  'union of a partly matching codec and anything',
])

const all = [
  ...shapes,
  ...ambiguous,
  ...mappedShapes.map(([title, codec, value]): Shape => ({ name: `xml: ${title}`, codec, value })),
  ...untaggedUnions.map(([title, codec, value]): Shape => ({
    name: `untagged union: ${title}`,
    codec,
    value,
  })),
].map(withRootElement)

/** Shapes that write {@link plain} for every caller, and {@link canary} only for a chief. */
export const xmlShapes = all.filter((shape) => !unrepresentable.has(shape.name))

/** Shapes that are configuration errors as XML. */
export const unrepresentableShapes = all.filter((shape) => unrepresentable.has(shape.name))
