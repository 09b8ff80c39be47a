/** The states of a circuit breaker, and how it goes from one to another. Nothing here knows of requests or of timers. */

export interface BreakerRules {
  /** So many failures open it. */
  readonly failures: number
  /** Milliseconds in which they have to come; `undefined` when they have to come one after the other. */
  readonly within: number | undefined
  /** Milliseconds that it stays open. */
  readonly open: number
  /** So many tries have to succeed, one after the other, before it closes again. */
  readonly halfOpen: number
}

/** The `era` is counted up with each change of the state, so that a call that began in an earlier one can be told. */
export type BreakerState =
  /** With the times of the last failures. */
  | { readonly _tag: 'Closed'; readonly era: number; readonly failures: ReadonlyArray<number> }
  | { readonly _tag: 'Open'; readonly era: number; readonly until: number }
  | {
      readonly _tag: 'HalfOpen'
      readonly era: number
      readonly successes: number
      readonly isTrying: boolean
    }

/** What came of a call that was let through; `unknown` where it says nothing about the service. */
export type Verdict = 'success' | 'failure' | 'unknown'

export const closed: BreakerState = { _tag: 'Closed', era: 0, failures: [] }

/** The state after somebody has asked to be let through; `undefined` when he is not. */
export const admit = (state: BreakerState, now: number): BreakerState | undefined => {
  switch (state._tag) {
    case 'Closed':
      return state
    case 'Open':
      return now < state.until
        ? undefined
        : { _tag: 'HalfOpen', era: state.era + 1, successes: 0, isTrying: true }
    case 'HalfOpen':
      return state.isTrying ? undefined : { ...state, isTrying: true }
  }
}

/** The state after a call of some era has come to its end. */
export const settle = (
  rules: BreakerRules,
  state: BreakerState,
  { era, verdict, now }: { readonly era: number; readonly verdict: Verdict; readonly now: number },
): BreakerState => {
  if (era !== state.era) return state
  const opened = (): BreakerState => ({ _tag: 'Open', era: era + 1, until: now + rules.open })
  switch (state._tag) {
    case 'Open':
      return state
    case 'Closed': {
      if (verdict === 'unknown') return state
      if (verdict === 'success')
        return rules.within === undefined && state.failures.length > 0
          ? { ...state, failures: [] }
          : state
      const failures = [...state.failures, now].filter(
        (time) => rules.within === undefined || now - time < rules.within,
      )
      return failures.length >= rules.failures ? opened() : { ...state, failures }
    }
    case 'HalfOpen': {
      if (verdict === 'failure') return opened()
      const successes = state.successes + (verdict === 'success' ? 1 : 0)
      return successes >= rules.halfOpen
        ? { _tag: 'Closed', era: era + 1, failures: [] }
        : { ...state, successes, isTrying: false }
    }
  }
}

/** Milliseconds after which it lets somebody through, where that is known. */
export const waitOf = (state: BreakerState, now: number): number | undefined =>
  state._tag === 'Open' ? Math.max(0, state.until - now) : undefined
