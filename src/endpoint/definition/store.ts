/**
 * State that requests share: quotas, and the results of operations that must not run twice.
 *
 * The operations of a store are atomic. Each of them corresponds to one script in a database such as Redis. Times are measured by the
 * store, so that servers whose clocks differ can share it.
 */

/** A value, or a promise of it. A store in the memory of the process returns values, so that it costs no turn of the event loop. */
export type Stored<A> = A | Promise<A>

/** The rate of a quota (generic cell rate algorithm). Times are in milliseconds. */
export interface Rate {
  /** The time in which one unit is regained. Must be greater than 0. */
  readonly interval: number
  /** The number of units that can be taken at once. At least 1. */
  readonly burst: number
}

/** The result of {@link Store.take}. Times are in milliseconds. */
export interface Taken {
  readonly isAllowed: boolean
  /** The number of units that can be taken now. An integer of at least 0. */
  readonly remaining: number
  /** The time after which the units can be taken. `0` if they have been taken. */
  readonly retryAfter: number
  /** The time after which all units are available again. */
  readonly resetAfter: number
}

/** The result of {@link Store.acquire}. */
export type Acquired =
  /** The caller must create the value, and must call `complete` or `release` with the token. */
  | { readonly _tag: 'Leased'; readonly token: string }
  /** Another caller is creating the value. */
  | { readonly _tag: 'Busy'; readonly fingerprint: string }
  | { readonly _tag: 'Complete'; readonly fingerprint: string; readonly value: Uint8Array }

/**
 * Shared state. {@link inMemoryStore} keeps it in the process. Keys are strings of up to 512 bytes, and durations are in milliseconds.
 *
 * A method throws or rejects if the state is not available. It never waits longer than a few seconds.
 */
export interface Store {
  /**
   * Takes units from the quota of a key. Takes no unit if `cost` units are not available. The quota of a key that has never been used is
   * full. `cost` is at least 0, and is 0 to read the quota only.
   */
  readonly take: (key: string, rate: Rate, cost: number) => Stored<Taken>
  /**
   * Returns the value of a key, or leases the key to the caller, who then creates the value. The lease expires after `duration`, so
   * that a process that has ended does not keep it. `fingerprint` describes the input from which the value is created. The fingerprint of the first
   * caller is returned to all others.
   */
  readonly acquire: (key: string, fingerprint: string, duration: number) => Stored<Acquired>
  /** Extends a lease. Returns `false` if the token no longer holds the lease. */
  readonly renew: (key: string, token: string, duration: number) => Stored<boolean>
  /** Stores the value of a leased key for `duration`, and ends the lease. Returns `false` if the token no longer holds the lease. */
  readonly complete: (
    key: string,
    token: string,
    value: Uint8Array,
    duration: number,
  ) => Stored<boolean>
  /** Ends a lease without a value. Has no effect if the token no longer holds the lease. */
  readonly release: (key: string, token: string) => Stored<void>
}
