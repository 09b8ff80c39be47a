/** The script and the style sheet of the page that are not part of Swagger UI. */

/**
 * The script that starts Swagger UI. It is served as a file, because the Content Security Policy of the page forbids inline scripts.
 * Its parameters are in data attributes of the page.
 */
export const startScript = `'use strict'
;(async () => {
  const page = document.getElementById('swagger-ui')
  const { document: documentPath, root, redirect, oauth, persist } = page.dataset
  const absolute = (path) => new URL(path, location.href.replace(/[?#].*$/, '')).href

  // Swagger UI is dark if the root element has this class
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const applyColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  applyColors()
  dark.addEventListener('change', applyColors)

  // Swagger UI shows complete responses, so streams end after a few seconds
  const isStream = /^(?:text\\/event-stream|application\\/(?:x-)?ndjson)\\b/i
  const streamDuration = 3000
  const fetchLimited = async (url, options) => {
    const response = await fetch(url, options)
    const { status, statusText, headers, body } = response
    if (!body || !isStream.test(headers.get('Content-Type') ?? '')) return response
    const reader = body.getReader()
    const timer = setTimeout(() => reader.cancel(), streamDuration)
    const chunks = []
    for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value)
    clearTimeout(timer)
    const limited = new Response(new Blob(chunks), { status, statusText, headers })
    return Object.defineProperty(limited, 'url', { value: response.url })
  }

  const url = absolute(documentPath)
  try {
    const response = await fetch(url)
    if (!response.ok) throw new Error(response.status + ' ' + response.statusText)
    const spec = await response.json()
    // the root of the served tree as the browser sees it, so that proxies can add path prefixes
    if (root) spec.servers = [{ url: absolute(root).replace(/\\/$/, '') }]
    const ui = SwaggerUIBundle({
      domNode: page,
      spec,
      deepLinking: true,
      displayRequestDuration: true,
      persistAuthorization: persist === 'true',
      oauth2RedirectUrl: absolute(redirect),
      validatorUrl: 'none',
      requestInterceptor: (request) => Object.assign(request, { userFetch: fetchLimited }),
    })
    // links to the document, and the base of relative URLs in it
    ui.specActions.updateUrl(url)
    if (oauth) ui.initOAuth(JSON.parse(oauth))
  } catch (error) {
    page.textContent = 'Loading ' + url + ' failed: ' + error.message
  }
})()
`

/** Corrections of the style sheet of Swagger UI. */
export const pageStyles = `body { margin: 0; }
.dark-mode .swagger-ui table.headers td { color: #e4e6e6; }
`
