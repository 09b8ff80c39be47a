/** The corpus of hostile requests. */
import { bodies } from './body-cases.ts'
import { codecs } from './codecs.ts'
import { forms } from './form-cases.ts'
import { heads } from './head-cases.ts'
import type { HostileCase } from './hostile-case.ts'
import { arrays, texts } from './json-cases.ts'
import type { Library } from './library.ts'
import { multipart } from './multipart-cases.ts'
import { xml } from './xml-cases.ts'

export const cases = (library: Library): ReadonlyArray<HostileCase> => [
  ...arrays(codecs(library)),
  ...texts,
  ...xml,
  ...forms,
  ...multipart,
  ...bodies,
  ...heads,
]
