/** Letting a request pass, knowing who asks. */
import type { Principal } from './context.ts'

/** Somebody whom an authentication filter knows: see {@link identified}. */
export interface Identified {
  readonly _tag: 'Identified'
  readonly principal: Principal
  readonly scheme: string | undefined
}

const mark = Symbol.for('espalier.Identified')

/**
 * Goes on with somebody who is known from here on: `context.security` tells of it. `scheme` says how, when it is not the one
 * of the filter's challenge.
 */
export const identified = (principal: Principal, scheme?: string): Identified =>
  Object.freeze({ _tag: 'Identified', principal, scheme, [mark]: true })

/** Whether a value was made by {@link identified}, of this or another copy of the package. */
export const isIdentified = (value: unknown): value is Identified =>
  typeof value === 'object' && value !== null && mark in value
