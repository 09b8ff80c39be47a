/** The script and the style sheet of the page that are not part of Swagger UI. */

/**
 * The script that starts Swagger UI. It is served as a file, because the Content Security Policy of the page forbids inline scripts.
 * Its parameters are in data attributes of the page.
 */
export const startScript = `'use strict'
;(async () => {
  const page = document.getElementById('swagger-ui')
  const { document: documentPath, samples, root, redirect, oauth, persist } = page.dataset
  const absolute = (path) => new URL(path, location.href.replace(/[?#].*$/, '')).href

  // Swagger UI is dark if the root element has this class
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const applyColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  applyColors()
  dark.addEventListener('change', applyColors)

  // the event follows the failure of the request
  const blocked = []
  document.addEventListener('securitypolicyviolation', ({ blockedURI }) => blocked.push(blockedURI))
  const fetchAllowed = async (url, options) => {
    try {
      return await fetch(url, options)
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      if (!blocked.includes(absolute(url))) throw error
      throw new Error('the Content Security Policy of this page blocks ' + url +
        ' or a redirect from it: add the origin to connectSources in the options of the page')
    }
  }
  const replaceBody = ({ status, statusText, headers, url }, body) =>
    Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url })

  // Swagger UI shows complete responses, so streams end after a few seconds
  const isStream = /^(?:text\\/event-stream|application\\/(?:x-)?ndjson)\\b/i
  const streamDuration = 3000
  const fetchLimited = async (url, options) => {
    const response = await fetchAllowed(url, options)
    const { headers, body } = response
    if (!body || !isStream.test(headers.get('Content-Type') ?? '')) return response
    const reader = body.getReader()
    const timer = setTimeout(() => reader.cancel(), streamDuration)
    const chunks = []
    for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value)
    clearTimeout(timer)
    return replaceBody(response, new Blob(chunks))
  }

  // Swagger UI shows a flow for every grant type of an OpenID Connect provider, and reports errors only on the console
  const grantTypes = ['authorization_code', 'implicit', 'password', 'client_credentials']
  const fetchProvider = (ui, name) => async (url, options) => {
    try {
      const signal = AbortSignal.timeout(10000)
      const response = await fetchAllowed(url, { ...options, signal })
      if (!response.ok) throw new Error(response.status + ' ' + response.statusText)
      const provider = await response.json()
      const supported = provider.grant_types_supported
      if (supported) provider.grant_types_supported = grantTypes.filter((type) => supported.includes(type))
      return replaceBody(response, JSON.stringify(provider))
    } catch (error) {
      const message = 'Loading ' + url + ' failed: ' + error.message
      ui.errActions.newAuthErr({ authId: name, source: 'auth', level: 'error', message })
      throw error
    }
  }

  // the errors of an operation are alike, and longer than what it does
  const collapseErrors = ({ React: { createElement } }) => ({
    wrapComponents: {
      modelExample: (Original) => (props) => {
        const path = props.specPath?.toJS() ?? []
        const isError = /^[45]/.test(path[path.indexOf('responses') + 1])
        const example = createElement(Original, props)
        return isError && path.includes('responses')
          ? createElement('details', { className: 'error-example' }, createElement('summary', null, 'Example and schema'), example)
          : example
      },
    },
  })

  const url = absolute(documentPath)
  try {
    const response = await fetch(absolute(samples))
    if (!response.ok) throw new Error(response.status + ' ' + response.statusText)
    const spec = await response.json()
    // the root of the served tree as the browser sees it, so that proxies can add path prefixes
    if (root) spec.servers = [{ url: absolute(root).replace(/\\/$/, '') }]
    const providers = Object.entries(spec.components?.securitySchemes ?? {})
      .filter(([, { type }]) => type === 'openIdConnect')
    const fetchFor = ({ url, method }) => {
      // requests for discovery documents have no method
      const provider = providers.find(([, scheme]) => method === undefined && scheme.openIdConnectUrl === url)
      return provider ? fetchProvider(ui, provider[0]) : fetchLimited
    }
    const ui = SwaggerUIBundle({
      domNode: page,
      spec,
      deepLinking: true,
      defaultModelsExpandDepth: 0,
      plugins: [collapseErrors],
      displayRequestDuration: true,
      persistAuthorization: persist === 'true',
      oauth2RedirectUrl: absolute(redirect),
      validatorUrl: 'none',
      requestInterceptor: (request) => Object.assign(request, { userFetch: fetchFor(request) }),
    })
    // links to the document, and the base of relative URLs in it
    ui.specActions.updateUrl(url)
    if (oauth) ui.initOAuth(JSON.parse(oauth))
    // the authorize dialog contains the flows that are known when it opens
    const hasFlows = () =>
      providers.length === 0 || ui.specSelectors.specResolvedSubtree(['components', 'securitySchemes'])
    const update = () => page.classList.toggle('loading-flows', !hasFlows())
    update()
    ui.getStore().subscribe(update)
  } catch (error) {
    page.textContent = 'Loading ' + url + ' failed: ' + error.message
  }
})()
`

/** Additions to the style sheet of Swagger UI. */
export const pageStyles = `body { margin: 0; }
.loading-flows .authorize, .loading-flows .authorization__btn { visibility: hidden; }
.swagger-ui .error-example > summary { cursor: pointer; font-size: 12px; padding: 4px 0; }
.swagger-ui .response:is([data-code^='4'], [data-code^='5']) .response-controls:has(option:only-child) { display: none; }
.dark-mode .swagger-ui table.headers td { color: #e4e6e6; }
`
