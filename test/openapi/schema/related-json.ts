/** Arbitrary JSON values whose names and texts are those that the codecs of `describable-sample.ts` declare. */
import * as fc from 'fast-check'

/** Names of members. Some of them are not declared by any codec. */
export const memberNames = ['a', 'b', 'x', 'kind', 'it', 'z', 'ab'] as const

/** Texts that are valid for some codec, or do not have the syntax of its text format. */
export const texts: ReadonlyArray<string> = [
  ['', 'a', 'b', 'ab', 'abc', 'A', 'z', '🍐', '🍐🍐', 'a🍐', '1', 'a\nb', 'null', 'é'],
  ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6', 'f81d4fae'],
  ['2024-02-29', '-0001-01-01', '+12024-12-31', '12024-12-31', '2024-2-29', '-0000-01-01'],
  ['10:15', '10:15:30.25', '10:15:30.', '1:15', '10:15:30+01:00', '10:15z', '10:15:30+24:00'],
  ['2024-01-31T10:15:30', '2024-01-31t10:15:30Z', '2024-01-31T10:15+01:00', '2024-01-31 10:15Z'],
  ['2024-01-31T10:15:30+01:00[Europe/Paris]', '2024-01-31T10:15:30Z[]', '2024', '+12024'],
  ['2024-01', '31/01/2024', '31/1/2024', 'Wed 31 Jan 24 at 9 PM', 'Wed 31 jan 24 at 9 PM'],
  ['P1Y2M3DT4H5M6.5S', '-P1D', 'p1w', 'P', 'PT', 'P1DT', 'PT1.5H', 'P1D2Y', 'PT0S', 'P1D ', ' P1D'],
  ['12.50', '-0', '+1', '007', '1e3', '.5', '5.', '1E-7', '9007199254740993', '0x1', '1 '],
].flat()

const numbers: ReadonlyArray<number> = [0, -0, 1, 2, 5, 9, 10, -1, 1.5, 0.1, 2 ** 53, 1e21, 1e300]

/** Any JSON value, whose names and texts are those that codecs declare. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, 'a', 'b', 1, 2) },
    { weight: 2, arbitrary: fc.constantFrom<unknown>(...numbers, ...texts) },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 3,
      arbitrary: fc.dictionary(fc.constantFrom(...memberNames), tie('value'), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
    },
  ),
})).value
