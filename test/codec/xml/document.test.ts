/** Documents of codecs: that what is written is read as it was, and what nobody can put into them. */
import * as fc from 'fast-check'
import { XMLValidator } from 'fast-xml-parser'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { bySource } from '../../../src/codec/compiled/source/source.ts'
import { byClosures } from '../../../src/codec/compiled/closures/closures.ts'
import { compiled } from '../../../src/codec/compiled/compiled.ts'
import { documentOf } from '../../../src/codec/xml/document.ts'
import { canGenerate } from '../../../src/interpreter/back-end.ts'
import { xmlContext, xmlElement } from '../../../src/xml.ts'
import { describe, law } from '../../support/describe.ts'
import { instance } from '../../support/sample.ts'
import { xmlSample } from '../../support/xml-sample.ts'

const plain = { indentation: '', omits: () => false }
const pretty = { ...plain, indentation: '  ' }

/** What is `undefined` is as good as missing, and in a list as `null`. */
const there = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => there(one) ?? null)
  if (value instanceof Set) return new Set([...value].map(there))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([key, one]) => [key, there(one)]),
  )
}

const backEnds = [byClosures, ...(canGenerate() ? [bySource] : [])]

describe('documents', (test) => {
  law(test, 'reading what was written gives the value back', instance(xmlSample), (one) => {
    const document = documentOf(one.codec)
    assert.equal(document.mistakes(), [])
    for (const layout of [plain, pretty]) {
      const text = document.writer(layout)(one.value)
      assert.is(XMLValidator.validate(text), true, text)
      for (const backEnd of backEnds) {
        const { decode } = compiled(one.codec, 'drop', backEnd)
        const read = document.read(text, { depth: 100, refuses: true, decode })
        assert.equal(E.map(there)(read), E.right(there(one.value)), text)
      }
    }
  })
  law(
    test,
    'E1: what is read has members that are declared, and a prototype like any other',
    fc.tuple(
      fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'a', 'hasOwnProperty'),
      fc.constantFrom('__proto__', 'constructor', 'prototype', 'polluted', 'a'),
    ),
    ([outer, inner]) => {
      const text = `<sample ${inner}="x"><${outer}><${inner}>1</${inner}></${outer}><a>x</a></sample>`
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
