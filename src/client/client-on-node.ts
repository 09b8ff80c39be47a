/** Clients on Node, which makes functions of text unless it is told not to. */
import { fastest } from '../codec/generated/select-back-end.ts'
import type { MakeClient } from './client.ts'
import { clientBy } from './client.ts'

export const client: MakeClient = clientBy(fastest)
