/**
 * A bucket of tokens: each call puts a part of one in, each retry takes one out. While a service is down, retries are then a
 * share of the calls, and not a multiple of them.
 */

export interface RetryBudgetOptions {
  /** Retries for each call, on average; 0.2 unless it is said. */
  readonly share?: number
  /** Retries that may come together after a quiet time, and at the beginning; 10 unless it is said. */
  readonly reserve?: number
}

export interface RetryBudget {
  /** A call is made. */
  readonly earn: () => void
  /** Takes a token, if there is one. */
  readonly spend: () => boolean
}

/** A full bucket. Throws a `RangeError` for numbers below 0. */
export const budgetOf = ({
  share = 0.2,
  reserve = 10,
}: RetryBudgetOptions): (() => RetryBudget) => {
  if (!(share >= 0 && reserve >= 0))
    throw new RangeError('a budget has a share and a reserve of 0 or more')
  return () => {
    let tokens = reserve
    return {
      earn: () => {
        tokens = Math.min(reserve, tokens + share)
      },
      spend: () => {
        if (tokens < 1) return false
        tokens -= 1
        return true
      },
    }
  }
}

/** Never empty. */
export const unlimited = (): RetryBudget => ({ earn: () => undefined, spend: () => true })
