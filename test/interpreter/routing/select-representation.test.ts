import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Representation } from '../../../src/index.ts'
import {
  as,
  file,
  get,
  handle,
  html,
  inLanguage,
  path,
  produces,
  reply,
  responds,
  text,
} from '../../../src/index.ts'
import { bodyPlans } from '../../../src/body/create-body-plans.ts'
import {
  representationSelector,
  responseSelector,
  varyingHeaders,
} from '../../../src/interpreter/routing/select-representation.ts'
import { describe, table } from '../../support/describe.ts'
import { endpointPlan } from '../../support/plan.ts'

const plans = (...representations: ReadonlyArray<Representation<unknown>>) =>
  bodyPlans(representations, [])
const [en, de] = [inLanguage('en')(text), inLanguage('de')(text)]

describe('varyingHeaders', (test) => {
  table(
    test,
    [
      ['no representation', plans(), []],
      ['one representation', plans(text), []],
      ['one representation in a language', plans(de), []],
      ['a range', plans(as('text/*')(text)), ['Accept']],
      ['a file, whose type is not negotiated', plans(as('image/*')(file)), []],
      ['two media types', plans(text, html), ['Accept']],
      ['two media types in one language', plans(de, inLanguage('de')(html)), ['Accept']],
      ['two languages', plans(en, de), ['Accept', 'Accept-Language']],
      ['a language and none', plans(text, de), ['Accept', 'Accept-Language']],
    ] as const,
    (_, alternatives, expected) => assert.equal(varyingHeaders(alternatives), expected),
  )
})

describe('representationSelector', (test) => {
  const alternatives = plans(html, as('text/*')(text))
  const select = representationSelector(alternatives)
  table(
    test,
    [
      ['a media type', 'text/html', { index: 0, contentType: 'text/html;charset=UTF-8' }],
      ['a type within a range', 'text/csv', { index: 1, contentType: 'text/csv;charset=UTF-8' }],
      ['an unacceptable type', 'image/png', { index: 0, contentType: 'text/html;charset=UTF-8' }],
      ['a malformed header', '?', { index: 0, contentType: 'text/html;charset=UTF-8' }],
      ['a missing header', undefined, { index: 0, contentType: 'text/html;charset=UTF-8' }],
    ] as const,
    (_, accept, { index, contentType }) =>
      assert.equal(select(accept, []), { plan: alternatives[index], contentType }),
  )
  test('returns no media type for a range without a fallback', () =>
    assert.is(
      representationSelector(plans(as('image/*')(text)))('*/*', [])?.contentType,
      undefined,
    ))
  test('returns undefined without representations', () =>
    assert.is(representationSelector([])('*/*', []), undefined))
})

describe('responseSelector', (test) => {
  const endpoint = pipe(path('/'), get())
  test('selects among the representations of the success response', () => {
    const plan = endpointPlan(
      pipe(
        endpoint,
        produces(en),
        responds(203, de),
        handle(() => ''),
      ),
    )
    const german = ['Accept-Language', 'de']
    assert.is(responseSelector(plan)(german)?.language, 'en')
  })
  test('without a success response with a body, selects among the other success responses', () => {
    const plan = endpointPlan(
      pipe(
        endpoint,
        responds(203, en, de),
        handle(() => reply(203, '')),
      ),
    )
    assert.equal(responseSelector(plan)(['Accept-Language', 'de']), {
      contentType: 'text/plain;charset=UTF-8',
      language: 'de',
    })
  })
  test('the media type of a file is unknown', () => {
    const plan = endpointPlan(
      pipe(
        endpoint,
        produces(as('image/*')(file)),
        handle(() => ''),
      ),
    )
    assert.equal(responseSelector(plan)([]), { contentType: undefined, language: undefined })
  })
  test('returns undefined without a body', () =>
    assert.is(
      responseSelector(
        endpointPlan(
          pipe(
            endpoint,
            handle(() => undefined),
          ),
        ),
      )([]),
      undefined,
    ))
})
