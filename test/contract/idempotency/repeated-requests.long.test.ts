/** 100,000 keyed requests with retries, duplicates, aborts and two principals: no operation is executed twice. */
import { describe } from '../../support/describe.ts'
import { inMemory } from '../../../src/testing.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { checkRepeatedRequests, createService } from './repeated-requests.ts'

const seed = Number(process.env['IDEMPOTENCY_SEED'] ?? 1)

describe('repeated payments', (test) => {
  // each test has a time limit
  for (let part = 0; part < 4; part++)
    test(`25,000 requests execute each payment once, part ${part + 1}`, async () => {
      const { api, effects } = createService(seed + part)
      const call = inMemory(api, { logger: silentLogger })
      await checkRepeatedRequests(call, effects, 25_000, seed + part)
    })
})
