/** Values that hold a secret, in codecs of every shape that XML has. */
import * as t from 'io-ts'
import { list, secureField } from '../../src/index.ts'
import {
  xmlAttribute,
  xmlElement,
  xmlElementWrapper,
  xmlList,
  xmlRootElement,
  xmlValue,
} from '../../src/xml.ts'
import type { Shape } from './secrets.ts'
import { canary, plain, shapes } from './secrets.ts'

const secured = secureField('chief')
const name = t.string
const both = { name: plain, secret: canary }

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
  'opaque beside anything',
])

/** What says nothing of itself has to be a single value where XML has a text, which shows when it is written. */
const unknown: ReadonlySet<string> = new Set([
  'opaque',
  'opaque inside',
  'opaque exact',
  'opaque list',
  'piped',
])

const all = [
  ...shapes,
  ...own.map(([title, codec, value]): Shape => ({ name: `xml: ${title}`, codec, value })),
].map(rooted)

/** Each writes {@link plain} for everybody, and {@link canary} for a chief. */
export const xmlShapes = all.filter(({ name: one }) => !formless.has(one) && !unknown.has(one))

/** Trees do not start with these. */
export const formlessShapes = all.filter((one) => formless.has(one.name))

/** Nothing of these is written. */
export const unknownShapes = all.filter((one) => unknown.has(one.name))
