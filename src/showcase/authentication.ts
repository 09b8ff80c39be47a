/** Filters that authenticate library members, who are readers or librarians. */
import { basic, mutualTls, next, requestFilter, slot, Unauthorized } from 'espalier'
import { constantTimeEqual } from 'espalier/node'

export interface CurrentMember {
  readonly name: string
}

/** The slot for the authenticated member. Operations can declare it as a dependency. */
export const CurrentMember = slot<CurrentMember>()('member')

type Role = 'reader' | 'librarian'

interface Account {
  readonly password: string
  readonly email: string
  readonly roles: ReadonlyArray<Role>
}

export const accounts: ReadonlyMap<string, Account> = new Map<string, Account>([
  ['ann', { password: 'plum', email: 'ann@readers.example', roles: ['reader'] }],
  ['ben', { password: 'pear', email: 'ben@library.example', roles: ['reader', 'librarian'] }],
])

/** Authenticates members with their name and password. Anonymous clients can still read books. */
export const memberAuthentication = basic({
  realm: 'library',
  verify: ({ user, password }) => {
    const account = accounts.get(user)
    return account !== undefined && constantTimeEqual(password, account.password)
      ? { name: user, roles: account.roles }
      : undefined
  },
})

/** The subject alternative name in the certificates of the computers at the desk of the library. */
export const deskName = 'URI:spiffe://library.example/desk'

/**
 * Authenticates computers with their TLS certificate, if the server is started with certificates. Those at the desk act as a
 * librarian.
 */
export const computerAuthentication = mutualTls({
  roles: ({ alternativeNames }): ReadonlyArray<Role> =>
    alternativeNames.includes(deskName) ? ['reader', 'librarian'] : ['reader'],
})

/** Provides the authenticated member to operations. Rejects anonymous requests. */
export const provideMember = requestFilter({ gives: { member: CurrentMember } }, ({ security }) =>
  security.principal === undefined
    ? new Unauthorized('Basic realm="library"')
    : next({ member: { name: security.principal.name } }),
)
