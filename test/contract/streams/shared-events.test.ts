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
} from '../../../src/index.ts'
import { lossless } from '../../../src/json.ts'
import { inMemory } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { canary, plain, headerAuthentication } from '../../support/secrets.ts'

const Public = view('Public')
const Internal = view('Internal', Public)

/** Creates a codec of events from the codec of their names. */
type CodecFactory = (name: t.Mixed) => t.Mixed
const Open: CodecFactory = (name) => t.type({ name, secret: t.string })
const Secured: CodecFactory = (name) => t.type({ name, secret: secureField('chief')(t.string) })
const Viewed: CodecFactory = (name) => t.type({ name, secret: inView(Internal)(t.string) })
const value = { name: plain, secret: canary }

/** Creates a codec that counts the encoded events. */
const createCountingCodec = (createCodec: CodecFactory) => {
  const encoded = { count: 0 }
  const name = new t.Type<string>('Name', t.string.is, t.string.validate, (text) => {
    encoded.count++
    return text
  })
  return { encoded, codec: createCodec(name) }
}

const subscriber = {
  request: { headerValues: () => ['0'] },
  application: { stopping: new AbortController().signal },
}

/**
 * Sends one event to several users in turn.
 *
 * Returns for each user whether the secret is visible, and 1 if the event was encoded for this user, otherwise 0.
 * A user is a name with roles, optionally followed by `@` and the target.
 */
const deliveriesTo = async (createCodec: CodecFactory, users: ReadonlyArray<string>) => {
  const { encoded, codec } = createCountingCodec(createCodec)
  const news = broadcaster(codec, { replay: 1 })
  await news.publish(event('named', value))
  const firstEvent = async function* () {
    for await (const update of news.subscribe(subscriber)) {
      yield update
      return
    }
  }
  const eventsAt = (at: `/${string}`) =>
    pipe(
      path(at),
      get(),
      produces(sse(codec)),
      handle(() => firstEvent()),
    )
  const call = inMemory(
    pipe(
      routes({
        default: eventsAt('/default'),
        view: pipe(eventsAt('/view'), jsonView(Public)),
        unsecured: pipe(eventsAt('/unsecured'), secureSerialization(false)),
        lossless: lossless(eventsAt('/lossless')),
        json: pipe(
          path('/json'),
          get(),
          produces(sse(json(codec))),
          handle(() => firstEvent()),
        ),
      }),
      withFilter(headerAuthentication),
    ),
  )
  const deliveries: Array<readonly [isVisible: boolean, encodings: number]> = []
  for (const recipient of users) {
    const [user = '', target = '/default'] = recipient.split('@')
    const before = encoded.count
    const init = user === '' ? {} : { headers: { 'X-User': user } }
    const sent = await (await sendRequest(call, `GET ${target}`, init)).text()
    assert.ok(sent.includes(plain), sent)
    deliveries.push([sent.includes(canary), Math.min(1, encoded.count - before)])
  }
  return deliveries
}

type Row = readonly [
  name: string,
  createCodec: CodecFactory,
  users: ReadonlyArray<string>,
  expected: ReadonlyArray<readonly [isVisible: boolean, encodings: number]>,
]

const rows: ReadonlyArray<Row> = [
  [
    'an event without restricted members is encoded by the publisher',
    Open,
    ['', 'ann chief', 'ann reader', '@/view'],
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
    ['@/unsecured', '', '@/unsecured', 'ann chief@/unsecured', ''],
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
    ['', '@/view', '', '@/view'],
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
      'ann chief@/lossless',
      '@/lossless',
      'ann chief@/lossless',
      'ann chief@/json',
      '@/json',
      '@/lossless',
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

describe('broadcast events', (test) => {
  table<Row>(test, rows, async (_, createCodec, users, expected) =>
    assert.equal(await deliveriesTo(createCodec, users), expected),
  )
})
