/** Parts of a form that a program puts together. */
import type { FormDataPart } from '../../endpoint/multipart-output.ts'
import type { FileToSend } from './file-to-send.ts'

/** A part by its representation, as `formDataPart` makes it, or a file. */
export type PartToSend = FormDataPart | FilePartToSend

/** A part that is a file. */
export interface FilePartToSend {
  readonly name: string
  readonly file: FileToSend
}
