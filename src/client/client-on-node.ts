/**
 * Provides the `client`, `promiseClient` and `callWithFilters` functions for Node.js. They generate code for codecs if the process allows
 * code generation.
 */
import { fastestBackEnd } from '../codec/compiled/select-back-end.ts'
import type { CallWithFilters } from './call-with-filters.ts'
import { createCallWithFilters } from './call-with-filters.ts'
import type { CreateClient, CreatePromiseClient } from './client.ts'
import { createClientWith, createPromiseClientWith } from './client.ts'

/** Creates a client. See {@link CreateClient}. */
export const client: CreateClient = createClientWith(fastestBackEnd)

/** Creates a client whose functions return promises. See {@link CreatePromiseClient}. */
export const promiseClient: CreatePromiseClient = createPromiseClientWith(fastestBackEnd)

/** Calls an operation in the same tree through the complete pipeline. See {@link CallWithFilters}. */
export const callWithFilters: CallWithFilters = createCallWithFilters(fastestBackEnd)
