import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { bodyPlans } from '../../src/body/create-body-plans.ts'
import { selectByMediaType } from '../../src/body/body-plan.ts'
import { as, bytes } from '../../src/index.ts'
import * as MediaType from '../../src/http/media-type.ts'
import { describe, table } from '../support/describe.ts'

const select = (mediaType: string, ...declared: ReadonlyArray<string>): string | undefined => {
  const plans = bodyPlans(
    declared.map((type) => as(type)(bytes)),
    [],
  )
  assert.is(plans.length, declared.length)
  const parsed = O.toUndefined(MediaType.parse(mediaType))
  const selected = selectByMediaType(parsed, plans)
  return selected === undefined ? undefined : declared[plans.indexOf(selected)]
}

describe('selectByMediaType', (test) => {
  const [flowed, plain, texts, any] = ['text/plain;format=flowed', 'text/plain', 'text/*', '*/*']
  table<readonly [mediaType: string, expected: string | undefined]>(
    test,
    [
      ['text/plain;format=flowed', flowed],
      ['text/plain;format=fixed', plain],
      ['text/plain', plain],
      ['text/csv', texts],
      ['image/png', any],
    ],
    (mediaType, expected) => {
      const orders = [
        [flowed, plain, texts, any],
        [any, texts, plain, flowed],
        [texts, any, flowed, plain],
      ]
      for (const declared of orders) assert.is(select(mediaType, ...declared), expected)
    },
  )
  table<readonly [name: string, selected: string | undefined, expected: string | undefined]>(
    test,
    [
      ['no media type matches', select('image/png', plain, texts), undefined],
      ['a malformed media type', select('image', any), undefined],
      ['the first of equal media types', select('text/plain', 'text/plain', 'TEXT/plain'), plain],
      ['the first of equal ranges', select('text/csv', 'text/*', 'TEXT/*'), texts],
      [
        'charset does not count',
        select('text/plain', plain, 'text/plain;charset=ISO-8859-1'),
        plain,
      ],
      [
        'two matching parameters are more specific than one',
        select('a/b;c=1;d=2', 'a/b;c=1', 'a/b;c=1;d=2'),
        'a/b;c=1;d=2',
      ],
    ],
    (_, selected, expected) => assert.is(selected, expected),
  )
})
