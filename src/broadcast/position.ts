/**
 * Positions of messages in a relay: one or two decimal numbers, such as `42` or `1700000000000-0`.
 *
 * They have an order, so that a broadcaster can continue exactly after a position that another process has delivered, and drops messages
 * that are delivered twice. The format also limits which ids of clients are passed to a relay.
 */

/** Whether a value is a position. 19 digits fit into an unsigned integer with 64 bits. */
export const isPosition = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:0|[1-9]\d{0,18})(?:-(?:0|[1-9]\d{0,18}))?$/.test(value)

/** Whether `position` is after `other`. */
export const isAfter = (position: string, other: string): boolean =>
  sortKey(position) > sortKey(other)

/** A string that is compared as the position is: `7` before `7-0`, and `7-0` before `10`. */
const sortKey = (position: string): string =>
  position
    .split('-')
    .map((number) => number.padStart(19, '0'))
    .join('-')
