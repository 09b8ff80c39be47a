/** Operations that send streams and events. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  broadcaster,
  comment,
  event,
  get,
  handle,
  header,
  inMemoryRelay,
  int,
  jsonStream,
  lastEventId,
  multi,
  multiFrom,
  path,
  produces,
  routes,
  sse,
  status,
  string,
  tags,
  textStream,
} from '../../../src/index.ts'
import { jsonSeq } from '../../../src/json.ts'

const News = t.type({ title: string }, 'News')

const news = broadcaster(News, { replay: 10, relay: inMemoryRelay() })

const subscribe = pipe(
  path('/news'),
  get(),
  produces(sse(News)),
  handle((_, context) => news.subscribe(context)),
)

const listEvents = pipe(
  path('/events'),
  get(),
  header({ lastEventId }),
  produces(sse(News)),
  handle(() => [event('added', { title: 'Emma' }, { id: '1' }), comment('the end')]),
)

const numbers = pipe(
  path('/numbers'),
  get(),
  status(203),
  produces(jsonStream(int)),
  handle(() => multi([1, 2], { status: 203, headers: { 'X-Total': '2' } })),
)

const lines = pipe(
  path('/lines'),
  get(),
  produces(textStream),
  handle(() =>
    multiFrom(
      Promise.resolve(['a\n', 'b\n']),
      (found) => found,
      ({ length }) => ({ 'X-Total': String(length) }),
    ),
  ),
)

const sequence = pipe(
  path('/sequence'),
  get(),
  produces(jsonSeq(int)),
  handle(() => [1, 2]),
)

export const streamRoutes = pipe(
  routes({ subscribe, listEvents, numbers, lines, sequence }),
  tags({ name: 'streams', description: 'Streams and events' }),
)
