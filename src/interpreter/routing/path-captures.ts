/** The values of path parameters. Most handlers use the decoded text only, so everything else is computed on use. */
import * as Percent from '../../http/percent.ts'

/** The value of a path parameter. */
export interface PathCapture {
  /** The decoded segments, joined by `/`. */
  readonly text: string
  /** As received. */
  readonly raw: string
  /** The decoded segments of a parameter that spans several. */
  readonly segments: ReadonlyArray<string>
  readonly rawSegments: ReadonlyArray<string>
}

/** The value of one or more complete segments. */
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

/** The value of a group of a regular expression. Both `/` and an escaped slash separate its segments. */
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
