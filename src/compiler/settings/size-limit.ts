/** A limit on the size of a body, with the setting that a 413 names. */
export interface SizeLimit {
  readonly bytes: number
  readonly setting: string
}
