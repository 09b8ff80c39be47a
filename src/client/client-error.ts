/**
 * Everything that can go wrong with a call beside what the endpoint declares. It is no `Reply` and no `HttpError`: a handler
 * that returns or throws it by accident has failed itself, and no upstream status becomes its answer.
 */
import type { Fault } from '../http/failure.ts'
import type { Headers } from '../http/headers.ts'

export type ClientError =
  | NetworkError
  | TimedOut
  | Aborted
  | Defect
  | UndeclaredStatus
  | DecodeError
  | Refused

interface Failed<Tag extends string> {
  readonly _tag: Tag
  /** In words, with the name of the operation. */
  readonly message: string
  /** The name of the operation. */
  readonly operation: string
  readonly cause: unknown
}

/** No response came, or it broke off: the name is not known, the connection was refused or lost. */
export type NetworkError = Failed<'NetworkError'>

/** It took longer than a policy allows. */
export type TimedOut = Failed<'TimedOut'>

/** A policy or filter of the program's own threw: the cause is what it threw. */
export type Defect = Failed<'Defect'>

/** The caller's signal aborted it. */
export type Aborted = Failed<'Aborted'>

/** A status that neither the operation nor what stands around it declares. */
export interface UndeclaredStatus extends Failed<'UndeclaredStatus'> {
  readonly status: number
  readonly headers: Headers
  /** The first 64 KiB of what it said, as text. */
  readonly content: string
}

/** A declared status whose content is not what was declared. */
export interface DecodeError extends Failed<'DecodeError'> {
  readonly status: number
  readonly headers: Headers
  /** What is wrong, and where. */
  readonly faults: ReadonlyArray<Fault>
}

/** It was never sent: a policy does not let it through. */
export interface Refused extends Failed<'Refused'> {
  /** The policy: `circuit-breaker`, `concurrency-limit`. */
  readonly policy: string
  /** Milliseconds after which another try makes sense, where that is known. */
  readonly retryAfter: number | undefined
}
