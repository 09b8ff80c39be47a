import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { defaultFields } from '../../../src/codec/temporal/date-fields.ts'
import * as DatePattern from '../../../src/codec/temporal/date-pattern.ts'
import { describe, table } from '../../support/describe.ts'

const fields = {
  ...defaultFields(),
  year: 2024,
  month: 2,
  day: 3,
  dayOfWeek: 6,
  hour: 16,
  minute: 5,
  second: 7,
  millisecond: 89,
  offset: '+05:30',
  timeZone: 'Asia/Kolkata',
}

/** Formats each part as its letter and its output, or as its error. */
const parts = (pattern: string): ReadonlyArray<string> =>
  DatePattern.parse(pattern).map(
    E.match(
      (fault) => `! ${fault}`,
      ({ letter = '', element }) => `${letter}:${element.write(fields)}`,
    ),
  )

describe('DatePattern.parse', (test) => {
  table(
    test,
    [
      [
        'y yy yyy yyyy yyyyy',
        ['y:2024', ': ', 'y:24', ': ', 'y:2024', ': ', 'y:2024', ': ', 'y:02024'],
      ],
      ['u', ['y:2024']],
      ['M,MM,MMM,MMMM', ['M:2', ':,', 'M:02', ':,', 'M:Feb', ':,', 'M:February']],
      ['d-dd', ['d:3', ':-', 'd:03']],
      ['EEEE E', ['E:Saturday', ': ', 'E:Sat']],
      ['HH:mm:ss', ['H:16', '::', 'm:05', '::', 's:07']],
      ['h a', ['h:4', ': ', 'a:PM']],
      ['hh', ['h:04']],
      ['S.SS.SSS.SSSSSSSSS', ['S:0', ':.', 'S:08', ':.', 'S:089', ':.', 'S:089000000']],
      ['X/XX/XXX', ['X:+0530', ':/', 'X:+0530', ':/', 'X:+05:30']],
      ['x', ['X:+0530']],
      ['VV(z)', ['V:Asia/Kolkata', ':(', 'V:Asia/Kolkata', ':)']],
      ["'at' H", [':at', ': ', 'H:16']],
      ["h 'o''clock'", ['h:4', ': ', ":o'clock"]],
      ["''yy", [":'", 'y:24']],
      ["''''", [":'"]],
      ["'[yy]'", [':[yy]']],
      ['', []],
      ['b', ['! unknown letters b: put literal text in quotes']],
      ['ddd', ['! unknown letters ddd: put literal text in quotes']],
      ['V', ['! unknown letters V: put literal text in quotes']],
      ['MMMMM', ['! unknown letters MMMMM: put literal text in quotes']],
      ['T', ['! unknown letters T: put literal text in quotes']],
      ["H'h", ['H:16', '! unclosed quote', 'h:4']],
      ['H[', ['H:16', '! [ is reserved: put it in quotes']],
    ] as const,
    (pattern, expected) => assert.equal(parts(pattern), [...expected]),
  )
})
