/** The lending library with TLS and client certificates. */
import * as assert from 'uvu/assert'
import { library } from '../../src/showcase/api.ts'
import { deskName } from '../../src/showcase/authentication.ts'
import { createCertificateFolder, hasOpenSsl } from '../support/certificates.ts'
import { describeWith } from '../support/describe.ts'
import { serveLocally } from '../support/loopback.ts'
import { rawRequest } from '../support/raw.ts'
import { connectTls, tlsOptions, withCertificate } from '../node/tls/clients.ts'
import { served } from './library.ts'

describeWith('showcase with mutual TLS', 'openssl', hasOpenSsl, (test) => {
  const folder = createCertificateFolder()
  const authority = folder.authority('authority')
  const desk = folder.issue(authority, 'desk', { names: deskName })
  const kiosk = folder.issue(authority, 'kiosk', { names: 'URI:spiffe://library.example/kiosk' })

  test('the certificate of a computer determines what it may do', async () => {
    const server = await serveLocally(library(), {
      ...served,
      ...tlsOptions(folder.issue(authority, 'server')),
      'fw.http.ssl.client-auth': 'request',
      'fw.http.ssl.certificate.trust-store-files': authority.certificate,
    })
    const statusOf = async (request: string, options = {}) => {
      const connection = await connectTls(server, authority, options)
      connection.write(rawRequest(request))
      const { status } = await connection.next()
      connection.destroy()
      return status
    }
    const remove = 'DELETE /books/9780201896831'
    try {
      assert.is(await statusOf('GET /loans'), 401)
      assert.is(await statusOf('GET /loans', withCertificate(kiosk)), 200)
      assert.is(await statusOf(remove, withCertificate(kiosk)), 403)
      assert.is(await statusOf(remove, withCertificate(desk)), 204)
    } finally {
      await server.close()
    }
  })
})
