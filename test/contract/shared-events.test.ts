/**
 * Events that go to many are written once for all who see the same, and nobody is given what was written for somebody who sees
 * more.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  broadcaster,
  event,
  get,
  handle,
  inView,
  json,
  jsonView,
  path,
  produces,
  routes,
  secureField,
  secureSerialization,
  sse,
  view,
  withFilter,
} from '../../src/index.ts'
import { lossless } from '../../src/json.ts'
import { inMemory } from '../../src/testing.ts'
import { ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { canary, plain, trusting } from '../support/secrets.ts'

const Public = view('Public')
const Internal = view('Internal', Public)
const Open = t.type({ name: t.string, secret: t.string })
const Secured = t.type({ name: t.string, secret: secureField('chief')(t.string) })
const Viewed = t.type({ name: t.string, secret: inView(Internal)(t.string) })
const value = { name: plain, secret: canary }

/** Says nothing of its structure, and counts how often it is asked to write. */
const counting = (inner: t.Mixed) => {
  const asked = { count: 0 }
  const codec = new t.Type<unknown, unknown>('Counting', inner.is, inner.validate, (one) => {
    asked.count++
    return inner.encode(one)
  })
  return { asked, codec }
}

const somebody = {
  request: { headerLines: () => ['0'] },
  application: { stopping: new AbortController().signal },
}

/** What people are sent of one event in turn, and how often the codec wrote for each of them. */
const heard = async (inner: t.Mixed, users: ReadonlyArray<string>) => {
  const { asked, codec } = counting(inner)
  const news = broadcaster(codec, { replay: 1 })
  await news.publish(event('named', value))
  const first = async function* () {
    for await (const one of news.subscribe(somebody)) {
      yield one
      return
    }
  }
  const on = (at: `/${string}`) =>
    pipe(
      path(at),
      get(),
      produces(sse(codec)),
      handle(() => first()),
    )
  const call = inMemory(
    pipe(
      routes({
        it: on('/it'),
        open: pipe(on('/open'), jsonView(Public)),
        told: pipe(on('/told'), secureSerialization(false)),
        exact: lossless(on('/exact')),
        written: pipe(
          path('/written'),
          get(),
          produces(sse(json(codec))),
          handle(() => first()),
        ),
      }),
      withFilter(trusting),
    ),
  )
  const found: Array<readonly [sees: boolean, times: number]> = []
  for (const said of users) {
    const [user = '', target = '/it'] = said.split('@')
    const before = asked.count
    const init = user === '' ? {} : { headers: { 'X-User': user } }
    const sent = await (await ask(call, `GET ${target}`, init)).text()
    assert.ok(sent.includes(plain), sent)
    found.push([sent.includes(canary), Math.min(1, asked.count - before)])
  }
  return found
}

type Row = readonly [
  name: string,
  inner: t.Mixed,
  users: ReadonlyArray<string>,
  expected: ReadonlyArray<readonly [sees: boolean, times: number]>,
]

const rows: ReadonlyArray<Row> = [
  [
    'what hides nothing is written by the publisher',
    Open,
    ['', 'ann chief', 'ann reader', '@/open'],
    [
      [true, 0],
      [true, 0],
      [true, 0],
      [true, 0],
    ],
  ],
  [
    'R-354: what is secured inside is written for each that has other roles',
    Secured,
    ['ann chief', '', '', 'ann reader', 'ann chief', ''],
    [
      [true, 1],
      [false, 1],
      [false, 0],
      [false, 1],
      [true, 0],
      [false, 0],
    ],
  ],
  [
    'R-358: nor is it shared with an operation that tells it to everybody',
    Secured,
    ['@/told', '', '@/told', 'ann chief@/told', ''],
    [
      [true, 1],
      [false, 1],
      [true, 0],
      [true, 0],
      [false, 0],
    ],
  ],
  [
    'R-259: what is in a view inside is written for each operation',
    Viewed,
    ['', '@/open', '', '@/open'],
    [
      [true, 1],
      [false, 1],
      [true, 0],
      [false, 0],
    ],
  ],
  [
    'with every digit, and by a representation, it is written for those who see the same',
    Secured,
    [
      'ann chief@/exact',
      '@/exact',
      'ann chief@/exact',
      'ann chief@/written',
      '@/written',
      '@/exact',
    ],
    [
      [true, 1],
      [false, 1],
      [true, 0],
      [true, 1],
      [false, 1],
      [false, 0],
    ],
  ],
]

describe('an event for many, of a codec that says nothing of itself', (test) => {
  table<Row>(test, rows, async (_, inner, users, expected) =>
    assert.equal(await heard(inner, users), expected),
  )
})
