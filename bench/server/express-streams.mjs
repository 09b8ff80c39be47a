/**
 * Express with one write per element, `express.static`, multer with files on disk, and `compression` on one route.
 */
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import compression from 'compression'
import express from 'express'
import multer from 'multer'
import { document, elementsLater, folder, ticking } from '../streams/payloads.mjs'
import { announce, host, port } from './listen.mjs'
import { discard, sha256OfFile } from './upload-digest.mjs'

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.get('/plaintext', (_request, response) => {
  response.type('text/plain').send('Hello, World!')
})

/** @type {(response: express.Response, source: AsyncIterable<object>) => Promise<void>} */
const events = async (response, source) => {
  response.type('text/event-stream')
  for await (const element of source)
    if (!response.write(`data: ${JSON.stringify(element)}\n\n`)) await once(response, 'drain')
  response.end()
}

app.get('/sse', (_request, response) => events(response, elementsLater()))

app.get('/ticks', (_request, response) => events(response, ticking()))

app.get('/ndjson', async (_request, response) => {
  response.type('application/x-ndjson')
  for await (const element of elementsLater())
    if (!response.write(`${JSON.stringify(element)}\n`)) await once(response, 'drain')
  response.end()
})

const received = multer({ dest: tmpdir() }).single('cover')

/** @type {(isHashed: boolean) => express.RequestHandler} */
const upload = (isHashed) => async (request, response) => {
  if (request.file === undefined) throw new Error('no file')
  const { path, size } = request.file
  const { title, note } = request.body
  const hash = isHashed ? { sha256: await sha256OfFile(path) } : {}
  response.json({ title, note, size, ...hash })
  discard(path)
}

app.post('/upload', received, upload(false))

app.post('/upload/sha256', received, upload(true))

app.get('/document', compression(), (_request, response) => {
  response.type('application/json').send(document)
})

app.use(express.static(folder))

const server = app.listen(port, host, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) announce(address.port)
})
