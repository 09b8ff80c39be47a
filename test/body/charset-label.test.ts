import * as assert from 'uvu/assert'
import { charsetName, isUtf8Compatible } from '../../src/body/charset.ts'
import { describe, table } from '../support/describe.ts'

/** Labels of the Encoding Standard, each with its charset, and whether it can be decoded as UTF-8. */
const labels: ReadonlyArray<[name: string, isCompatible: boolean, labels: string]> = [
  ['utf-8', true, 'utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8'],
  ['us-ascii', true, 'us-ascii ascii ansi_x3.4-1968'],
  [
    'iso-8859-1',
    false,
    'iso-8859-1 cp819 csisolatin1 ibm819 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1',
  ],
  ['windows-1252', false, 'windows-1252'],
  ['utf-16le', false, 'utf-16le'],
]

describe('charset labels', (test) => {
  table(test, labels, (name, isCompatible, text) => {
    for (const label of text.split(' '))
      for (const spelling of [label, label.toUpperCase()]) {
        assert.is(charsetName(spelling), name)
        assert.is(isUtf8Compatible(spelling), isCompatible)
      }
  })
  test('the labels of a charset have the same decoder', () => {
    for (const [name, , text] of labels)
      for (const label of text.split(' '))
        assert.is(new TextDecoder(label).encoding, new TextDecoder(name).encoding)
  })
  test('an unknown label is returned in lower case', () => {
    assert.is(charsetName('Klingon'), 'klingon')
    assert.is(charsetName('constructor'), 'constructor')
  })
})
