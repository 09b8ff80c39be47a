/** Multipart forms: many parts, large headers, and bodies that resemble a boundary. */
import type { HostileCase } from './hostile-case.ts'
import { fill, filled, posted } from './hostile-case.ts'

const boundary = 'XX'
const mediaType = `multipart/form-data; boundary=${boundary}`

/** Multipart bodies are read chunk by chunk, so larger bodies cost more in total but do not block the event loop longer. */
const large = 2 * 1024 * 1024

const part = (head: string, content: string): string =>
  `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`
const named = (name: string, more = ''): string =>
  `Content-Disposition: form-data; name="${name}"${more}`
const file = named('file', '; filename="f"')
const formOf = (parts: string): string => `${parts}--${boundary}--\r\n`
const times = (count: number, encoded: string): string => formOf(encoded.repeat(count))

type Row = readonly [title: string, expected: 2 | 4 | 413, body: () => string]

const rows: ReadonlyArray<Row> = [
  ['the most parts', 2, () => times(1000, part(named('a'), 'x'))],
  ['too many parts', 413, () => times(15_000, part(named('a'), 'x'))],
  ['too many empty parts', 413, () => times(15_000, part(named('a'), ''))],
  ['the most large parts', 2, () => times(1000, part(named('a'), 'x'.repeat(2048)))],
  ['parts that are not declared', 2, () => times(1000, part(named('z'), 'x'.repeat(2048)))],
  ['a part that is too large', 413, () => formOf(part(named('a'), fill('x', large / 2)))],
  ['the largest file', 2, () => formOf(part(file, fill('x', large - 200)))],
  ['the most files', 2, () => times(10, part(file, fill('x', large / 10 - 200)))],
  ['too many files', 413, () => times(9000, part(file, 'x'))],
  ['a file of line ends', 2, () => formOf(part(file, fill('\r\n', large - 200)))],
  ['a file of carriage returns', 2, () => formOf(part(file, fill('\r', large - 200)))],
  ['a file of hyphens', 2, () => formOf(part(file, fill('-', large - 200)))],
  [
    'a file of beginnings of the delimiter',
    2,
    () => formOf(part(file, fill('\r\n--', large - 200))),
  ],
  ['a file of nearly the delimiter', 2, () => formOf(part(file, fill('\r\n--X', large - 200)))],
  [
    'a file of delimiters without line ends',
    2,
    () => formOf(part(file, fill('x--XX', large - 200))),
  ],
  ['a preamble', 2, () => `${fill('preamble\r\n', large / 2)}${formOf(part(named('a'), 'x'))}`],
  ['an epilogue', 2, () => `${formOf(part(named('a'), 'x'))}${fill('epilogue\r\n', large / 2)}`],
  ['no delimiter', 4, () => fill('x', large)],
  ['delimiters alone', 4, () => fill('--XX\r\n', large / 4)],
  ['an unclosed form', 4, () => `${part(named('a'), 'x').repeat(500)}--XX\r\n${named('a')}`],
  ['a long header', 2, () => times(10, part(`${named('a')}\r\nX: ${'x'.repeat(30_000)}`, 'x'))],
  ['long headers', 2, () => times(60, part(`${named('a')}\r\nX: ${'x'.repeat(30_000)}`, 'x'))],
  [
    'many headers',
    2,
    () => times(1000, part(`${named('a')}\r\n${'X: 1\r\n'.repeat(38)}Y: 1`, 'x')),
  ],
  [
    'too many headers',
    413,
    () => times(100, part(`${named('a')}\r\n${'X: 1\r\n'.repeat(4000)}Y: 1`, 'x')),
  ],
  ['a header without an end', 413, () => `--XX\r\nContent-Disposition: ${fill('x', large / 2)}`],
  ['headers without an end', 413, () => `--XX\r\n${fill('X: 1\r\n', large / 2)}`],
  ['long names', 2, () => times(60, part(named('n'.repeat(30_000)), 'x'))],
  ['names of escapes', 2, () => times(60, part(named('%22'.repeat(10_000)), 'x'))],
  [
    'long file names',
    2,
    () => times(10, part(named('file', `; filename="${'f'.repeat(30_000)}"`), 'x')),
  ],
  [
    'extended file names',
    2,
    () => times(10, part(named('file', `; filename*=UTF-8''${'%41'.repeat(10_000)}`), 'x')),
  ],
  ['many parameters', 2, () => times(60, part(named('a', ';b=c'.repeat(7000)), 'x'))],
  ['semicolons', 2, () => times(60, part(named('a', ';'.repeat(30_000)), 'x'))],
  ['quotes', 413, () => times(60, part(named('a', '; b="\\'.repeat(6000)), 'x'))],
  [
    'long media types',
    2,
    () => times(60, part(`${named('a')}\r\nContent-Type: text/plain${';a=b'.repeat(7000)}`, 'x')),
  ],
  ['numbers', 2, () => times(1000, part(named('n'), '123456789'))],
  ['no numbers', 4, () => times(1000, part(named('n'), 'x'))],
  [
    'a JSON part',
    2,
    () =>
      formOf(
        part(
          `${named('note')}\r\nContent-Type: application/json`,
          filled('[', '{"a":0}', ']', 2048),
        ),
      ),
  ],
  [
    'a rejected JSON part',
    4,
    () =>
      formOf(
        part(`${named('note')}\r\nContent-Type: application/json`, filled('[', '0', ']', 2048)),
      ),
  ],
]

/** Titles of the forms that an operation without declared parts accepts. */
const anyPart: ReadonlySet<string> = new Set(['no numbers', 'a rejected JSON part'])

export const multipart: ReadonlyArray<HostileCase> = rows.flatMap(([title, expected, body]) =>
  ['/parts', '/all-parts', '/streamed-parts'].map((target) => ({
    name: `multipart, ${target}: ${title}`,
    family: 'multipart',
    expected: target !== '/parts' && anyPart.has(title) ? 2 : expected,
    request: () => posted(target, mediaType, body()),
  })),
)
