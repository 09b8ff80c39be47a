/** What happens in the library, as it happens. */
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

/** A feed that keeps the last hundred activities for those who lost their connection. */
export const activityFeed = (): Feed => broadcaster(Activity, { replay: 100 })

export const followActivity = pipe(
  path('/activity'),
  get(),
  needs({ feed: Feed }),
  produces(sse(Activity)),
  handle(({ needs: { feed } }, context) => feed.subscribe(context)),
)

export const activityRoutes = routes({ followActivity })
