/** Converts the input of a handler to the input of an equivalent client call, including files and parts. */
import { readFile } from 'node:fs/promises'
import type { Definition } from '../../src/endpoint/endpoint.ts'
import { isFormPart } from '../../src/endpoint/body.ts'
import type {
  FileUpload,
  FormValue,
  MultipartFormDataInput,
  StreamedPart,
} from '../../src/index.ts'
import { bytes, formDataPart, text } from '../../src/index.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * Replaces the form and the body of a handler's input with values that a client sends in the same way. Rejects if a client
 * would send them differently.
 */
export const toClientInput = async (definition: Definition, input: Input): Promise<Input> => {
  const files = [...definition.parameters.form].filter(([, parameter]) => isFormPart(parameter))
  const form = { ...(input['form'] as object | undefined) }
  for (const [name, parameter] of files)
    if (isFormPart(parameter) && parameter.kind !== 'part')
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
  if (Symbol.asyncIterator in body) return readAll(body as AsyncIterable<unknown>)
  return 'path' in body && 'size' in body && 'contentType' in body
    ? new Blob([await readFile(String(body.path))])
    : body
}

/** Reads all elements of a stream of bytes, text or parts. The body of each part is read before the next part. */
const readAll = async (source: AsyncIterable<unknown>): Promise<ReadonlyArray<unknown>> => {
  const elements: unknown[] = []
  for await (const element of source)
    if (typeof element === 'object' && element !== null && 'content' in element)
      elements.push(await streamedPart(element as StreamedPart))
    else elements.push(element instanceof Uint8Array ? element.slice() : element)
  return elements
}

const streamedPart = async ({ name, fileName, headers, content }: StreamedPart) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk.slice())
  return formDataPart(name, Buffer.concat(chunks), bytes, {
    headers: customHeaders(headers),
    ...(fileName === undefined ? {} : { fileName }),
  })
}

/** The headers of a part without `Content-Disposition`. Throws without `Content-Type`, because a client always sends it. */
const customHeaders = (headers: StreamedPart['headers']): Record<string, string> => {
  const result: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2)
    if (!/^content-disposition$/i.test(headers[at] ?? ''))
      result[headers[at] ?? ''] = headers[at + 1] ?? ''
  if (!Object.keys(result).some((name) => /^content-type$/i.test(name)))
    throw new Error('a part without a media type')
  return result
}

const partOf = async (name: string, part: FormValue): Promise<unknown> => {
  const headers = customHeaders(part.headers)
  return part.isFileItem
    ? formDataPart(name, await part.fileItem.read(), bytes, {
        headers,
        ...(part.fileName === undefined ? {} : { fileName: part.fileName }),
      })
    : formDataPart(name, part.value, text, { headers })
}
