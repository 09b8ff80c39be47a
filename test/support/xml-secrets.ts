/** Values that contain a secret, in codecs with all kinds of XML mappings. */
import * as t from 'io-ts'
import { list, optional, secureField } from '../../src/index.ts'
import {
  xmlAttribute,
  xmlElement,
  xmlElementWrapper,
  xmlList,
  xmlRootElement,
  xmlValue,
} from '../../src/xml.ts'
import type { Shape } from './secrets.ts'
import { ambiguous, canary, plain, shapes } from './secrets.ts'

const secured = secureField('chief')
const name = t.string
const both = { name: plain, secret: canary }
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

/** What only XML says. */
const own: ReadonlyArray<readonly [name: string, codec: t.Mixed, value: unknown]> = [
  ['attribute', t.type({ name, secret: xmlAttribute()(secured(t.string)) }), both],
  ['attribute inside', t.type({ name, secret: secured(xmlAttribute()(t.string)) }), both],
  ['value', t.type({ name: xmlAttribute()(name), secret: xmlValue(secured(t.string)) }), both],
  [
    'value inside',
    t.type({ name: xmlAttribute()(name), secret: secured(xmlValue(t.string)) }),
    both,
  ],
  ['named', t.type({ name, secret: xmlElement('hidden')(secured(t.string)) }), both],
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
    { one: both },
  ],
]

/** What is of an open codec too, and no tag says which one it is of. */
const unclear: typeof own = [
  ['elements', t.union([xmlElement('a')(Open), xmlElement('b')(Closed)]), both],
  [
    'an attribute and an element',
    t.union([t.type({ name, secret: xmlAttribute()(t.string) }), Closed]),
    both,
  ],
  [
    'a text',
    t.union([t.type({ name: xmlAttribute()(name), secret: xmlValue(t.string) }), Closed]),
    both,
  ],
  ['objects below', t.union([t.type({ of: Open }), t.type({ of: Closed })]), { of: both }],
  ['lists', t.union([t.type({ of: list(Open) }), t.type({ of: list(Closed) })]), { of: [both] }],
  [
    'wrapped lists',
    t.union([
      t.type({ of: xmlElementWrapper('all', 'one')(list(Open)) }),
      t.type({ of: list(Closed) }),
    ]),
    { of: [both] },
  ],
  [
    'tuples',
    t.union([
      t.type({ of: xmlElementWrapper('all', 'one')(t.tuple([t.string, Open])) }),
      t.type({ of: xmlElementWrapper('all', 'one')(t.tuple([t.string, Closed])) }),
    ]),
    { of: ['', both] },
  ],
  [
    'records',
    t.union([t.type({ of: t.record(t.string, Open) }), t.type({ of: t.record(t.string, Closed) })]),
    { of: { a: both } },
  ],
  [
    'records of lists',
    t.union([
      t.type({ of: t.record(t.string, list(Open)) }),
      t.type({ of: t.record(t.string, list(Closed)) }),
    ]),
    { of: { a: [both] } },
  ],
  ['a record', t.union([t.record(t.string, t.string), Closed]), both],
  [
    'unions of one tag',
    t.union([
      t.union([
        t.type({ kind: t.literal('a'), name, secret: t.string }),
        t.type({ kind: t.literal('a'), name, secret: secured(t.string) }),
      ]),
      t.type({ kind: t.literal('b'), name }),
    ]),
    { kind: 'a', ...both },
  ],
  ['itself', Chain, { ...both, next: { ...both, next: { ...both, next: undefined } } }],
]

/** Each has a root element of its own, and what is no object stands inside one. */
const rooted = ({ name: title, codec, value }: Shape, at: number): Shape => {
  const root: t.Mixed = xmlRootElement(`it${at}`)(t.type({ it: codec }))
  return { name: title, codec: root, value: { it: value } }
}

/** What has no form in XML. */
const formless: ReadonlySet<string> = new Set([
  'tuple',
  'tuple of secured',
  'union with anything',
  'intersection with anything',
  'intersection with anything below',
  'intersection with a record',
  'endless',
  'attempt',
  'anything, in a union with what it nearly is',
])

const all = [
  ...shapes,
  ...ambiguous,
  ...own.map(([title, codec, value]): Shape => ({ name: `xml: ${title}`, codec, value })),
  ...unclear.map(([title, codec, value]): Shape => ({ name: `open too: ${title}`, codec, value })),
].map(rooted)

/** Each writes {@link plain} for everybody, and {@link canary} for a chief. */
export const xmlShapes = all.filter(({ name: one }) => !formless.has(one))

/** Trees do not start with these. */
export const formlessShapes = all.filter((one) => formless.has(one.name))
