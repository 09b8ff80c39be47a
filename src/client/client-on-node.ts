/** The `client` function for Node.js, which generates code for codecs unless code generation is disabled. */
import { fastestBackEnd } from '../codec/generated/select-back-end.ts'
import type { CreateClient } from './client.ts'
import { createClientWith } from './client.ts'

export const client: CreateClient = createClientWith(fastestBackEnd)
