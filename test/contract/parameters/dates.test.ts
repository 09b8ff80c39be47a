/** Date and time codecs in all kinds of parameters and in response bodies. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  cookie,
  dateFormat,
  duration,
  form,
  fromString,
  get,
  handle,
  header,
  instant,
  json,
  list,
  matrix,
  offsetDateTime,
  offsetTime,
  optional,
  path,
  plainDate,
  plainDateTime,
  plainTime,
  post,
  produces,
  query,
  routes,
  separated,
  set,
  withDefault,
  year,
  yearMonth,
  zonedDateTime,
} from '../../../src/index.ts'
import { expectedTypes } from '../../../src/codec/from-string.ts'
import { responseTo, sendRequest, validationErrorsOf } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

/** A custom date codec: days since 1970-01-01. */
const epochDay = fromString(
  'epochDay',
  (written) => (/^\d+$/.test(written) ? Number(written) : undefined),
  String,
)

const dates = {
  plainDate: optional(plainDate),
  plainTime: optional(plainTime),
  plainDateTime: optional(plainDateTime),
  offsetDateTime: optional(offsetDateTime),
  offsetTime: optional(offsetTime),
  zonedDateTime: optional(zonedDateTime),
  instant: optional(instant),
  year: optional(year),
  yearMonth: optional(yearMonth),
  duration: optional(duration),
  day: optional(dateFormat('dd/MM/yyyy')(plainDate)),
  clock: optional(dateFormat("h:mm a 'sharp'")(plainTime)),
  moment: optional(dateFormat('yyyyMMdd HHmmssX')(instant)),
  epochDay: optional(epochDay),
}

const slashed = dateFormat('dd/MM/yyyy')(plainDate)
const collections = {
  days: list(plainDate),
  distinct: set(year),
  slashed: list(slashed),
  commas: separated(',')(slashed),
}

const day = { day: optional(plainDate) }
const kinds = { query: t.type(day), header: t.type(day), cookie: t.type(day), matrix: t.type(day) }

const api = routes({
  scalars: pipe(
    path('/scalars'),
    get(),
    query(dates),
    produces(json(t.type(dates))),
    handle((input) => input.query),
  ),
  collections: pipe(
    path('/collections'),
    get(),
    query(collections),
    produces(json(t.type(collections))),
    handle((input) => input.query),
  ),
  kinds: pipe(
    path('/kinds/{day}', { day: plainDate }),
    post(),
    query(day),
    header(day),
    cookie(day),
    matrix(day),
    form(day),
    produces(json(t.type({ path: t.type({ day: plainDate }), form: t.type(day), ...kinds }))),
    handle((input) => input),
  ),
  segments: pipe(
    path('/on/{day:\\d\\d/\\d\\d/\\d{4}}', { day: slashed }),
    get(),
    produces(json(plainDate)),
    handle((input) => input.path.day),
  ),
  withDefault: pipe(
    path('/default'),
    get(),
    query({ year: withDefault(year, 2000) }),
    produces(json(year)),
    handle((input) => input.query.year),
  ),
})

/** `written` is the text in the response. Default: `text`. */
type Row = readonly [name: keyof typeof dates, text: string, written?: string]

const rows: ReadonlyArray<Row> = [
  ['instant', '2024-01-31T10:15:00.000000+0200', '2024-01-31T08:15:00Z'],
  ['instant', '2024-01-31 10:15:00+00', '2024-01-31T10:15:00Z'],
  ['offsetDateTime', '2024-01-31T10:15:30+0100', '2024-01-31T10:15:30+01:00'],
  [
    'zonedDateTime',
    '2024-01-31T09:15:30Z[Europe/Paris]',
    '2024-01-31T10:15:30+01:00[Europe/Paris]',
  ],
  ['plainTime', '23:59:60', '23:59:59'],
  ['plainDate', '2024-01-31'],
  ['plainDate', '-0001-02-28'],
  ['plainTime', '10:15:30'],
  ['plainTime', '10:15', '10:15:00'],
  ['plainTime', '10:15:30.123456789'],
  ['plainDateTime', '2024-01-31T10:15:30'],
  ['offsetDateTime', '2024-01-31T10:15:30+01:00'],
  ['offsetDateTime', '2024-01-31T10:15:30Z'],
  ['offsetTime', '10:15:30+01:00'],
  ['zonedDateTime', '2024-01-31T10:15:30+01:00[Europe/Paris]'],
  ['instant', '2024-01-31T10:15:30Z'],
  ['instant', '2024-01-31T11:15:30+01:00', '2024-01-31T10:15:30Z'],
  ['year', '2024'],
  ['yearMonth', '2024-01'],
  ['duration', 'P1Y2M3DT4H5M6.5S'],
  ['day', '31/01/2024'],
  ['clock', '1:05 PM sharp'],
  ['moment', '20240131 111530+01', '20240131 101530Z'],
]

