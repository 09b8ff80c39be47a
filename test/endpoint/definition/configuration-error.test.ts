import * as assert from 'uvu/assert'
import type { ConfigurationIssue } from '../../../src/endpoint/definition/configuration-error.ts'
import {
  ConfigurationError,
  titles,
  format,
} from '../../../src/endpoint/definition/configuration-error.ts'
import { describe } from '../../support/describe.ts'

const duplicate: ConfigurationIssue = {
  code: 'FW-ROUTE-002',
  concerns: ['GET /a  (one)', 'GET /a  (two)'],
  remedy: 'merge them',
}
const unknown: ConfigurationIssue = {
  code: 'FW-CONF-001',
  concerns: ['fw.rest.pth'],
  remedy: 'remove it',
}

describe('configuration errors', (test) => {
  test('a single error is formatted as a block', () =>
    assert.is(
      format([duplicate]),
      [
        '1 configuration error',
        'FW-ROUTE-002  ambiguous operations',
        '             GET /a  (one)',
        '             GET /a  (two)',
        '             → merge them',
      ].join('\n'),
    ))
  test('several errors are formatted one below the other', () =>
    assert.is(
      format([unknown, duplicate]),
      [
        '2 configuration errors',
        'FW-CONF-001  unknown setting',
        '             fw.rest.pth',
        '             → remove it',
        ...format([duplicate]).split('\n').slice(1),
      ].join('\n'),
    ))
  test('ConfigurationError has them as text and as values', () => {
    const error = new ConfigurationError([duplicate, unknown])
    assert.instance(error, Error)
    assert.is(error.name, 'ConfigurationError')
    assert.is(error.message, format([duplicate, unknown]))
    assert.equal(error.issues, [duplicate, unknown])
  })
  test('codes have an area and a number, titles are lower-case phrases', () => {
    for (const [code, text] of Object.entries(titles)) {
      assert.match(code, /^FW-[A-Z]+-\d{3}$/)
      assert.match(text, /^[a-z].*[^.]$/)
    }
  })
})
