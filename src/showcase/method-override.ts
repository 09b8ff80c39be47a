/** For clients that can send GET and POST alone: `X-HTTP-Method-Override` says what a POST is meant to be. */
import { preMatching, rewrite } from 'espalier'

const overridable = ['PUT', 'PATCH', 'DELETE']

export const methodOverride = preMatching(({ request }) => {
  const method = request.header('X-HTTP-Method-Override')
  return request.method === 'POST' && method !== undefined && overridable.includes(method)
    ? rewrite({ method })
    : undefined
})
