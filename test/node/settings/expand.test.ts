import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { expanding } from '../../../src/node/settings/expand.ts'
import { describe, table } from '../../support/describe.ts'

const properties = new Map([
  ['role.admin', 'chief'],
  ['text', '${role.admin}'],
  ['stage', 'admin'],
])
const expand = expanding((name) => properties.get(name))

describe('expanding', (test) => {
  table<[text: string, expected: string]>(
    test,
    [
      ['admin', 'admin'],
      ['${role.admin}', 'chief'],
      ['${role.admin:admin}', 'chief'],
      ['${role.other:admin}', 'admin'],
      ['${role.other:${role.admin}}', 'chief'],
      ['${role.${stage}}', 'chief'],
      ['a-${role.admin}-${none:b}', 'a-chief-b'],
      ['${text}', '${role.admin}'], // what a property holds was resolved where it was read
      ['$${role.admin}', '${role.admin}'],
    ],
    (text, expected) => assert.equal(expand(text), E.right(expected)),
  )
  table<[text: string, why: RegExp]>(
    test,
    [
      ['${none}', /"none".*\$\{none:default\}/],
      ['${none} ${neither}', /"none".*; .*"neither"/],
      ['${role.admin', /close/],
    ],
    (text, why) => {
      const expanded = expand(text)
      assert.ok(E.isLeft(expanded))
      assert.match(expanded.left, why)
    },
  )
})
