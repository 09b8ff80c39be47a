import * as assert from 'uvu/assert'
import * as Level from '../../../src/compiler/settings/log-level.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { describe, table } from '../../support/describe.ts'

describe('Level.reaches', (test) => {
  table(
    test,
    [
      ['debug', 'debug', true],
      ['debug', 'trace', true],
      ['debug', 'info', false],
      ['error', 'warn', true],
      ['error', 'off', false],
    ] as const,
    (of, least, expected) => assert.is(Level.isAtLeast(of, least), expected),
  )
})

describe('Level.categoryOf', (test) => {
  table(
    test,
    [
      ['fw.log.category."access".level', 'access'],
      ['fw.log.category.access.level', 'access'],
      ['fw.log.category."com.example".level', 'com.example'],
      ['fw.log.category.com.example.level', 'com.example'],
      ['fw.log.category."WebApplicationException".level', 'WebApplicationException'],
      ['fw.log.category."a.level', undefined],
      ['fw.log.category.a".level', undefined],
      ['fw.log.category."".level', undefined],
      ['fw.log.category..level', undefined],
      ['fw.log.category.level', undefined],
      ['fw.log.level', undefined],
      ['fw.log.category."a".levels', undefined],
    ] as const,
    (name, expected) => assert.is(Level.categoryOf(name), expected),
  )
})

describe('Level.levelOf', (test) => {
  const settings = {
    ...defaultSettings,
    'fw.log.category."Orders".level': 'warn',
    'fw.log.category."my_own".level': 'debug',
  } as const
  table(
    test,
    [
      ['Orders', 'warn'],
      ['orders', 'info'], // a name in another case is another category …
      ['my.own', 'debug'], // … but for one that a variable has named
      ['My Own', 'debug'],
      ['other', 'info'],
    ] as const,
    (category, expected) => assert.is(Level.levelOf(settings, category), expected),
  )
  test('takes the first of the names that has one', () =>
    assert.is(Level.levelOf(settings, 'other', 'Orders', 'my.own'), 'warn'))
})
