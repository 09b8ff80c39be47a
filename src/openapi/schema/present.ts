/** The members that {@link present} returns. */
type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Returns the members that are neither `undefined` nor an empty list or object. Documents contain no others. */
export function present<T extends object>(members: T): Present<T>
export function present(members: object): object {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]: readonly [string, unknown]) =>
        value !== undefined &&
        (typeof value !== 'object' || value === null || Object.keys(value).length > 0),
    ),
  )
}
