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
      // errors of the server name the operation
      displayOperationId: false,
    })
    // links to the document, and the base of relative URLs in it
    ui.specActions.updateUrl(url)
    if (oauth) ui.initOAuth(JSON.parse(oauth))
  } catch (error) {
    page.textContent = 'Loading ' + url + ' failed: ' + error.message
  }
})()
`
