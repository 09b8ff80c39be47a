/** URL-encoded forms. */
import type { HostileCase } from './hostile-case.ts'
import { fill, parsedBodySize, posted } from './hostile-case.ts'

type Row = readonly [title: string, expected: 2 | 4 | 413, body: (size: number) => string]

/** The default of `fw.http.limits.max-parameters`. */
const fields = 1000
/** The default of `fw.http.limits.max-form-attribute-size`. */
const fieldSize = 2048

const times = (pair: string, count = fields): string => `${pair}&`.repeat(count).slice(0, -1)

/** Valid and invalid forms. `/form-map` accepts all field names and values. */
const rows: ReadonlyArray<readonly [...Row, map: 2 | 4 | 413]> = [
  ['too many names', 413, (n) => fill('a&', n), 413],
  ['too many pairs', 413, (n) => fill('a=1&', n), 413],
  ['separators', 2, (n) => fill('&', n), 2],
  ['separators around a field', 2, (n) => `${fill('&', n / 2)}a=1${fill('&', n / 2 - 3)}`, 2],
  ['too many empty pairs', 413, (n) => fill('=&', n), 413],
  ['equals signs', 413, (n) => fill('=', n), 413],
  ['one large field', 413, (n) => `a=${fill('x', n - 2)}`, 413],
  ['one large name', 413, (n) => fill('x', n), 413],
  ['fields above the limit', 413, (n) => fill(`a=${'x'.repeat(2049)}&`, n), 413],
  ['the maximum number of fields', 2, () => times('a=1'), 2],
  ['large fields', 2, (n) => times(`a=${'x'.repeat(fieldSize / 2)}`).slice(0, n), 2],
  [
    'large fields of escapes',
    2,
    (n) =>
      times(`a=${'%41'.repeat(340)}`)
        .slice(0, n)
        .replace(/&[^&]*$/, ''),
    2,
  ],
  ['large fields of plus signs', 2, (n) => times(`a=${'+'.repeat(1000)}`).slice(0, n), 2],
  ['large names that are not declared', 2, (n) => times(`${'x'.repeat(1000)}=1`).slice(0, n), 2],
  ['different names', 2, () => Array.from({ length: fields }, (_, at) => `f${at}=1`).join('&'), 2],
  ['escaped names', 2, () => times('%61=1'), 2],
  ['numbers', 2, () => times('n=123456789'), 2],
  ['no numbers', 4, () => times('n=x'), 2],
  ['long texts instead of numbers', 4, (n) => times(`n=${'9'.repeat(1000)}x`).slice(0, n), 2],
  ['instants', 2, () => times('d=2026-02-28T12:34:56Z'), 2],
  ['no instants', 4, () => times('d=2026-02-30T12:34:56Z'), 2],
  [
    'long texts instead of instants',
    4,
    (n) => times(`d=${'2026-02-28T'.repeat(90)}`).slice(0, n),
    2,
  ],
  ['a set', 2, () => Array.from({ length: fields }, (_, at) => `s=${at}`).join('&'), 2],
  ['separated numbers', 2, () => `c=${fill('1,', fieldSize)}1`.slice(0, fieldSize), 2],
  ['separators of values', 2, () => `c=${fill(',', fieldSize)}`, 2],
  ['a long decimal', 4, () => `o=${'1'.repeat(fieldSize - 1)}x`, 2],
  ['malformed escapes', 4, (n) => fill('a=%&', n), 4],
  ['a malformed escape at the end', 4, (n) => `a=${fill('%41', n - 4)}%4`, 4],
  ['escapes that are not UTF-8', 4, () => times('a=%ff%fe'), 4],
  ['semicolons', 413, (n) => fill('a=1;', n), 413],
  ['brackets', 2, () => times(`a${'[x]'.repeat(150)}=1`), 2],
]

export const forms: ReadonlyArray<HostileCase> = rows.flatMap(([title, expected, body, map]) =>
  (
    [
      ['/form', expected],
      ['/form-map', map],
    ] as const
  ).map(([target, status]) => ({
    name: `form, ${target}: ${title}`,
    family: 'form',
    expected: status,
    request: () => posted(target, 'application/x-www-form-urlencoded', body(parsedBodySize)),
  })),
)
