/** The server of `espalier-streams.mjs` with connections that it reads and writes without `node:http`. */
process.env['FW_HTTP_CONNECTION'] = 'direct'
await import('./espalier-streams.mjs')
