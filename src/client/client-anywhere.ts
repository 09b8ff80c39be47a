/** Clients where it is not known whether source may be generated: in browsers above all, whose pages often forbid it. */
import { byInterpretation } from '../codec/generated/interpreted/interpreted-back-end.ts'
import type { MakeClient } from './client.ts'
import { clientBy } from './client.ts'

export const client: MakeClient = clientBy(() => byInterpretation)
