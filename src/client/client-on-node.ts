/**
 * Provides the `client`, `promiseClient` and `callWithFilters` functions for Node.js. They generate code for codecs if the process allows
 * code generation. Clients publish their attempts on diagnostics channels.
 */
import { fastestBackEnd } from '../codec/compiled/select-back-end.ts'
import type { CallWithFilters } from './call-with-filters.ts'
import { createCallWithFilters } from './call-with-filters.ts'
import type { ClientPlatform, CreateClient, CreatePromiseClient } from './client.ts'
import { attemptTracing } from './traced-attempts.ts'
import { createClientWith, createPromiseClientWith } from './client.ts'

const platform: ClientPlatform = { backEnd: fastestBackEnd, tracing: attemptTracing }

/** Creates a client. See {@link CreateClient}. */
export const client: CreateClient = createClientWith(platform)

/** Creates a client whose functions return promises. See {@link CreatePromiseClient}. */
export const promiseClient: CreatePromiseClient = createPromiseClientWith(platform)

/** Calls an operation in the same tree through the complete pipeline. See {@link CallWithFilters}. */
export const callWithFilters: CallWithFilters = createCallWithFilters(fastestBackEnd)
