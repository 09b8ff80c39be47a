/** Authentication of the members of the library: readers and librarians. */
import { basic, next, requestFilter, slot, Unauthorized } from 'espalier'
import { sameSecret } from 'espalier/node'

export interface CurrentMember {
  readonly name: string
}

/** The authenticated member, for operations that need one. */
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

/** Authenticates members by name and password. Anonymous requests may still read books. */
export const memberAuthentication = basic({
  realm: 'library',
  verify: ({ user, password }) => {
    const account = accounts.get(user)
    return account !== undefined && sameSecret(password, account.password)
      ? { name: user, roles: account.roles }
      : undefined
  },
})

/** Provides the authenticated member to operations, and rejects anonymous requests. */
export const provideMember = requestFilter({ gives: { member: CurrentMember } }, ({ security }) =>
  security.principal === undefined
    ? new Unauthorized('Basic realm="library"')
    : next({ member: { name: security.principal.name } }),
)
