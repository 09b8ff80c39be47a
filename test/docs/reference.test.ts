import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { titles } from '../../src/endpoint/definition/configuration-error.ts'
import { describe } from '../support/describe.ts'
import { settingsReference } from './reference.ts'

const read = (page: string): string => readFileSync(`src/guide/${page}.md`, 'utf8')

describe('the reference of settings', (test) => {
  test('equals the text generated from the code', () =>
    assert.is(
      read('settings'),
      settingsReference(),
      'run node .scripts/reference.mjs after a build',
    ))
})

describe('the reference of error codes', (test) => {
  const text = read('error-codes')
  /** Returns the codes that a pattern finds, with their titles. */
  const find = (pattern: RegExp): ReadonlyArray<readonly [code: string, title: string]> =>
    Array.from(text.matchAll(pattern), ([, code = '', title = '']) => [code, title])
  const rows = find(/^\| \[([\w-]+)\]\(#[\w-]+\) +\| (.*?) +\|$/gm)

  test('lists each code with its title', () => assert.equal(Object.fromEntries(rows), titles))
  test('describes each code, in the order of the list', () =>
    assert.equal(find(/^## (.*)\n\n_(.*)_\. Reported by .*\.\n\nCause: .*\n\nRemedy: .*$/gm), rows))
})