/** `expected` is the name of the codec. Default: the name of the parameter. */
type InvalidRow = readonly [name: keyof typeof dates, text: string, expected?: string]

const invalidRows: ReadonlyArray<InvalidRow> = [
  ['plainDate', '2024-02-30'], // not a day of the calendar
  ['plainDate', '2023-02-29'],
  ['plainDate', '20240131'],
  ['plainDate', '2024-1-31'],
  ['plainDate', '2024-01-31T10:15:30'],
  ['plainTime', '24:00'],
  ['plainTime', '23:59:61'],
  ['plainDateTime', '2024-01-31T10:15:30Z'],
  ['offsetDateTime', '2024-01-31T10:15:30'],
  ['zonedDateTime', '2024-01-31T10:15:30+05:00[Europe/Paris]'],
  ['instant', '2024-01-31'],
  ['instant', '1706696130000'],
  ['year', '24'],
  ['yearMonth', '2024-13'],
  ['duration', '10s'],
  ['duration', 'P'],
  ['day', '2024-01-31', 'plainDate as dd/MM/yyyy'],
  ['day', '31/02/2024', 'plainDate as dd/MM/yyyy'],
]

const urlEncoded = { 'content-type': 'application/x-www-form-urlencoded' }

valueContract('dates', api, (test, call) => {
  rows.forEach(([name, text, written = text]) =>
    test(`${name} accepts ${text}`, async () =>
      assert.equal(await responseTo(call, `GET /scalars?${name}=${encodeURIComponent(text)}`), [
        200,
        { [name]: written },
      ])),
  )

  invalidRows.forEach(([name, text, expected = name]) =>
    test(`${name} with ${text} returns 400`, async () => {
      const response = await sendRequest(call, `GET /scalars?${name}=${encodeURIComponent(text)}`)
      assert.is(response.status, 400)
      assert.equal(await validationErrorsOf(response), [['query', name, expectedTypes([expected])]])
    }),
  )

  test('a date is read from every kind of parameter', async () => {
    const [status, responseBody] = await responseTo(
      call,
      'POST /kinds/2024-01-01;day=2024-01-02?day=2024-01-03',
      {
        headers: { ...urlEncoded, day: '2024-01-04', cookie: 'day=2024-01-05' },
        body: 'day=2024-01-06',
      },
    )
    assert.is(status, 200)
    assert.equal(responseBody, {
      path: { day: '2024-01-01' },
      matrix: { day: '2024-01-02' },
      query: { day: '2024-01-03' },
      header: { day: '2024-01-04' },
      cookie: { day: '2024-01-05' },
      form: { day: '2024-01-06' },
    })
  })

  table(
    test,
    [
      ['an empty date is missing', 'GET /scalars?plainDate=&year=2024', { year: '2024' }],
      ['a missing date with a default', 'GET /default', '2000'],
      ['a path variable across segments', 'GET /on/31/01/2024', '2024-01-31'],
      ['a custom codec', 'GET /scalars?epochDay=19753', { epochDay: '19753' }],
      [
        'dates in collections',
        'GET /collections?days=2024-01-31&days=2023-01-31&distinct=2024&distinct=2024&slashed=31/01/2024',
        {
          days: ['2024-01-31', '2023-01-31'],
          distinct: ['2024'],
          slashed: ['31/01/2024'],
          commas: [],
        },
      ],
      [
        'separated dates',
        'GET /collections?commas=31/01/2024,30/01/2024&commas=29/01/2024',
        { days: [], distinct: [], slashed: [], commas: ['31/01/2024', '30/01/2024', '29/01/2024'] },
      ],
    ] as const,
    async (_, line, responseBody) =>
      assert.equal(await responseTo(call, line), [200, responseBody]),
  )

  test('an invalid date in a path returns 404', async () => {
    const response = await sendRequest(call, 'POST /kinds/2024-02-30', { headers: urlEncoded })
    assert.is(response.status, 404)
    assert.equal(await validationErrorsOf(response), [
      ['path', 'day', 'must be a date such as 2024-01-31'],
    ])
  })

  test('invalid dates in all other kinds of parameters are reported together', async () => {
    const response = await sendRequest(call, 'POST /kinds/2024-01-01;day=x?day=x', {
      headers: { ...urlEncoded, day: 'x', cookie: 'day=x' },
    })
    assert.is(response.status, 400)
    assert.equal(
      await validationErrorsOf(response),
      ['query', 'header', 'cookie', 'matrix'].map((kind) => [
        kind,
        'day',
        'must be a date such as 2024-01-31',
      ]),
    )
  })
})
