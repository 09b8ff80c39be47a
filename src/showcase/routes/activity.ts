/** A live feed of library activity, such as new loans. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Broadcaster } from 'espalier'
import { broadcaster, get, handle, needs, path, produces, routes, slot, sse } from 'espalier'

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
  needs({ feed: Feed }),
  produces(sse(Activity)),
  handle(({ needs: { feed } }, context) => feed.subscribe(context)),
)

export const activityRoutes = routes({ followActivity })
