/** A tree that uses every combinator of the language. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  accessLog,
  cors,
  preMatching,
  requestId,
  rewrite,
  routes,
  securityHeaders,
  summary,
  timing,
  withFilter,
} from '../../../src/index.ts'
import { bodyRoutes } from './bodies.ts'
import { formRoutes } from './forms.ts'
import { parameterRoutes } from './parameters.ts'
import { responseRoutes } from './responses.ts'
import { scopeRoutes } from './scopes.ts'
import { securityRoutes } from './security.ts'
import { streamRoutes } from './streams.ts'

export const everyCombinator = pipe(
  routes({
    parameters: parameterRoutes,
    bodies: bodyRoutes,
    forms: formRoutes,
    streams: streamRoutes,
    responses: responseRoutes,
    security: securityRoutes,
    scopes: scopeRoutes,
  }),
  summary('An operation'),
  withFilter(
    accessLog(),
    cors({ origins: ['https://app.example'] }),
    requestId(),
    securityHeaders(),
    timing(),
    preMatching(({ request }) =>
      request.method === 'PROPFIND' ? rewrite({ method: 'GET' }) : undefined,
    ),
  ),
)
