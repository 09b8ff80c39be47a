/** Back-pressure between the parser and the reader of its parts: the parser gets the next chunk only while the reader waits. */
export class Demand {
  #isRequested = false
  #resume: (() => void) | undefined = undefined

  /** Called by the reader when it has used everything that was parsed. */
  request(): void {
    this.#isRequested = true
    const resume = this.#resume
    this.#resume = undefined
    resume?.()
  }

  /** Called when the reader has received something. */
  satisfy(): void {
    this.#isRequested = false
  }

  /** Resolves at the next request; `undefined` if the reader already waits. */
  wait(): Promise<void> | undefined {
    if (this.#isRequested) return undefined
    return new Promise((resolve) => {
      this.#resume = resolve
    })
  }
}
