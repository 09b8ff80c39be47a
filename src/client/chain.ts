/**
 * Those who wait for something, in the order in which they came, of whom most leave before it happens. A `Set` keeps each table that
 * it has outgrown until garbage is collected where it is collected rarely, and with it the next table and all that was in it, so
 * that everything that ever waited lives on for a while. Who leaves a chain is known to nobody any more.
 */
export class Chain<A> {
  #first: Link<A> | undefined = undefined
  #last: Link<A> | undefined = undefined

  get first(): Link<A> | undefined {
    return this.#first
  }

  join(value: A): Link<A> {
    const link: Link<A> = { value, before: this.#last, after: undefined }
    if (this.#last === undefined) this.#first = link
    else this.#last.after = link
    this.#last = link
    return link
  }

  /** Whether it was still there. */
  leave(link: Link<A>): boolean {
    const { before, after } = link
    if (before === undefined && this.#first !== link) return false
    if (before === undefined) this.#first = after
    else before.after = after
    if (after === undefined) this.#last = before
    else after.before = before
    link.before = undefined
    link.after = undefined
    return true
  }
}

export interface Link<A> {
  readonly value: A
  before: Link<A> | undefined
  after: Link<A> | undefined
}
