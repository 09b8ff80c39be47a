/**
 * Provides the `client` and `promiseClient` functions for Node.js. Both generate code for codecs if the process allows
 * code generation.
 */
import { fastestBackEnd } from '../codec/generated/select-back-end.ts'
import type { CreateClient, CreatePromiseClient } from './client.ts'
import { createClientWith, createPromiseClientWith } from './client.ts'

/** Creates a client. See {@link CreateClient}. */
export const client: CreateClient = createClientWith(fastestBackEnd)

/** Creates a client whose functions return promises. See {@link CreatePromiseClient}. */
export const promiseClient: CreatePromiseClient = createPromiseClientWith(client)
