/** What the variables of a template took of a path. Most handlers want the text alone, so the rest is worked out when asked for. */
import * as Percent from '../../http/percent.ts'

/** The text that a variable took. */
export interface PathCapture {
  /** Decoded; segments joined by `/`. */
  readonly text: string
  /** As received. */
  readonly raw: string
  /** Decoded segments, for a variable that spans several. */
  readonly segments: ReadonlyArray<string>
  readonly rawSegments: ReadonlyArray<string>
}

/** One or more segments, whole. */
export class SegmentCapture implements PathCapture {
  readonly text: string
  readonly raw: string

  constructor(text: string, raw: string) {
    this.text = text
    this.raw = raw
  }

  get segments(): ReadonlyArray<string> {
    return this.rawSegments.map((raw) => Percent.decode(raw) ?? raw)
  }

  get rawSegments(): ReadonlyArray<string> {
    return this.raw.split('/')
  }
}

/** What one of several groups of an expression took; a slash divides it, escaped or not. */
export class GroupCapture implements PathCapture {
  readonly text: string
  readonly raw: string

  constructor(text: string, raw: string) {
    this.text = text
    this.raw = raw
  }

  get segments(): ReadonlyArray<string> {
    return this.text.split('/')
  }

  get rawSegments(): ReadonlyArray<string> {
    return this.raw.split('/')
  }
}
