/** Broadcast events are encoded once for all subscribers that see the same members. */
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

/** Makes a codec of events from the codec of their names. */
type MakeCodec = (name: t.Mixed) => t.Mixed
const Open: MakeCodec = (name) => t.type({ name, secret: t.string })
const Secured: MakeCodec = (name) => t.type({ name, secret: secureField('chief')(t.string) })
const Viewed: MakeCodec = (name) => t.type({ name, secret: inView(Internal)(t.string) })
const value = { name: plain, secret: canary }

/** A codec that counts the encoded events. */
const counting = (make: MakeCodec) => {
  const encoded = { count: 0 }
  const name = new t.Type<string>('Name', t.string.is, t.string.validate, (one) => {
    encoded.count++
    return one
  })
  return { encoded, codec: make(name) }
}

const subscriber = {
  request: { headerLines: () => ['0'] },
  application: { stopping: new AbortController().signal },
}

/** Sends one event to several users in turn. Returns whether each sees the secret, and whether it was encoded for the user. */
const received = async (make: MakeCodec, users: ReadonlyArray<string>) => {
  const { encoded, codec } = counting(make)
  const news = broadcaster(codec, { replay: 1 })
  await news.publish(event('named', value))
  const first = async function* () {
    for await (const one of news.subscribe(subscriber)) {
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
    const before = encoded.count
    const init = user === '' ? {} : { headers: { 'X-User': user } }
    const sent = await (await ask(call, `GET ${target}`, init)).text()
    assert.ok(sent.includes(plain), sent)
    found.push([sent.includes(canary), Math.min(1, encoded.count - before)])
  }
  return found
}

type Row = readonly [
  name: string,
  make: MakeCodec,
  users: ReadonlyArray<string>,
  expected: ReadonlyArray<readonly [sees: boolean, times: number]>,
]

const rows: ReadonlyArray<Row> = [
  [
    'an event without restricted members is encoded by the publisher',
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
    'an event with a secured member is encoded once for each set of granted roles',
    Secured,
    ['ann chief', '', '', 'ann reader', 'ann chief', ''],
    [
      [true, 0],
      [false, 1],
      [false, 0],
      [false, 1],
      [true, 0],
      [false, 0],
    ],
  ],
  [
    'an operation with secureSerialization(false) sends the complete event',
    Secured,
    ['@/told', '', '@/told', 'ann chief@/told', ''],
    [
      [true, 0],
      [false, 1],
      [true, 0],
      [true, 0],
      [false, 0],
    ],
  ],
  [
    'an event with a member in a view is encoded once for each view',
    Viewed,
    ['', '@/open', '', '@/open'],
    [
      [true, 0],
      [false, 1],
      [true, 0],
      [false, 0],
    ],
  ],
  [
    'lossless events, and those with a representation, are encoded once for each visibility',
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

describe('a broadcast event', (test) => {
  table<Row>(test, rows, async (_, make, users, expected) =>
    assert.equal(await received(make, users), expected),
  )
})
