/** Converts the input of a handler back to the input of a client call, including files and parts. */
import { readFile } from 'node:fs/promises'
import type { Definition } from '../../src/endpoint/endpoint.ts'
import { isFormPart } from '../../src/endpoint/form.ts'
import type {
  FileUpload,
  FormValue,
  MultipartFormDataInput,
  StreamedPart,
} from '../../src/index.ts'
import { bytes, formDataPart, text } from '../../src/index.ts'

type Input = Readonly<Record<string, unknown>>

/** Forms and bodies whose contents come to files, or are there as parts. Rejects where a client would send them otherwise. */
export const givenAgain = async (definition: Definition, input: Input): Promise<Input> => {
  const files = [...definition.parameters.form].filter(([, one]) => isFormPart(one))
  const form = { ...(input['form'] as object | undefined) }
  for (const [name, one] of files)
    if (isFormPart(one) && one.kind !== 'part')
      Reflect.set(form, name, await filesOf(Reflect.get(form, name)))
  const { body } = input
  return {
    ...input,
    ...('form' in input ? { form } : {}),
    ...('body' in input ? { body: await bodyOf(body) } : {}),
  }
}

const filesOf = async (value: unknown): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map(filesOf))
  if (value === undefined) return value
  const { path, fileName, contentType } = value as FileUpload
  return new File([await readFile(path)], fileName, { type: contentType })
}

const bodyOf = async (body: unknown): Promise<unknown> => {
  if (typeof body !== 'object' || body === null) return body
  if ('values' in body && body.values instanceof Map)
    return Promise.all(
      [...(body as MultipartFormDataInput).values].flatMap(([name, parts]) =>
        parts.map((part) => partOf(name, part)),
      ),
    )
  if (Symbol.asyncIterator in body) return piecesOf(body as AsyncIterable<unknown>)
  return 'path' in body && 'size' in body && 'contentType' in body
    ? new Blob([await readFile(String(body.path))])
    : body
}

/** Octets, texts or parts, of which the content is read before the next one is asked for. */
const piecesOf = async (pieces: AsyncIterable<unknown>): Promise<ReadonlyArray<unknown>> => {
  const all: unknown[] = []
  for await (const piece of pieces)
    if (typeof piece === 'object' && piece !== null && 'content' in piece)
      all.push(await streamedPart(piece as StreamedPart))
    else all.push(piece instanceof Uint8Array ? piece.slice() : piece)
  return all
}

const streamedPart = async ({ name, fileName, headers, content }: StreamedPart) => {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece.slice())
  return formDataPart(name, Buffer.concat(pieces), bytes, {
    headers: ownOf(headers),
    ...(fileName === undefined ? {} : { fileName }),
  })
}

/** The fields of a part that say nothing of its place. Throws where a client says more: it always says the media type. */
const ownOf = (headers: StreamedPart['headers']): Record<string, string> => {
  const own: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2)
    if (!/^content-disposition$/i.test(headers[at] ?? ''))
      own[headers[at] ?? ''] = headers[at + 1] ?? ''
  if (!Object.keys(own).some((name) => /^content-type$/i.test(name)))
    throw new Error('a part without a media type')
  return own
}

const partOf = async (name: string, part: FormValue): Promise<unknown> => {
  const headers = ownOf(part.headers)
  return part.isFileItem
    ? formDataPart(name, await part.fileItem.read(), bytes, {
        headers,
        ...(part.fileName === undefined ? {} : { fileName: part.fileName }),
      })
    : formDataPart(name, part.value, text, { headers })
}
