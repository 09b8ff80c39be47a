/** The service of the client benchmark: sends prepared responses, so that the client dominates the cost. */
import { createServer } from 'node:http'
import { announce, host, port } from './listen.mjs'

/** @type {(at: number) => object} */
const book = (at) => ({
  isbn: String(9_780_141_439_587 + at),
  title: `Emma, volume ${at}`,
  author: 'Jane Austen',
  pages: 512 + at,
  tags: ['novel', 'comedy'],
})
const one = JSON.stringify(book(0))
const many = JSON.stringify(Array.from({ length: 50 }, (_, at) => book(at)))

const server = createServer((request, response) => {
  const json = { 'Content-Type': 'application/json' }
  if (request.method === 'POST') {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text) => (body += text))
    request.on('end', () => response.writeHead(201, json).end(body))
  } else if (request.url === '/plaintext') response.end('Hello, World!')
  else response.writeHead(200, json).end(request.url?.startsWith('/books?') ? many : one)
})
server.listen(port, host, () =>
  announce(/** @type {import("node:net").AddressInfo} */ (server.address()).port),
)
