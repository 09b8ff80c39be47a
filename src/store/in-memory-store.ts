/** A store in the memory of one process. */
import { checkOptions } from '../endpoint/internal/combinator.ts'
import type { Acquired, Rate, Store, Taken } from '../endpoint/definition/store.ts'

/** Options for {@link inMemoryStore}. */
export interface InMemoryStoreOptions {
  /**
   * Maximum number of quotas. If there are more, the quota that was used least recently is forgotten, and is therefore full again.
   * At least 1. Default: 100,000, which take about 15 MB.
   */
  readonly maxQuotas?: number
  /**
   * Maximum total size of the values with their keys, in bytes. If it is exceeded, the oldest values are forgotten. At least 0.
   * Default: 64 MiB.
   */
  readonly maxValueBytes?: number
  /** Returns the time in milliseconds. It must not go back. Default: `performance.now`. */
  readonly now?: () => number
}

/** A {@link Store} that returns its results at once, and states how much it contains. */
export interface InMemoryStore extends Store {
  readonly take: (key: string, rate: Rate, cost: number) => Taken
  readonly acquire: (key: string, fingerprint: string, duration: number) => Acquired
  readonly renew: (key: string, token: string, duration: number) => boolean
  readonly complete: (key: string, token: string, value: Uint8Array, duration: number) => boolean
  readonly release: (key: string, token: string) => void
  /** The number of quotas, of leases and values, and of quotas and values that have been forgotten because there were too many. */
  readonly size: () => {
    readonly quotas: number
    readonly entries: number
    readonly evicted: number
  }
}

/** A leased key, or a key with a value. */
interface Entry {
  readonly fingerprint: string
  readonly expires: number
  readonly content: { readonly token: string } | { readonly value: Uint8Array }
}

const minSweepSize = 1024

/** Times of quotas are multiples of 1/1024 ms, because sums of such numbers have no rounding errors. */
const exact = 1024

/** The approximate size of a value with its key, in bytes. Leases end soon, and do not count. */
const sizeOf = (key: string, { fingerprint, content }: Entry): number =>
  'value' in content ? content.value.length + key.length + fingerprint.length + 200 : 0

/**
 * Creates a store in the memory of this process. It is the default store of a server. With several processes, each has quotas and values of
 * its own.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { inMemoryStore } from 'espalier'
 *
 * const store = inMemoryStore()
 * const perSecond = { interval: 1000, burst: 2 }
 * store.take('ann', perSecond, 1)
 * store.take('ann', perSecond, 1)
 *
 * assert.equal(store.take('ann', perSecond, 1).isAllowed, false)
 * assert.equal(store.take('bob', perSecond, 1).isAllowed, true)
 * ```
 */
export const inMemoryStore = (options: InMemoryStoreOptions = {}): InMemoryStore => {
  checkOptions('inMemoryStore', ['maxQuotas', 'maxValueBytes', 'now'], options)
  const { maxQuotas = 100_000, maxValueBytes = 64 * 1024 * 1024 } = options
  const now = options.now ?? (() => performance.now())
  /** For each key, the time at which its quota is full. The key that was used least recently is the first. */
  const quotas = new Map<string, number>()
  /** In the order in which they were leased or completed. */
  const entries = new Map<string, Entry>()
  let valueBytes = 0
  let evicted = 0
  let lastToken = 0
  let sweepSize = minSweepSize

  const remove = (key: string): void => {
    const entry = entries.get(key)
    if (entry !== undefined) valueBytes -= sizeOf(key, entry)
    entries.delete(key)
  }
  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry === undefined || entry.expires > now()) return entry
    remove(key)
    return undefined
  }
  const holds = (key: string, token: string): Entry | undefined => {
    const entry = find(key)
    return entry !== undefined && 'token' in entry.content && entry.content.token === token
      ? entry
      : undefined
  }
  /** Removes the oldest values until the others fit. */
  const makeRoom = (): void => {
    for (const [key, { content, expires }] of entries) {
      if (valueBytes <= maxValueBytes) return
      if (!('value' in content)) continue
      if (expires > now()) evicted++
      remove(key)
    }
  }
  /** Removes all entries that have expired, whenever the number of entries has doubled. */
  const sweep = (): void => {
    if (entries.size < sweepSize) return
    for (const key of entries.keys()) find(key)
    sweepSize = Math.max(minSweepSize, entries.size * 2)
  }
  return {
    take: (key, rate, cost) => {
      const { burst } = rate
      const interval = Math.ceil(rate.interval * exact) / exact
      const time = Math.floor(now() * exact) / exact
      const full = Math.max(quotas.get(key) ?? time, time)
      const next = full + cost * interval
      const allowedAt = next - burst * interval
      const isAllowed = allowedAt <= time
      quotas.delete(key)
      const until = isAllowed ? next : full
      if (until > time) quotas.set(key, until)
      const [oldest] = quotas.size > maxQuotas ? quotas.keys() : []
      if (oldest !== undefined && quotas.delete(oldest)) evicted++
      return {
        isAllowed,
        remaining: Math.max(0, Math.floor(burst - (until - time) / interval)),
        retryAfter: isAllowed ? 0 : allowedAt - time,
        resetAfter: until - time,
      }
    },
    acquire: (key, fingerprint, duration) => {
      const found = find(key)
      if (found === undefined) {
        sweep()
        const token = String(++lastToken)
        entries.set(key, { fingerprint, expires: now() + duration, content: { token } })
        return { _tag: 'Leased', token }
      }
      return 'value' in found.content
        ? { _tag: 'Complete', fingerprint: found.fingerprint, value: found.content.value }
        : { _tag: 'Busy', fingerprint: found.fingerprint }
    },
    renew: (key, token, duration) => {
      const entry = holds(key, token)
      if (entry === undefined) return false
      entries.set(key, { ...entry, expires: now() + duration })
      return true
    },
    complete: (key, token, value, duration) => {
      const entry = holds(key, token)
      if (entry === undefined) return false
      const completed: Entry = { ...entry, expires: now() + duration, content: { value } }
      entries.delete(key)
      entries.set(key, completed)
      valueBytes += sizeOf(key, completed)
      makeRoom()
      return true
    },
    release: (key, token) => {
      if (holds(key, token) !== undefined) remove(key)
    },
    size: () => ({ quotas: quotas.size, entries: entries.size, evicted }),
  }
}
