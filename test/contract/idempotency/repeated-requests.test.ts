/** Keyed requests with retries, duplicates, aborts and two principals: no operation is executed twice. */
import { contract } from '../../support/contract.ts'
import { checkRepeatedRequests, createService } from './repeated-requests.ts'

const seed = Number(process.env['IDEMPOTENCY_SEED'] ?? 1)
const { api, effects } = createService(seed)

contract('repeated payments', api, (test, call) => {
  test('1,000 requests execute each payment once', async () => {
    effects.clear()
    await checkRepeatedRequests(call, effects, 1000, seed)
  })
})
