/** What a failed call asked for. It is no member of the failure: a declared one is what the service said, and nothing else. */

export interface Asked {
  readonly method: string
  /** Absolute, or the template of an operation for which nothing was sent. */
  readonly url: string
}

const asked = new WeakMap<object, Asked>()

/** Remembers it as long as the failure is there. */
export const failedFor = (failure: object, { method, url }: Asked): void =>
  void asked.set(failure, { method, url })

export const askedFor = (failure: object): Asked | undefined => asked.get(failure)
