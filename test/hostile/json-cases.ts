/** JSON: arrays of what each codec accepts and rejects, and documents that are expensive to scan. */
import { pathOf } from './api.ts'
import type { CodecCase } from './codecs.ts'
import type { HostileCase } from './hostile-case.ts'
import { fill, filled, parsedBodySize, posted } from './hostile-case.ts'

const json = 'application/json'

/** The formats in which the arrays of some codecs are sent in addition to JSON. */
const formats = {
  json: { type: json, open: '[', close: ']', has: () => true },
  lossless: {
    type: json,
    open: '[',
    close: ']',
    has: (name: string) => ['number', 'decimal', 'bigint', 'union', 'type'].includes(name),
  },
  hal: {
    type: 'application/hal+json',
    open: '{"_links":{"self":{"href":"/"}},"items":[',
    close: ']}',
    has: (name: string) => ['type', 'record'].includes(name),
  },
} as const

/** Each codec with arrays of valid elements, of each kind of invalid elements, and with one invalid element at the end. */
export const arrays = (codecs: Readonly<Record<string, CodecCase>>): ReadonlyArray<HostileCase> =>
  (['json', 'lossless', 'hal'] as const).flatMap((format) =>
    Object.entries(codecs)
      .filter(([name]) => formats[format].has(name))
      .flatMap(([name, codec]) => arraysOf(format, name, codec)),
  )

const arraysOf = (
  format: keyof typeof formats,
  name: string,
  { valid, invalid }: CodecCase,
): ReadonlyArray<HostileCase> => {
  const { type, open, close } = formats[format]
  const of = (
    title: string,
    expected: 2 | 4,
    element: string,
    last: string = close,
  ): HostileCase => ({
    name: `${format}, array of ${name}: ${title}`,
    family: `${format}: ${expected === 2 ? 'accepted' : 'rejected'} arrays`,
    expected,
    request: () => posted(pathOf(format, name), type, filled(open, element, last)),
  })
  return [
    of(`all ${valid}`, 2, valid),
    of(`the last one ${invalid[0]}`, 4, valid, `,${invalid[0]}${close}`),
    ...invalid.map((text) => of(`all ${text}`, 4, text)),
  ]
}

type Row = readonly [title: string, expected: 2 | 4, body: (size: number) => string]

