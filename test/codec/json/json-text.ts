/** Arbitrary JSON texts, with numbers of any length and strings of any characters. */
import * as fc from 'fast-check'
import { unicodeString } from '../../support/unicode-string.ts'

const digits = fc.stringMatching(/^\d{1,30}$/)
/** JSON numbers of any length, as text. */
export const number = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,40}$/)),
    fraction: fc.option(digits),
    exponent: fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits)),
  })
  .map(
    ({ sign, whole, fraction, exponent }) =>
      `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent?.join('') ?? ''}`,
  )

/** JSON texts without white space and without duplicate names. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    number,
    unicodeString.map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('value'), { maxLength: 4 }).map((all) => `[${all.join()}]`),
    fc
      .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z"\\ é]{0,3}$/), tie('value')), {
        selector: ([name]) => name,
        maxLength: 4,
      })
      .map((all) => `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
  ),
})).value
