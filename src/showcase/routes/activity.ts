/** A live feed of library activity, such as new loans. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Broadcaster } from 'espalier'
import {
  broadcaster,
  get,
  handle,
  needs,
  path,
  produces,
  routes,
  slot,
  sse,
  description,
  summary,
  tags,
} from 'espalier'

export const Activity = t.type({
  what: t.keyof({ added: null, lent: null, returned: null }),
  isbn: t.string,
})
export type Activity = t.TypeOf<typeof Activity>

export type Feed = Pick<Broadcaster<Activity>, 'publish' | 'subscribe'>
export const Feed = slot<Feed>()('feed')

/** Creates a feed that keeps the last 100 events for clients that reconnect. */
export const activityFeed = (): Feed => broadcaster(Activity, { replay: 100 })

export const followActivity = pipe(
  path('/activity'),
  get(),
  summary('Follow the activity of the library'),
  description(
    'Sends an event for each new book, loan and returned book. A client that reconnects with `Last-Event-ID` receives the last 100 events that it missed.',
  ),
  needs({ feed: Feed }),
  produces(sse(Activity)),
  handle(({ needs: { feed } }, context) => feed.subscribe(context)),
)

export const activityRoutes = pipe(
  routes({ followActivity }),
  tags({ name: 'activity', description: 'The live feed of the library' }),
)
