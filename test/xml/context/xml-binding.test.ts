/** Documents of codecs: values round-trip, omitted members are not written, and input cannot modify prototypes. */
import * as fc from 'fast-check'
import { XMLValidator } from 'fast-xml-parser'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { generatedBackEnd } from '../../../src/codec/generated/generator/generated-back-end.ts'
import { interpretedBackEnd } from '../../../src/codec/generated/interpreted/interpreted-back-end.ts'
import { compileCodec } from '../../../src/codec/generated/compiled-codec.ts'
import { bindingOf } from '../../../src/xml/context/xml-binding.ts'
import { canGenerateCode } from '../../../src/codec/generated/select-back-end.ts'
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
import { there, xmlSample } from '../../support/xml-sample.ts'

const plain = { indentation: '', isOmitted: () => false }
const pretty = { ...plain, indentation: '  ' }

const backEnds = [interpretedBackEnd, ...(canGenerateCode() ? [generatedBackEnd] : [])]

/** A secret in all kinds of members and nested values. */
const canary = 'canary'
const Secret = t.refinement(t.string, () => true, 'Secret')
const hiding = (member: t.Mixed): boolean =>
  member === Secret || ('codec' in member && hiding(member.codec as t.Mixed))
const hidden: ReadonlyArray<readonly [place: string, codec: t.Mixed, value: unknown]> = [
  ['element', Secret, canary],
  ['attribute', xmlAttribute()(Secret), canary],
  ['text', xmlValue(Secret), canary],
]
const Inner = t.type({ shown: xmlAttribute()(t.string), secret: Secret })
const shown = { shown: 'x', secret: canary }
const nestings: ReadonlyArray<readonly [place: string, codec: t.Mixed, value: unknown]> = [
  ['object', Inner, shown],
  ['optional', optional(Inner), shown],
  ['list', list(Inner), [shown]],
  ['wrapper', xmlElementWrapper('all', 'one')(list(Inner)), [shown]],
  ['record', t.record(t.string, Inner), { a: shown }],
  ['union', t.union([t.type({ other: int }), Inner]), shown],
  ['intersection', t.intersection([Inner, t.partial({ more: int })]), shown],
  ['declared twice', t.intersection([t.type({ secret: t.string }), Inner]), shown],
  ['recursion', t.recursion('Inner', () => Inner), shown],
]

const written = (codec: t.Mixed, value: unknown): string =>
  bindingOf(t.type({ at: codec }, 'Outer')).writer({ indentation: '', isOmitted: hiding })({
    at: value,
  })

describe('XML binding: omitted members are not written', (test) => {
  table<(typeof hidden)[number]>(test, hidden.concat(nestings), (place, codec, value) => {
    const all = bindingOf(t.type({ at: codec }, 'Outer')).writer(plain)({ at: value })
    assert.match(all, canary, place)
    assert.not.match(written(codec, value), canary, place)
  })
})

describe('XML binding', (test) => {
  law(test, 'reading a written value returns an equal value', instance(xmlSample), (one) => {
    const document = bindingOf(one.codec)
    assert.equal(document.errors(), [])
    for (const layout of [plain, pretty]) {
      const text = document.writer(layout)(one.value)
      assert.is(XMLValidator.validate(text), true, text)
      for (const backEnd of backEnds) {
        const { decode } = compileCodec(one.codec, 'drop', backEnd)
        const read = document.read(text, { depth: 100, rejectsUndeclared: true, decode })
        assert.equal(E.map(there)(read), E.right(there(one.value)), text)
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
