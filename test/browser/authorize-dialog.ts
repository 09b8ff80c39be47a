/** An API that requires an access token, and the steps of the authorize dialog. */
import { pipe } from 'fp-ts/lib/function.js'
import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { NamedSecurityScheme } from '../../src/index.ts'
import {
  bearer,
  get,
  handle,
  path,
  permitAll,
  produces,
  rolesAllowed,
  routes,
  securityHeaders,
  text,
  withFilter,
} from '../../src/index.ts'
import type { OpenApiRoutesOptions } from '../../src/openapi.ts'
import { openApiRoutes } from '../../src/openapi.ts'
import { screenshot, send } from './documentation.ts'

const secret = pipe(
  path('/secret'),
  get(),
  rolesAllowed('read'),
  produces(text),
  handle(() => 'for your eyes only'),
)

export interface ProtectedApiOptions extends Pick<OpenApiRoutesOptions, 'version'> {
  readonly scheme: NamedSecurityScheme
  readonly scopes: ReadonlyArray<string>
  readonly connectSources?: ReadonlyArray<string>
}

/** Creates an API with `GET /secret`, which requires an access token of the client `docs` with these scopes. */
export const protectedApi = ({
  scheme,
  scopes,
  connectSources = [],
  ...options
}: ProtectedApiOptions) => {
  const users = bearer({
    verify: (token) =>
      token === ['docs', ...scopes].join('.') ? { name: 'ann', roles: ['read'] } : undefined,
    describedAs: scheme,
  })
  const docs = pipe(
    openApiRoutes({
      ...options,
      info: { title: 'Secrets', version: '1.0.0' },
      page: { oauth: { clientId: 'docs', scopes }, connectSources },
    }),
    permitAll,
  )
  return pipe(
    routes({ secret, docs }),
    withFilter(users, securityHeaders({ crossOriginOpenerPolicy: true })),
  )
}

/** Requests a token with the first flow of the dialog, which must have the client of the page. Returns the dialog. */
export const requestToken = async (page: Page): Promise<Locator> => {
  await page.locator('.auth-wrapper .authorize').first().click()
  const dialog = page.locator('.dialog-ux')
  assert.is(await dialog.locator('input[type=text]').first().inputValue(), 'docs')
  await dialog.locator('button.authorize').first().click()
  return dialog
}

/** Requests a token, and sends `GET /secret` with it. `flows` are the headings of the flows in the dialog. */
export const readSecret = async (page: Page, flows: ReadonlyArray<string>): Promise<void> => {
  const dialog = await requestToken(page)
  await dialog.getByText('Logout').first().waitFor()
  assert.equal(await dialog.locator('h4').allInnerTexts(), flows)
  await screenshot(page, `authorized-${flows.join().replaceAll(/\W+/g, '-')}`)
  await dialog.locator('.btn-done').first().click()
  assert.match(await send(page, 'GET /secret'), 'for your eyes only')
}