/** 99 arrays inside one another. */
const deepArray = `${'['.repeat(98)}0${']'.repeat(98)}`
const deepObject = `${'{"a":'.repeat(98)}0${'}'.repeat(98)}`
const members = (count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `"m${at}":0`).join(',')}}`

const documents: ReadonlyArray<Row> = [
  ['empty arrays', 2, (n) => filled('[', '[]', ']', n)],
  ['empty objects', 2, (n) => filled('[', '{}', ']', n)],
  ['empty texts', 2, (n) => filled('[', '""', ']', n)],
  ['zeros', 2, (n) => filled('[', '0', ']', n)],
  ['objects of one member', 2, (n) => filled('[', '{"a":0}', ']', n)],
  ['arrays of 99 levels', 2, (n) => filled('[', deepArray, ']', n)],
  ['objects of 99 levels', 2, (n) => filled('[', deepObject, ']', n)],
  [
    'many elements at level 99',
    2,
    (n) => `${'['.repeat(98)}${filled('[', '0', ']', n - 196)}${']'.repeat(98)}`,
  ],
  ['an array nested too deep', 4, (n) => fill('[', n)],
  ['closed, nested too deep', 4, (n) => fill('[', n / 2) + fill(']', n / 2)],
  ['an object nested too deep', 4, (n) => fill('{"a":', n)],
  [
    'one level too deep, again and again',
    4,
    (n) => filled('[', `${'['.repeat(101)}${']'.repeat(101)}`, ']', n),
  ],
  ['an unclosed array', 4, (n) => `[${fill('0,', n - 1)}`],
  ['an unclosed array of arrays', 4, (n) => `[${fill('[],', n - 1)}`],
  ['unclosed arrays of 99 levels', 4, (n) => `[${fill(`${deepArray},`, n - 1)}`],
  ['an unclosed object', 4, (n) => `{${fill('"a":0,', n - 1)}`],
  ['an unclosed text', 4, (n) => `"${fill('a', n - 1)}`],
  ['an unclosed text of escapes', 4, (n) => `"${fill('\\\\', n - 1)}`],
  ['an unclosed text of quotes', 4, (n) => `"${fill('\\"', n - 1)}`],
  ['closing brackets', 4, (n) => fill(']', n)],
  ['commas', 4, (n) => `[${fill(',', n - 1)}`],
  ['colons', 4, (n) => `{${fill(':', n - 1)}`],
  ['white space', 4, (n) => fill(' ', n)],
  ['white space in front of a value', 2, (n) => `${fill(' \n', n - 1)}0`],
  ['white space after a value', 2, (n) => `0${fill('\t', n - 1)}`],
  ['white space between values', 2, (n) => filled('[', '0         ', ']', n)],
  ['a long text', 2, (n) => `"${fill('a', n - 2)}"`],
  ['a text of escapes', 2, (n) => `"${fill('\\n', n - 2)}"`],
  ['a text of escaped units', 2, (n) => `"${fill('\\u0000', n - 2)}"`],
  ['a text of lone surrogates', 2, (n) => `"${fill('\\ud800', n - 2)}"`],
  ['a text of brackets', 2, (n) => `"${fill('[{', n - 2)}"`],
  ['a long number', 2, (n) => `0.${fill('1', n - 2)}`],
  ['a long integer', 2, (n) => fill('1', n)],
  ['a long exponent', 2, (n) => `1e-${fill('9', n - 3)}`],
  ['long numbers', 2, (n) => filled('[', `0.${'1'.repeat(900)}`, ']', n)],
  ['numbers out of range', 2, (n) => filled('[', '1e400', ']', n)],
  ['minus signs', 4, (n) => fill('-', n)],
  ['objects with the most members', 2, (n) => filled('[', members(10_000), ']', n)],
  ['an object with one member too many', 4, () => members(10_001)],
  ['an object with too many members', 4, (n) => members(Math.floor(n / 12))],
  [
    'an object that repeats a member',
    2,
    (n) => filled('[', `{${fill('"a":0,', 9000).slice(0, -1)}}`, ']', n),
  ],
  [
    'objects with members of numeric names',
    2,
    (n) =>
      filled(
        '[',
        `{${Array.from({ length: 9000 }, (_, at) => `"${at * 1_000_003}":0`).join(',')}}`,
        ']',
        n,
      ),
  ],
  ['objects with __proto__', 4, (n) => filled('[', '{"__proto__":{"a":0}}', ']', n)],
  ['a member with a long name', 2, (n) => `{"${fill('a', n - 6)}":0}`],
  [
    'different names',
    2,
    (n) =>
      `[${Array.from({ length: Math.floor(n / 14) }, (_, at) => `{"m${at}":0}`)
        .join(',')
        .slice(0, n - 2)
        .replace(/,[^,]*$/, '')}]`,
  ],
  ['true and null', 2, (n) => filled('[', 'true,null,false', ']', n)],
  ['an error at the end', 4, (n) => filled('[', '{"a":[0]}', '}', n)],
  ['letters', 4, (n) => fill('a', n)],
  ['zero bytes', 4, (n) => fill('\0', n)],
]

/** Numbers that a double cannot hold are rejected unless JSON is read losslessly. */
const outOfRange: ReadonlySet<string> = new Set(['a long integer', 'numbers out of range'])

/** Documents for an operation that accepts any value. */
export const texts: ReadonlyArray<HostileCase> = documents.flatMap(([title, expected, body]) => [
  {
    name: `JSON: ${title}`,
    family: 'json: structure',
    expected: outOfRange.has(title) ? 4 : expected,
    request: () => posted('/unknown', json, body(parsedBodySize)),
  },
  {
    name: `lossless JSON: ${title}`,
    family: 'lossless json: structure',
    expected,
    request: () => posted('/lossless', json, body(parsedBodySize)),
  },
])
