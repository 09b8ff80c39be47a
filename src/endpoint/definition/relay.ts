/**
 * Relays, which connect broadcasters in different processes.
 *
 * A relay is a log: each message has a position, and a subscription can continue after any position. This corresponds to streams in Redis
 * or NATS JetStream, and to tables in PostgreSQL with `NOTIFY`. A relay without history sends messages only to current subscriptions.
 */

/** A message of a relay. */
export interface RelayMessage {
  /**
   * The position of the message: a decimal number, or two numbers joined by a hyphen, each without leading zeros and with at most 19
   * digits, such as `42` or `1700000000000-0`. Positions increase, also after a restart and after the messages of the relay were deleted.
   * Clients receive the position as the id of the event.
   */
  readonly id: string
  readonly text: string
}

/** Where a subscription to a relay begins and ends. */
export interface RelaySubscription {
  /**
   * The position after which the subscription begins. By default, it begins with the next message that is published.
   *
   * The position might not be that of an existing message, because it can be sent by a client. All messages with higher positions follow. If some of them
   * have been deleted, the subscription begins with the first that still exists. A relay without history ignores the position.
   */
  readonly after: string | undefined
  /** Aborted when the subscription ends. `receive` is then ignored. */
  readonly signal: AbortSignal
}

/** A publish-subscribe channel between processes, such as a stream in Redis or a table in PostgreSQL. */
export interface Relay {
  /**
   * Sends a message to all subscriptions, including those in this process. Returns the position of the message. Throws or rejects if
   * the message was not sent.
   */
  readonly publish: (text: string) => string | Promise<string>
  /**
   * Calls `receive` with each message, in the order of the positions, until the signal is aborted. Returns, or resolves, after `receive` was
   * called with all messages after `after` that existed at the time of the call. Messages that are published later are not lost.
   *
   * Throws or rejects if the relay is not available. After a lost connection, the relay continues the subscription with the message after
   * the last one that it has passed to `receive`.
   */
  readonly subscribe: (
    receive: (message: RelayMessage) => void,
    subscription: RelaySubscription,
  ) => void | Promise<void>
}
