/** Whether somebody waits for what has not been read yet. Whoever reads goes on only then. */
export class Demand {
  #isThere = false
  #go: (() => void) | undefined = undefined

  /** Everything that was read is taken up, and more is asked for. */
  request(): void {
    this.#isThere = true
    const go = this.#go
    this.#go = undefined
    go?.()
  }

  /** There is something for who asked. */
  satisfy(): void {
    this.#isThere = false
  }

  /** Is done when there is a demand; `undefined` when there is one. */
  wait(): Promise<void> | undefined {
    if (this.#isThere) return undefined
    return new Promise((resolve) => {
      this.#go = resolve
    })
  }
}
