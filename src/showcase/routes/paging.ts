/** Helpers for dividing lists into pages. */
import type { UriInfo } from 'espalier'
import { between, int, query, withDefault } from 'espalier'
import type { HalLink } from 'espalier/hal'

/** Declares the query parameters of operations that return one page of a list. */
export const paging = query({
  page: withDefault(between(1, 10_000)(int), 1),
  size: withDefault(between(1, 100)(int), 20),
})

interface Page {
  readonly page: number
  readonly size: number
}

export const pageOf = <A>(items: ReadonlyArray<A>, { page, size }: Page): ReadonlyArray<A> =>
  items.slice((page - 1) * size, page * size)

/** Returns links to the previous and next pages, if they exist. */
export const pageLinks = (
  { request }: Pick<UriInfo, 'request'>,
  { page, size }: Page,
  count: number,
): ReadonlyArray<HalLink> => {
  const to = (rel: string, at: number): HalLink => {
    const target = new URL(request)
    target.searchParams.set('page', String(at))
    return { rel, target: target.href }
  }
  return [
    ...(page > 1 ? [to('prev', page - 1)] : []),
    ...(page * size < count ? [to('next', page + 1)] : []),
  ]
}
