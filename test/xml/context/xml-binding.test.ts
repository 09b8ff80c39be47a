/** Documents of codecs: values round-trip, omitted members are not written, and input cannot modify prototypes. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { generatedBackEnd } from '../../../src/codec/compiled/generator/generated-back-end.ts'
import { interpretedBackEnd } from '../../../src/codec/compiled/interpreted-back-end.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { bindingOf } from '../../../src/xml/context/xml-binding.ts'
import { canGenerateCode } from '../../../src/codec/compiled/select-back-end.ts'
import { int, list, optional } from '../../../src/index.ts'
import {
  xmlAttribute,
  xmlContext,
  xmlElement,
  xmlElementWrapper,
  xmlValue,
} from '../../../src/xml.ts'
import { describe, law, table } from '../../support/describe.ts'
import { instance } from '../../support/sample.ts'
import { normalizeAbsent, xmlSample } from '../../support/xml-sample.ts'
import { secondReading } from '../reading/second-xml-reader.ts'

const plain = { indentation: '', isOmitted: () => false }
const pretty = { ...plain, indentation: '  ' }

const backEnds = [interpretedBackEnd, ...(canGenerateCode() ? [generatedBackEnd] : [])]

/** A secret in all kinds of members and nested values. */
const canary = 'canary'
const Secret = t.refinement(t.string, () => true, 'Secret')
const isHidden = (member: t.Mixed): boolean =>
  member === Secret || ('codec' in member && isHidden(member.codec as t.Mixed))
const hidden: ReadonlyArray<readonly [location: string, codec: t.Mixed, value: unknown]> = [
  ['element', Secret, canary],
  ['attribute', xmlAttribute()(Secret), canary],
  ['text', xmlValue(Secret), canary],
]
const Inner = t.type({ visible: xmlAttribute()(t.string), secret: Secret })
const innerValue = { visible: 'x', secret: canary }
const nestings: ReadonlyArray<readonly [location: string, codec: t.Mixed, value: unknown]> = [
  ['object', Inner, innerValue],
  ['optional', optional(Inner), innerValue],
  ['list', list(Inner), [innerValue]],
  ['wrapper', xmlElementWrapper('all', 'one')(list(Inner)), [innerValue]],
  ['record', t.record(t.string, Inner), { a: innerValue }],
  ['union', t.union([t.type({ other: int }), Inner]), innerValue],
  ['intersection', t.intersection([Inner, t.partial({ more: int })]), innerValue],
  ['declared twice', t.intersection([t.type({ secret: t.string }), Inner]), innerValue],
  ['recursion', t.recursion('Inner', () => Inner), innerValue],
]

const writeVisible = (codec: t.Mixed, value: unknown): string =>
  bindingOf(t.type({ at: codec }, 'Outer')).writer({ indentation: '', isOmitted: isHidden })({
    at: value,
  })

describe('XML binding: omitted members are not written', (test) => {
  table<(typeof hidden)[number]>(test, hidden.concat(nestings), (location, codec, value) => {
    const all = bindingOf(t.type({ at: codec }, 'Outer')).writer(plain)({ at: value })
    assert.match(all, canary, location)
    assert.not.match(writeVisible(codec, value), canary, location)
  })
})

describe('XML binding', (test) => {
  law(test, 'reading a written value returns an equal value', instance(xmlSample), (sample) => {
    const binding = bindingOf(sample.codec)
    assert.equal(binding.errors(), [])
    for (const layout of [plain, pretty]) {
      const text = binding.writer(layout)(sample.value)
      assert.ok(E.isRight(secondReading(text)), text)
      for (const backEnd of backEnds) {
        const { decode } = compileCodec(sample.codec, 'drop', backEnd)
        const decoded = binding.read(text, { depth: 100, rejectsUndeclared: true, decode })
        assert.equal(E.map(normalizeAbsent)(decoded), E.right(normalizeAbsent(sample.value)), text)
      }
    }
  })
  law(
    test,
    'read objects have declared members only and the default prototype',
    fc.tuple(
      fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'a', 'hasOwnProperty'),
      fc.constantFrom('__proto__', 'constructor', 'prototype', 'polluted', 'a'),
    ),
    ([outer, inside]) => {
      const text = `<sample ${inside}="x"><${outer}><${inside}>1</${inside}></${outer}><a>x</a></sample>`
      const Sample = t.type({ a: xmlElement('a')(t.string) }, 'Sample')
      const Open = t.record(t.string, t.union([t.string, t.record(t.string, t.string)]), 'Open')
      const closed = xmlContext([Sample]).read(text)
      const open = xmlContext([Open]).read(text.replaceAll('sample', 'open'))
      for (const read of [closed, open]) {
        if (E.isLeft(read)) continue
        assert.is(Object.getPrototypeOf(read.right), Object.prototype)
        for (const value of Object.values(read.right))
          if (typeof value === 'object') assert.is(Object.getPrototypeOf(value), Object.prototype)
      }
      assert.not.ok('polluted' in {})
    },
  )
})
